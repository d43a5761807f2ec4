"""Speculative rejection: what begins badly is given up on the way (Sun et al. 2024)."""

from __future__ import annotations

from itertools import chain
from math import floor

from agentflow.problem import Problem
from agentflow.search.interfaces import Aggregate, Found, Scorer, Stepper, grown
from agentflow.search.path import Path
from agentflow.search.ranking import Ranking
from agentflow.together import together


async def rejection(
    problem: Problem,
    expander: Stepper,
    scorer: Scorer,
    n: int,
    *place: str | int,
    share: float = 0.5,
    every: int = 4,
    aggregate: Aggregate = "mean",
    max_steps: int = 100,
) -> Found:
    """Begin ``n`` trajectories, and give up those of the lowest rewards as they grow.

    That is a best of ``n`` that does not finish what promises little ("Fast Best-of-N Decoding via
    Speculative Rejection", Sun et al. 2024, section 4). The paper scores what there is when the
    GPU's memory is full; here that is every so many steps. At least one that is under way is kept,
    and those that have ended stay candidates.

    Args:
        share: Part of those under way that is given up each time, from 0 to below 1 (the paper's
            alpha).
        every: After how many steps.
        place, aggregate, max_steps: As for :func:`~agentflow.search.best_of_n.best_of_n`.

    Raises:
        ValueError: If ``n`` or ``every`` is less than 1, or ``share`` not in [0, 1).
    """
    if n < 1 or every < 1 or not 0 <= share < 1:
        raise ValueError(f"n={n} and every={every} must be 1 or more, share={share} in [0, 1)")
    ranking = Ranking(problem, scorer, aggregate)
    live, over, width = [Path()], list[Path](), n
    for step in range(max_steps):
        drawn = await together(
            expander.expand(path, width, *place, step, i) for i, path in enumerate(live)
        )
        longer = [grown(path, paths) for path, paths in zip(live, drawn, strict=True)]
        over += [path for path, paths in zip(live, longer, strict=True) if not paths]
        found, width = list(chain.from_iterable(longer)), 1
        over += [path for path in found if path.done]
        live = [path for path in found if not path.done]
        if not live:
            break
        if (step + 1) % every == 0:
            gone = min(floor(len(live) * share + 1e-9), len(live) - 1)
            live = ranking.top(await ranking.scored(live), len(live) - gone)
    return ranking.found(await ranking.scored([*over, *live]))
