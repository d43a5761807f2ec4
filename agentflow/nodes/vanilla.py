"""The vanilla verifier: one structured question (VerifiAgent, section 4.1)."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from agentflow.models.structured import Flag, Reply
from agentflow.nodes.announced import announced
from agentflow.nodes.asking import ask_role_json
from agentflow.nodes.judging import Judging
from agentflow.nodes.run import Update, node
from agentflow.settings import Settings
from agentflow.verdict import Verdict
from agentflow.verifiers import joined
from agentflow.verifiers.stance import agreeing, stance


class Opinion(Reply):
    """Whether a solution is correct, and why."""

    reason: str
    correct: Flag

    @model_validator(mode="after")
    def _with_its_reason(self) -> Self:
        agreeing(stance(self.reason), self.correct)
        return self


@node(Settings, Judging)
async def vanilla(run: Judging[Settings]) -> Update:
    """Ask whether the solution is correct; a reply that cannot be read cannot tell."""
    fields = {"problem": run.problem.text, "solution": joined(run.steps).strip()}
    reply, entries = await ask_role_json(run, ("baseline_verifiers", "vanilla"), fields, Opinion)
    opinion, evidence = reply.value, {"how": reply.how}
    if opinion is None:
        verdict = Verdict(None, reply.error, "cannot_tell", source="vanilla", evidence=evidence)
    elif opinion.correct:
        verdict = Verdict(True, opinion.reason, source="vanilla", evidence=evidence)
    else:
        reason = opinion.reason.strip() or "the solution is incorrect"
        verdict = Verdict(False, reason, "incorrect", source="vanilla", evidence=evidence)
    return announced(run, "vanilla", verdict) | {"ledger": entries}
