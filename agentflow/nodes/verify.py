"""Verify: the domain's own verifier on the final answer."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from langgraph.runtime import Runtime

from agentflow.nodes.context import domain_of, settings_of
from agentflow.nodes.finish import answer_of
from agentflow.nodes.last_word import judge_answer
from agentflow.run import RunState
from agentflow.settings import Settings
from agentflow.verdict import Verdict


async def verify(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Judge exactly the answer that would be emitted."""
    settings = settings_of(runtime, Settings)
    domain = await domain_of(settings)
    answer = answer_of(state, domain)
    if answer is not None and settings.judge_answers:
        final, entries = await judge_answer(state, runtime, answer)
        return {"final": final, "ledger": entries}
    why = "no answer found" if answer is None else "answers are not judged"
    return {"final": asdict(Verdict(None, why, source=domain.name)) | {"answer": answer}}
