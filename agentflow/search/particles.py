"""Particle filtering: prefixes are drawn anew by their rewards, by chance (Puri et al. 2025)."""

from __future__ import annotations

from random import Random

from agentflow.problem import Problem
from agentflow.search.interfaces import Aggregate, Found, Scorer, Stepper, grown, reward
from agentflow.search.path import Path
from agentflow.search.ranking import Ranking
from agentflow.settings import request_seed
from agentflow.together import together

EVEN = 1e-6
"""How near to 0 and 1 a reward may come: its odds stay finite."""


async def particles(
    problem: Problem,
    expander: Stepper,
    scorer: Scorer,
    n: int,
    *place: str | int,
    seed: int = 0,
    aggregate: Aggregate = "mean",
    max_steps: int = 100,
) -> Found:
    """Grow ``n`` particles step by step; at every boundary draw ``n`` of them, with replacement.

    A particle of reward R is drawn in proportion to R / (1 - R), which is the softmax of the
    rewards' log-odds. So a prefix that scores badly has a chance, where a beam drops it: a reward
    model that errs does less harm. One that has ended is drawn, too, but grows no more; where it is
    not drawn, it is remembered for the final choice ("A Probabilistic Inference Approach to
    Inference-Time Scaling of LLMs using Particle-Based Monte Carlo Methods", Puri et al. 2025,
    algorithm 1).

    Args:
        seed: Takes part in the draws, with the problem and the place.
        place, aggregate, max_steps: As for :func:`~agentflow.search.best_of_n.best_of_n`.

    Raises:
        ValueError: If ``n`` is less than 1.
    """
    if n < 1:
        raise ValueError(f"{n} particles: at least one is needed")
    ranking = Ranking(problem, scorer, aggregate)
    cloud, over = [Path()] * n, dict[tuple[str, ...], Path]()
    for step in range(max_steps):
        before = cloud

        async def moved(i: int, path: Path, step: int = step) -> Path:
            return path if path.done else (await expander.expand(path, 1, *place, step, i))[0]

        cloud = await ranking.scored(
            await together(moved(i, path) for i, path in enumerate(before))
        )
        over |= {path.steps: path for path in cloud if path.done}
        able = [one for was, path in zip(before, cloud, strict=True) for one in grown(was, [path])]
        if all(path.done for path in able):  # the others' budget is spent
            break
        chance = Random(request_seed(seed, problem.id, "particles", *place, step))
        cloud = chance.choices(able, [_odds(reward(path, aggregate)) for path in able], k=n)
    return ranking.found([*over.values(), *(path for path in cloud if not path.done)])


def _odds(worth: float) -> float:
    within = min(max(worth, EVEN), 1 - EVEN)
    return within / (1 - within)
