"""Score: what a trajectory is worth, what an iteration came to, and which one is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from langgraph.runtime import Runtime
from pydantic import Field

from agentflow.errors import BadInput
from agentflow.ledger import Entries
from agentflow.models import RewardModel
from agentflow.nodes.context import (
    budget_of,
    domain_of,
    emitter,
    metered,
    model_of,
    problem_of,
    settings_of,
)
from agentflow.nodes.finish import UNFINISHED, answer_of, unfinished
from agentflow.nodes.iteration import Iteration, cut_short
from agentflow.nodes.last_word import Outcome, last_word
from agentflow.nodes.tool_log import ToolLog
from agentflow.run import RunState, Status
from agentflow.scorers import PRMScorer, PromptedScorer, RuleScorer
from agentflow.search import Aggregate, Path, Ranking, Scorer, reward
from agentflow.settings import Settings

_UNSURE = 0.5
"""A score that says neither right nor wrong (paper 001, appendix B.6)."""


class ScorerSettings(Settings):
    """Who scores steps, and how a path is worth what its steps are."""

    scorer: Literal["rules", "prompted", "prm"] = Field(
        default="rules",
        description="Who scores steps: rules, the domain's step verifier; prompted, a model that "
        "is asked (role prm); prm, a reward model (role prm: reward:URL), as in the paper",
    )
    hopeless: bool = Field(
        default=False,
        description="rules: a right step from which no answer can be reached is wrong, too",
    )
    unread: float = Field(
        default=_UNSURE,
        ge=0,
        le=1,
        description="rules: score of a step in which the domain finds nothing to judge. With 1 "
        "only what is refuted costs anything (the mean else prefers whoever puts the answer off); "
        "but then nothing is accepted, since nobody needs to have judged anything",
    )
    aggregate: Aggregate = Field(
        default="mean", description="How the scores of steps become a trajectory's reward R"
    )


class ScoreSettings(ScorerSettings):
    """How trajectories are scored, and chosen by that."""

    select_by: Literal["prm", "first"] = Field(
        default="prm",
        description="Whose answer is given: that of the iteration with the highest R, or the first",
    )
    accept: float = Field(
        default=_UNSURE,
        ge=0,
        le=1,
        description="An answer is accepted where no step scores below this and R is above 0.5; "
        "else it is unverified",
    )


async def scorer_of(
    settings: ScorerSettings, place: str, emit: Callable[[dict[str, Any]], None]
) -> tuple[Scorer, Callable[[], Entries]]:
    """The scorer that the settings name, and what it has cost so far.

    Raises:
        BadInput: If it is to be a reward model and the role prm is none.
        ModelUnavailable: If its server does not answer.
    """
    if settings.scorer == "rules":
        tools = ToolLog(f"prm/{place}", emit)
        domain = await domain_of(settings, tools)
        return RuleScorer(
            domain, settings.hopeless, settings.unread, settings.judge_answers
        ), lambda: tools.entries
    if settings.scorer == "prompted":
        meter = await metered({}, settings, "prm", "prm", place)
        return PromptedScorer(meter, settings.seed), lambda: meter.entries
    scorer = await reward_scorer(settings, place)
    return scorer, lambda: scorer.entries


async def reward_scorer(settings: Settings, place: str) -> PRMScorer:
    """The reward model of the role prm.

    Raises:
        BadInput: If that is none.
        ModelUnavailable: If its server does not answer.
    """
    model = await model_of(settings, "prm")
    if not isinstance(model, RewardModel):
        raise BadInput(
            f"scores by prm need a reward model, and {model.name} is none; name one as the role "
            "prm (roles.prm = reward:http://localhost:8000/v1), or have others score"
        )
    return PRMScorer(model, place, budget=budget_of(settings))


async def score(state: Iteration, runtime: Runtime[Any]) -> dict[str, Any]:
    """Score the whole trajectory: the restated problem, the reasoning, what the tools behind it
    said. No scorer knows which tool wrote a step."""
    settings, problem = settings_of(runtime, ScoreSettings), problem_of(state)
    emit, place = emitter(state, runtime), f"{state.get('branch', 0)}/score"
    scorer, cost = await scorer_of(settings, place, emit)
    ranking = Ranking(problem, scorer, settings.aggregate)
    first, known = tuple(filter(None, [state.get("reframed")])), tuple(state.get("scores", ()))
    (lead,) = await ranking.scored([Path(first)])
    whole = Path((*first, *state["steps"]), (*lead.scores, *known))
    (path,) = await ranking.scored([whole])
    value = reward(path, settings.aggregate)
    emit({"type": "usage", "entries": cost()})
    emit({"type": "score", "reward": value, "scores": list(path.scores), "source": scorer.name})
    return {
        "steps": list(path.steps),
        "scores": list(path.scores),
        "reward": value,
        "scorer": scorer.name,
        "notes": [*state.get("notes", []), *ranking.notes],
        "ledger": cost(),
    }


def accepts(scores: Sequence[float], value: float, threshold: float) -> bool:
    """Whether scores speak for a trajectory: no step below the threshold, R above 0.5.

    So nothing is accepted of which all that can be said is that nobody can tell.
    """
    return bool(scores) and min(scores) >= threshold and value > _UNSURE


def _tells(settings: ScoreSettings) -> bool:
    """Whether a high score says that somebody judged."""
    return settings.scorer != "rules" or settings.unread <= _UNSURE


async def settle_iteration(state: Iteration, runtime: Runtime[Any]) -> dict[str, Any]:
    """What this iteration came to, as one entry of ``samples``.

    An answer that is another than the one the domain reads in the trajectory is not accepted:
    scores speak for the trajectory. Nor is one that was read off an unfinished trajectory.
    """
    settings, leg = settings_of(runtime, ScoreSettings), state["leg"]
    domain = await domain_of(settings)
    said, value = answer_of(state, domain), state.get("reward")
    answer = state.get("answer")
    if answer is not None and not domain.is_answer(problem_of(state), answer):
        answer = None if cut_short(state) else said
    status: Status = "unverified"
    reason = ""
    if cut_short(state) and answer is not None:
        reason = f"{leg['limit']}; the answer was read off what there is"
    elif leg["ended"] != "stop" or answer is None:
        status = "exhausted"
        reason = unfinished(leg) if leg["ended"] in UNFINISHED else "no answer found"
    elif value is not None:
        reason = f"R = {value:.3f} by {state['scorer']}"
        if said and not await domain.equal(problem_of(state), said, answer):
            reason += f"; the trajectory says {said}"
        elif _tells(settings) and accepts(state["scores"], value, settings.accept):
            status = "accepted"
    shown = ("plan", "tools", "compute", "how", "scores", "reward", "notes")
    sample = {
        "branch": state.get("branch", 0),
        "answer": answer if status != "exhausted" else None,
        "status": status,
        "reason": reason,
        "candidate": (answer or said) if status == "exhausted" else None,
        "error": leg["error"],
        "corrections": 0,
        "judged": [],
        "operations": state["operations"],
        "steps": state.get("steps", []),
    }
    return {"samples": [sample | {name: state.get(name) for name in shown}]}


async def select_iteration(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Set ``result``: the answer of the iteration with the highest R, or of the first one.

    Iterations without an answer are passed over. Of equals the one with the smallest number is
    taken, whichever came in first (paper 001, equation 2).
    """
    settings = settings_of(runtime, ScoreSettings)
    samples = sorted(state["samples"], key=lambda sample: sample["branch"])
    answered = [one for one in samples if one["answer"] is not None]
    known = [one for one in samples if one["candidate"] is not None]
    pool = answered or known or samples
    chosen = pool[0] if settings.select_by == "first" else max(pool, key=_worth)
    reason = chosen["reason"]
    if len(samples) > 1:
        which = f"iteration {chosen['branch'] + 1} of {len(samples)}"
        reason = ": ".join(filter(None, [which, reason]))
    outcome = Outcome(
        chosen["answer"], chosen["status"], reason, chosen["candidate"], chosen["error"]
    )
    update = await last_word(state, runtime, outcome)
    return {"operations": chosen["operations"][1:]} | update


def _worth(sample: dict[str, Any]) -> float:
    return -1.0 if sample["reward"] is None else float(sample["reward"])
