"""Diverse verifier tree search: greedy searches that never compete (Beeching et al. 2024)."""

from __future__ import annotations

from itertools import chain
from math import isqrt

from agentflow.problem import Problem
from agentflow.search.interfaces import Aggregate, Found, Scorer, Stepper, grown, shares
from agentflow.search.path import Path
from agentflow.search.ranking import Ranking
from agentflow.together import together


async def dvts(
    problem: Problem,
    expander: Stepper,
    scorer: Scorer,
    n: int,
    *place: str | int,
    each: int | None = None,
    aggregate: Aggregate = "mean",
    max_steps: int = 100,
) -> Found:
    """Grow independent trees side by side, each along the best of its candidates.

    A beam may come to hold one idea in many wordings. Here a tree's candidates are compared with
    each other only, so that as many ideas stay as there are trees ("Scaling test-time compute with
    open models", Beeching, Tunstall and Rush 2024: N / M trees of M candidates). Trees and their
    candidates share ``n`` evenly by default, so that the search costs what ``n`` trajectories cost;
    a tree has at least two candidates where ``n`` is two or more. What has ended is remembered for
    the final choice, also where a tree went on along another candidate.

    Args:
        each: Candidates behind each tree's path; there are then ``n // each`` trees, at least one.
        place, aggregate, max_steps: As for :func:`~agentflow.search.best_of_n.best_of_n`.

    Raises:
        ValueError: If ``n`` or ``each`` is less than 1.
    """
    if n < 1 or (each is not None and each < 1):
        raise ValueError(f"trees of {n} candidates, {each} each: at least one is needed")
    widths = [each] * max(1, n // each) if each else shares(n, isqrt(n))
    ranking = Ranking(problem, scorer, aggregate)
    trees, live = [Path() for _ in widths], list(range(len(widths)))
    over = dict[tuple[str, ...], Path]()
    for step in range(max_steps):
        drawn = await together(expander.expand(trees[i], widths[i], *place, step, i) for i in live)
        longer = {i: grown(trees[i], paths) for i, paths in zip(live, drawn, strict=True)}
        scored = await ranking.scored(list(chain.from_iterable(longer.values())))
        over |= {path.steps: path for path in scored if path.done}
        left = iter(scored)
        for i, paths in longer.items():
            trees[i] = next(iter(ranking.top([next(left) for _ in paths], 1)), trees[i])
        live = [i for i, paths in longer.items() if paths and not trees[i].done]
        if not live:
            break
    return ranking.found([*over.values(), *(path for path in trees if not path.done)])
