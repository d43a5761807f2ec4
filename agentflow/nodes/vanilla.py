"""The vanilla verifier: one structured question (paper 004, section 4.1)."""

from __future__ import annotations

from functools import partial
from typing import Any

from langgraph.runtime import Runtime

from agentflow.models.structured import Flag, Reply, parse
from agentflow.nodes.asking import ask_role
from agentflow.nodes.context import emitter, problem_of
from agentflow.nodes.flexive import told
from agentflow.nodes.judging import JudgingState
from agentflow.verdict import Verdict
from agentflow.verifiers import joined


class Opinion(Reply):
    """Whether a solution is correct, and why."""

    reason: str
    correct: Flag


async def vanilla(state: JudgingState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Ask whether the solution is correct; a reply that cannot be read cannot tell."""
    fields = {"problem": problem_of(state).text, "solution": joined(state["steps"]).strip()}
    asked, entries = await ask_role(
        state,
        runtime,
        ("baseline_verifiers", "vanilla"),
        fields,
        partial(parse, Opinion),
        None,
        schema=Opinion.model_json_schema(),
    )
    said, evidence = asked.value, {"how": asked.how}
    if said is None:
        verdict = Verdict(None, asked.error, "cannot_tell", source="vanilla", evidence=evidence)
    elif said.correct:
        verdict = Verdict(True, said.reason, source="vanilla", evidence=evidence)
    else:
        reason = said.reason.strip() or "the solution is incorrect"
        verdict = Verdict(False, reason, "incorrect", source="vanilla", evidence=evidence)
    return told(emitter(state, runtime), "vanilla", verdict) | {"ledger": entries}
