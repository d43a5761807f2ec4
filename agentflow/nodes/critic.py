"""A critic: a score for a whole solution (paper 000, section 5.3; a reward model's, paper 001)."""

from __future__ import annotations

from functools import partial
from typing import Any

from langgraph.runtime import Runtime
from pydantic import Field

from agentflow.models.structured import Number, Reply, parse
from agentflow.nodes.asking import ask_role
from agentflow.nodes.context import emitter, problem_of, settings_of
from agentflow.nodes.flexive import told
from agentflow.nodes.judging import JudgingState
from agentflow.nodes.score import reward_scorer
from agentflow.search import Aggregate, Path, Ranking, reward
from agentflow.settings import Settings
from agentflow.verdict import Verdict
from agentflow.verifiers import joined


class CriticSettings(Settings):
    """Settings of a critic."""

    pass_at: float = Field(
        default=0.5, ge=0, le=1, description="A solution passes whose score is at least this"
    )


class PRMSettings(CriticSettings):
    """Settings of a reward model as a critic."""

    aggregate: Aggregate = Field(
        default="last", description="How the scores of steps become the solution's"
    )


class Criticism(Reply):
    """What a critic says: why, and how likely the solution is right."""

    reason: str
    score: Number = Field(ge=0, le=1)


async def critic(state: JudgingState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Ask a model (role verifier); a reply that cannot be read cannot tell."""
    settings = settings_of(runtime, CriticSettings)
    fields = {"problem": problem_of(state).text, "solution": joined(state["steps"]).strip()}
    asked, entries = await ask_role(
        state,
        runtime,
        ("critic", "critic"),
        fields,
        partial(parse, Criticism),
        None,
        counted_as="judge",
        schema=Criticism.model_json_schema(),
    )
    said, evidence = asked.value, {"how": asked.how}
    if said is None:
        verdict = Verdict(None, asked.error, "cannot_tell", source="critic", evidence=evidence)
    else:
        verdict = _verdict(said.score, settings.pass_at, said.reason.strip(), "critic", evidence)
    return told(emitter(state, runtime), "critic", verdict) | {"ledger": entries}


async def prm(state: JudgingState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Ask a reward model (role prm) for the score of every step.

    Raises:
        BadInput: If the role prm is no reward model.
    """
    settings = settings_of(runtime, PRMSettings)
    scorer = await reward_scorer(settings, f"{state.get('branch', 0)}/prm")
    ranking = Ranking(problem_of(state), scorer, settings.aggregate)
    (path,) = await ranking.scored([Path(tuple(state["steps"]))])
    evidence = {"scores": list(path.scores), "notes": ranking.notes}
    value = reward(path, settings.aggregate)
    verdict = _verdict(value, settings.pass_at, "", scorer.name, evidence)
    emit = emitter(state, runtime)
    emit({"type": "usage", "entries": scorer.entries})
    return told(emit, "prm", verdict) | {"ledger": scorer.entries}


def _verdict(
    score: float, pass_at: float, reason: str, source: str, evidence: dict[str, Any]
) -> Verdict:
    if score >= pass_at:
        return Verdict(True, reason, score=score, source=source, evidence=evidence)
    reason = reason or f"its score of {score:.2f} is below {pass_at:.2f}"
    return Verdict(False, reason, "low_score", score, source=source, evidence=evidence)
