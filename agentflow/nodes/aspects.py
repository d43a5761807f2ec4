"""Aspects of a solution, each judged by itself (multi-agent verification, Lifshitz et al. 2025)."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from agentflow.ledger import Entries
from agentflow.models.structured import Flag, Parsed, Reply
from agentflow.nodes.announced import announced
from agentflow.nodes.asking import ask_role_json, asked_together
from agentflow.nodes.critic import CriticSettings, scored
from agentflow.nodes.judging import Judging
from agentflow.nodes.run import Update, node
from agentflow.verdict import Verdict
from agentflow.verifiers import joined
from agentflow.verifiers.stance import agreeing, stance

ASPECTS = (
    "Does the solution take from the problem what it says, all that is needed of it and nothing "
    "else?",
    "Does each step follow from the problem and the steps before it?",
    "Is every calculation right, and every number copied as it was?",
    "Are the facts that it brings in from elsewhere true?",
    "Is the final answer what the problem asks for, and the one that the steps come to?",
)
"""What is asked about a solution where the settings do not say."""


class AspectSettings(CriticSettings):
    """Settings of a critic by aspects."""

    aspects: tuple[str, ...] = Field(
        default=ASPECTS,
        min_length=1,
        max_length=100,
        description="aspects: questions about a solution to which yes is good, each of which a "
        "verifier answers by itself",
    )


class Approval(Reply):
    """Whether a solution is good in one aspect, and why."""

    reason: str
    holds: Flag

    @model_validator(mode="after")
    def _with_its_reason(self) -> Self:
        if self.holds:
            agreeing(stance(self.reason), True)
        return self


@node(AspectSettings, Judging)
async def aspect_critic(run: Judging[AspectSettings]) -> Update:
    """Ask a model (role verifier) about each aspect; the score is the share of those that hold.

    One on which no reply can be read counts half; where it could turn the verdict, nothing is
    decided.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
    """
    aspects, solution = run.settings.aspects, joined(run.steps).strip()

    async def ask(number: int) -> tuple[Parsed[Approval | None], Entries]:
        fields = {"solution": solution, "aspect": aspects[number]}
        return await ask_role_json(run, ("sampling", "aspect"), fields, Approval, number=number)

    replies, entries = await asked_together(ask(number) for number in range(len(aspects)))
    found = [
        {"aspect": aspect, "holds": one.value.holds if one.value else None}
        for aspect, one in zip(aspects, replies, strict=True)
    ]
    told = [one.value for one in replies if one.value]
    against = [one.reason.strip() for one in told if not one.holds]
    unread = [one.error for one in replies if one.value is None]
    holds = [one["holds"] for one in found].count(True)
    least, most = holds / len(aspects), (holds + len(unread)) / len(aspects)
    score, pass_at, evidence = (least + most) / 2, run.settings.pass_at, {"aspects": found}
    if len(unread) == len(aspects):
        verdict = Verdict(None, unread[0], "cannot_tell", source="aspects")
    elif least < pass_at <= most and unread:
        why = f"on {len(unread)} of {len(aspects)} aspects no reply could be read ({unread[0]})"
        verdict = Verdict(None, why, "cannot_tell", score, source="aspects", evidence=evidence)
    else:
        reason = "\n".join(filter(None, against))
        verdict = scored(score, pass_at, reason, "aspects", evidence)
    return announced(run, "aspects", verdict) | {"ledger": entries}
