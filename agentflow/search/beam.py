"""Beam search over steps (adaptive compute, section 2)."""

from __future__ import annotations

from itertools import chain

from agentflow.problem import Problem
from agentflow.search.interfaces import (
    Aggregate,
    Found,
    Scorer,
    Stepper,
    grown,
    shares,
    ways,
)
from agentflow.search.path import Path
from agentflow.search.ranking import Ranking
from agentflow.together import together


async def beam(
    problem: Problem,
    expander: Stepper,
    scorer: Scorer,
    k: int,
    *place: str | int,
    each: int | None = None,
    aggregate: Aggregate = "mean",
    max_steps: int = 100,
) -> Found:
    """Grow candidates step by step, keep the best prefixes among them, and go on from these.

    By default there are ``k`` candidates in all at each step boundary: the kept prefixes, of which
    there are as many as each has candidates, share them evenly, the best first. So a beam costs
    what ``k`` trajectories cost (adaptive compute, tables 5 and 6). Prefixes are pruned by their
    reward so far, and only once all of them stand at the same step boundary: no step is cut off for
    another's sake. A path that has ended keeps its place as long as its reward does, and is
    remembered for the final choice where it does not, so that an answer once found is never lost. A
    beam is a set: of prefixes that say the same one is kept. The search ends when the whole beam
    has ended or can go on no more, or after ``max_steps`` steps.

    Args:
        each: Candidates behind each prefix, of which ``k`` are then kept.
        place, aggregate, max_steps: As for :func:`~agentflow.search.best_of_n.best_of_n`.

    Raises:
        ValueError: If ``k`` or ``each`` is less than 1.
    """
    if k < 1 or (each is not None and each < 1):
        raise ValueError(f"a beam of {k} with {each} candidates each: at least one is needed")
    width = k if each else -(-k // ways(k))
    ranking = Ranking(problem, scorer, aggregate)
    kept, over = [Path()], list[Path]()  # over: what has ended, or can go on no more
    for step in range(max_steps):
        counts = [each] * len(kept) if each else shares(k, len(kept))
        live = [(path, n) for path, n in zip(kept, counts, strict=True) if path not in over]
        if not live:
            break
        expanded = await together(
            expander.expand(path, n, *place, step, i) for i, (path, n) in enumerate(live)
        )
        longer = [grown(path, paths) for (path, _), paths in zip(live, expanded, strict=True)]
        over += [path for (path, _), paths in zip(live, longer, strict=True) if not paths]
        distinct = dict[tuple[tuple[str, ...], bool], Path]()
        for path in chain.from_iterable(longer):
            distinct.setdefault((path.steps, path.done), path)
        scored = await ranking.scored(list(distinct.values()))
        over += [path for path in scored if path.done]
        kept = ranking.top([*over, *(path for path in scored if not path.done)], width)
    return ranking.found([*over, *(path for path in kept if path not in over)])
