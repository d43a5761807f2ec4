"""Aspects of a solution, each judged by itself (multi-agent verification, Lifshitz et al. 2025)."""

from __future__ import annotations

from pydantic import Field

from agentflow.ledger import Entries
from agentflow.models.structured import Flag, Parsed, Reply
from agentflow.nodes.announced import announced
from agentflow.nodes.asking import ask_role_json, asked_together
from agentflow.nodes.critic import CriticSettings, scored
from agentflow.nodes.judging import Judging
from agentflow.nodes.run import Update, node
from agentflow.verdict import Verdict
from agentflow.verifiers import joined

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


@node(AspectSettings, Judging)
async def aspect_critic(run: Judging[AspectSettings]) -> Update:
    """Ask a model (role verifier) about each aspect; the score is the share of those that hold.

    A reply that cannot be read counts neither way; where more of them cannot than can, nothing is
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
    if 2 * len(told) < len(replies):
        why = next(one.error for one in replies if not one.value)
        verdict = Verdict(None, why, "cannot_tell", source="aspects", evidence={"aspects": found})
    else:
        against = [one.reason.strip() for one in told if not one.holds]
        score = 1 - len(against) / len(told)
        reason, evidence = "\n".join(filter(None, against)), {"aspects": found}
        verdict = scored(score, run.settings.pass_at, reason, "aspects", evidence)
    return announced(run, "aspects", verdict) | {"ledger": entries}
