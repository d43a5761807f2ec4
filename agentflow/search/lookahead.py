"""Lookahead search: each step is chosen by what it leads to (adaptive compute, section 2)."""

from __future__ import annotations

from dataclasses import replace

from agentflow.problem import Problem
from agentflow.search.interfaces import Aggregate, Expander, Found, Scorer, grown, reward
from agentflow.search.path import Path
from agentflow.search.ranking import Ranking
from agentflow.together import together


async def lookahead(
    problem: Problem,
    expander: Expander,
    scorer: Scorer,
    depth: int,
    *place: str | int,
    candidates: int = 4,
    aggregate: Aggregate = "mean",
    max_steps: int = 100,
) -> Found:
    """Commit one step at a time, chosen among candidates by roll-outs that are then discarded.

    A candidate's worth is the reward of its roll-out alone, the candidate's own step included and
    the steps committed before it not.

    Args:
        depth: Steps of a roll-out behind its candidate.
        candidates: Next steps that are tried (the text names no number).
        place, aggregate, max_steps: As for :func:`~agentflow.search.best_of_n.best_of_n`.

    Raises:
        ValueError: If ``depth`` is negative, or there are no candidates.
    """
    if depth < 0 or candidates < 1:
        raise ValueError(f"{candidates} candidates of depth {depth}: 1 and 0 are the least")
    ranking, path = Ranking(problem, scorer), Path()

    async def rolled(i: int, one: Path, step: int) -> Path:
        if one.done or depth == 0:
            return one
        return await expander.finish(one, *place, step, "rollout", i, steps=depth)

    for step in range(max_steps):
        tried = grown(path, await expander.expand(path, candidates, *place, step))
        if not tried:
            break
        rollouts = await together(rolled(i, one, step) for i, one in enumerate(tried))
        scored = await ranking.scored(rollouts)
        worth = [_worth(rollout, len(path.steps), aggregate) for rollout in scored]
        chosen = worth.index(max(worth))
        path = replace(tried[chosen], scores=scored[chosen].scores[: len(tried[chosen].steps)])
        if path.done:
            break
    return ranking.found([path])


def _worth(rollout: Path, committed: int, aggregate: Aggregate) -> float:
    """The reward of what stands behind the committed steps; where that is nothing (the model ended
    there), the reward so far."""
    return reward(replace(rollout, scores=rollout.scores[committed:] or rollout.scores), aggregate)
