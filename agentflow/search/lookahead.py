"""Lookahead search: each step is chosen by what it leads to (adaptive compute, section 2)."""

from __future__ import annotations

from dataclasses import replace

from agentflow.problem import Problem
from agentflow.search.interfaces import (
    Aggregate,
    Expander,
    Found,
    Scorer,
    grown,
    reward,
    shares,
    ways,
)
from agentflow.search.path import Path
from agentflow.search.ranking import Ranking
from agentflow.together import together


async def lookahead(
    problem: Problem,
    expander: Expander,
    scorer: Scorer,
    depth: int,
    *place: str | int,
    candidates: int | None = None,
    aggregate: Aggregate = "mean",
    max_steps: int = 100,
) -> Found:
    """Commit one step at a time, chosen among candidates by roll-outs that are then discarded.

    A candidate's worth is the reward of its roll-out alone, the candidate's own step included and
    the steps committed before it not.

    By default candidates and depth share the parameter: ``depth`` steps are generated for each that
    is committed, by as many roll-outs as each has steps, so that lookahead costs what ``depth``
    trajectories cost (adaptive compute, tables 5 and 6; the text calls the parameter the depth and
    names no number of candidates, and with two or more of that depth it would cost a multiple).

    Args:
        depth: Steps that are generated for each that is committed; with ``candidates`` the steps of
            a roll-out behind its candidate.
        candidates: Next steps that are tried, each as deep.
        place, aggregate, max_steps: As for :func:`~agentflow.search.best_of_n.best_of_n`.

    Raises:
        ValueError: If ``depth`` is less than 1, with ``candidates`` less than 0; or there are no
            candidates.
    """
    if depth < (candidates is None) or (candidates is not None and candidates < 1):
        raise ValueError(f"{candidates} candidates of depth {depth}: too few")
    depths = [depth] * (candidates or 0) or [n - 1 for n in shares(depth, ways(depth))]
    ranking, path = Ranking(problem, scorer), Path()

    async def rolled(i: int, one: Path, step: int) -> Path:
        if one.done or depths[i] == 0:
            return one
        return await expander.finish(one, *place, step, "rollout", i, steps=depths[i])

    for step in range(max_steps):
        tried = grown(path, await expander.expand(path, len(depths), *place, step))
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
