"""Reward-balanced search: good prefixes get more continuations (REBASE, Wu et al. 2024)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import exp, fsum

from agentflow.problem import Problem
from agentflow.search.interfaces import Aggregate, Found, Scorer, Stepper, grown, reward
from agentflow.search.path import Path
from agentflow.search.ranking import Ranking
from agentflow.together import together


async def rebase(
    problem: Problem,
    expander: Stepper,
    scorer: Scorer,
    n: int,
    *place: str | int,
    temperature: float = 0.2,
    aggregate: Aggregate = "mean",
    max_steps: int = 100,
) -> Found:
    """Grow ``n`` trajectories that branch off each other where the rewards are high.

    At every step boundary the prefixes share what is left of ``n``, in proportion to ``exp(R /
    temperature)`` of their reward R so far; one that gets nothing is dropped. Each path that ends
    takes one of the ``n`` with it ("Inference Scaling Laws", Wu et al. 2024, section 3.2). Where
    the paper rounds each share, the largest remainders are rounded up here, so that nothing is lost
    or added.

    Args:
        temperature: The paper's T_b; the lower, the more goes to the best.
        place, aggregate, max_steps: As for :func:`~agentflow.search.best_of_n.best_of_n`.

    Raises:
        ValueError: If ``n`` is less than 1, or ``temperature`` is not above 0.
    """
    if n < 1 or temperature <= 0:
        raise ValueError(f"{n} trajectories at temperature {temperature}: nothing to share")
    ranking = Ranking(problem, scorer, aggregate)
    live, over, widths = [Path()], list[Path](), [n]
    for step in range(max_steps):
        drawn = await together(
            expander.expand(path, width, *place, step, i)
            for i, (path, width) in enumerate(zip(live, widths, strict=True))
        )
        longer = [grown(path, paths) for path, paths in zip(live, drawn, strict=True)]
        over += [path for path, paths in zip(live, longer, strict=True) if not paths]
        scored = await ranking.scored(list(chain.from_iterable(longer)))
        over += [path for path in scored if path.done]
        live = [path for path in scored if not path.done]
        given = balanced([reward(path, aggregate) for path in live], n - len(over), temperature)
        live = [path for path, width in zip(live, given, strict=True) if width]
        widths = [width for width in given if width]
        if not live:
            break
    return ranking.found([*over, *live])


def balanced(rewards: Sequence[float], total: int, temperature: float) -> list[int]:
    """How many of ``total`` each gets, by the softmax of the rewards; of equals the first."""
    if total < 1 or not rewards:
        return [0] * len(rewards)
    most = max(rewards)
    weights = [exp((one - most) / temperature) for one in rewards]
    exact = [total * weight / fsum(weights) for weight in weights]
    given = [int(share) for share in exact]
    rest = sorted(range(len(exact)), key=lambda i: given[i] - exact[i])
    for i in rest[: total - sum(given)]:
        given[i] += 1
    return given
