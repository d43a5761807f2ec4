"""Best-of-n: whole trajectories, the one of the highest reward (adaptive compute, section 2)."""

from __future__ import annotations

from agentflow.problem import Problem
from agentflow.search.interfaces import Aggregate, Expander, Found, Scorer
from agentflow.search.path import Path
from agentflow.search.ranking import Ranking
from agentflow.together import together


async def best_of_n(
    problem: Problem,
    expander: Expander,
    scorer: Scorer,
    n: int,
    *place: str | int,
    aggregate: Aggregate = "mean",
    max_steps: int = 100,
) -> Found:
    """Finish ``n`` independent trajectories at once and choose one.

    Args:
        place: Where in the run; it takes part in the seeds of requests.
        aggregate: How scores of steps become a trajectory's reward.
        max_steps: Most steps of each.

    Raises:
        ValueError: If ``n`` is less than 1.
    """
    if n < 1:
        raise ValueError(f"best of {n}: at least one trajectory is needed")
    ranking = Ranking(problem, scorer, aggregate)
    whole = await together(expander.finish(Path(), *place, i, steps=max_steps) for i in range(n))
    return ranking.found(await ranking.scored(whole))
