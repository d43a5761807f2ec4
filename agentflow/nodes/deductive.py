"""The deductive verifier: each step judged from nothing but its premises (VerifiAgent, section 4.1,
after Ling et al. 2023)."""

from __future__ import annotations

from typing import Any, Self

from pydantic import model_validator

from agentflow.ledger import Entries
from agentflow.models.structured import Flag, Parsed, Reply
from agentflow.nodes.announced import announced
from agentflow.nodes.asking import ask_role_json, asked_together
from agentflow.nodes.premises import Statements, StatementSettings
from agentflow.nodes.run import Update, node
from agentflow.verdict import Verdict
from agentflow.verifiers.stance import agreeing, stance

_QUOTED = 200


class Following(Reply):
    """Whether a statement follows from its premises, and why."""

    reason: str
    follows: Flag

    @model_validator(mode="after")
    def _with_its_reason(self) -> Self:
        agreeing(stance(self.reason), self.follows)
        return self


@node(StatementSettings, Statements)
async def deduce(run: Statements) -> Update:
    """Judge every statement from its premises alone; the solution passes only with all of them."""
    lines = run.lines

    async def judge(number: int) -> tuple[Parsed[Following | None], Entries]:
        fields = {"premises": run.premises_text(number), "step": lines[number][1]}
        template = ("baseline_verifiers", "follows")
        return await ask_role_json(run, template, fields, Following, tokens=512, number=number)

    replies, entries = await asked_together(judge(number) for number in range(len(lines)))
    found = [
        {
            "step": index,
            "text": line,
            "premises": rests_on,
            "follows": reply.value.follows if reply.value else None,
            "reason": reply.value.reason if reply.value else reply.error,
        }
        for (index, line), rests_on, reply in zip(lines, run.premises, replies, strict=True)
    ]
    return announced(run, "deductive", _unanimous(found)) | {"ledger": entries}


def _unanimous(found: list[dict[str, Any]]) -> Verdict:
    """The solution passes if every statement follows; the first that does not decides."""
    follows = [one["follows"] for one in found]
    score, evidence = follows.count(True) / len(follows), {"statements": found}
    if False in follows:
        wrong = found[follows.index(False)]
        reason = f'"{wrong["text"][:_QUOTED]}" does not follow: {wrong["reason"]}'
        step = wrong["step"]
        return Verdict(False, reason, "wrong_step", score, step, "deductive", evidence)
    if None in follows:
        reason = "some steps could not be judged"
        return Verdict(None, reason, "cannot_tell", score, None, "deductive", evidence)
    return Verdict(True, "", "", score, None, "deductive", evidence)
