"""A critic: a score for a whole solution (interwhen, section 5.3; a reward model's, adaptive)."""

from __future__ import annotations

from dataclasses import asdict, replace
from itertools import accumulate
from typing import Any, Self

from pydantic import Field, model_validator

from agentflow.channels import Ruling
from agentflow.models.metered import Ask
from agentflow.models.structured import Number, Reply
from agentflow.nodes.announced import announced
from agentflow.nodes.asking import ask_role_json
from agentflow.nodes.flexive import asked
from agentflow.nodes.judging import Judging
from agentflow.nodes.run import Run, Update, node
from agentflow.nodes.score import reward_scorer
from agentflow.scorers.likelihood import UNKNOWN, Likelihood
from agentflow.search import Aggregate, Path, Ranking, reward
from agentflow.settings import Settings, Share
from agentflow.verdict import Verdict
from agentflow.verifiers import FlexiVe, joined, paragraphs
from agentflow.verifiers.stance import agreeing, stance

_EVEN = 0.5
"""A score that calls a solution neither right nor wrong; a higher one calls it right."""
_SHOWN = 200
"""Letters of a wrong step that are shown."""


class CriticSettings(Settings):
    """Settings of a critic."""

    pass_at: Share = Field(
        default=0.5, description="A solution passes whose score is at least this"
    )


class PRMSettings(CriticSettings):
    """Settings of a reward model as a critic."""

    aggregate: Aggregate = Field(
        default="last", description="How the scores of steps become the solution's"
    )


class FlexCriticSettings(CriticSettings):
    """Settings of FlexiVe as a critic."""

    votes: int = Field(
        default=8, ge=1, le=1024, description="flexive: fast runs over a solution (Flex@8)"
    )
    tau: Share = Field(default=0.8, description="flexive: agreement at which fast runs are enough")


class Criticism(Reply):
    """What a critic says: why, and how likely the solution is right."""

    reason: str
    score: Number = Field(ge=0, le=1)

    @model_validator(mode="after")
    def _with_its_reason(self) -> Self:
        agreeing(stance(self.reason), self.score >= _EVEN)
        return self


@node(CriticSettings, Judging)
async def critic(run: Judging[CriticSettings]) -> Update:
    """Ask a model (role verifier); a reply that cannot be read cannot tell."""
    fields = {"problem": run.problem.text, "solution": joined(run.steps).strip()}
    reply, entries = await ask_role_json(run, ("critic", "critic"), fields, Criticism)
    criticism, evidence = reply.value, {"how": reply.how}
    if criticism is None:
        verdict = Verdict(None, reply.error, "cannot_tell", source="critic", evidence=evidence)
    else:
        verdict = scored(
            criticism.score, run.settings.pass_at, criticism.reason.strip(), "critic", evidence
        )
    return announced(run, "critic", verdict) | {"ledger": entries}


def doubted(step: str) -> str:
    """What a reward model has against a step; it gives no reasons."""
    return f"this is probably wrong: {' '.join(step.split())[:_SHOWN]}"


@node(PRMSettings, Judging)
async def prm(run: Judging[PRMSettings]) -> Update:
    """Ask a reward model (role prm) for the score of every paragraph and numbered step; the
    bundled judge for that of every line.

    The first of them with a score below ``pass_at`` is told as the wrong one.

    Raises:
        BadInput: If the role prm is no reward model.
    """
    settings, scorer = run.settings, await reward_scorer(run, f"{run.branch}/{len(run.operations)}")
    ranking = Ranking(run.problem, scorer, settings.aggregate)
    text = joined(run.steps)
    in_lines = isinstance(scorer.model, Likelihood)
    steps = text.splitlines(keepends=True) if in_lines else paragraphs(text)
    (path,) = await ranking.scored([Path(tuple(steps))])
    value = reward(path, settings.aggregate)
    evidence: dict[str, Any] = {"scores": list(path.scores), "notes": ranking.notes}
    unread = UNKNOWN if in_lines else None  # what the judge's context does not hold
    lows = (at for at, one in enumerate(path.scores) if one < settings.pass_at and one != unread)
    low = next(lows, None)
    reason, first = "", None
    if low is not None and value < settings.pass_at:
        end = len("".join(steps[: low + 1]))
        ends = accumulate(map(len, run.steps))
        first = next((at for at, one in enumerate(ends) if end <= one), None)
        evidence |= {"start": end - len(steps[low]), "end": end}
        reason = doubted(steps[low])
    verdict = scored(value, settings.pass_at, reason, scorer.name, evidence)
    if low is None and unread in path.scores:
        why = "the solution is longer than what the judge can read"
        verdict = Verdict(None, why, "cannot_tell", value, source=scorer.name, evidence=evidence)
    verdict = replace(verdict, first_wrong_step=first)
    run.spent(scorer.entries)
    return announced(run, "prm", verdict) | {"ledger": scorer.entries}


@node(FlexCriticSettings, Judging)
async def flexive_critic(run: Judging[FlexCriticSettings]) -> Update:
    """Ask FlexiVe (role verifier); the score is the share of the deciding runs that passed the
    solution (Solve-Detect-Verify, section 4.4: FlexiVe as a ranker of best-of-n)."""
    settings, place = run.settings, (run.branch, len(run.operations))

    async def judged(ask: Ask) -> Verdict:
        verifier = FlexiVe(ask, "flex", settings.votes, settings.tau, seed=settings.seed)
        return await verifier.verify(run.problem, run.steps, *place)

    return await asked(run, "flexive", "/flexive", judged)


@node(Settings)
async def uncriticised(run: Run[Settings]) -> Update:
    """Nobody is asked: of the solution nothing is known."""
    verdict = Verdict(None, "no critic was asked", "cannot_tell", source="none")
    return {"verdict": asdict(Ruling(**asdict(verdict), verifier="none"))}


def scored(
    score: float, pass_at: float, reason: str, source: str, evidence: dict[str, Any]
) -> Verdict:
    """The verdict that a score comes to: a solution passes whose score is at least ``pass_at``."""
    if score >= pass_at:
        return Verdict(True, reason, score=score, source=source, evidence=evidence)
    reason = reason or f"its score of {score:.2f} is below {pass_at:.2f}"
    return Verdict(False, reason, "low_score", score, source=source, evidence=evidence)
