"""Momentum of uncertainty: only a step that is less sure than those before is drawn again (MUR)."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from agentflow.models.model import Token
from agentflow.problem import Problem
from agentflow.search.interfaces import Aggregate, Found, Scorer, Stepper, grown
from agentflow.search.path import Path
from agentflow.search.ranking import Ranking


async def momentum(
    problem: Problem,
    expander: Stepper,
    scorer: Scorer,
    n: int,
    *place: str | int,
    inertia: float = 0.9,
    gamma: float = 0.9,
    aggregate: Aggregate = "mean",
    max_steps: int = 100,
) -> Found:
    """Grow one trajectory; where a step stands out as unsure, take the best of ``n`` in its place.

    How unsure a step is, is the mean negative log-probability u of its tokens. It stands out where
    exp(u) is above exp(m) / ``gamma``; m is the momentum, which goes on as inertia * m +
    (1 - inertia) * u, and begins with the first step's u ("MUR: Momentum Uncertainty guided
    Reasoning for Large Language Models", Yan et al. 2025, section 3). Of a model that tells no
    log-probabilities no step is drawn again.

    Args:
        expander: Measures :func:`unsureness`.
        n: Candidates for a step that stands out, the first one among them.
        inertia: How slowly the momentum changes, from 0 to below 1 (the paper's alpha).
        gamma: From above 0 to 1: the lower, the fewer steps are drawn again.
        place, aggregate, max_steps: As for :func:`~agentflow.search.best_of_n.best_of_n`.

    Raises:
        ValueError: If a number is out of these bounds.
    """
    if n < 1 or not 0 <= inertia < 1 or not 0 < gamma <= 1:
        given = f"n={n}, inertia={inertia}, gamma={gamma}"
        raise ValueError(f"{given}: n must be 1 or more, inertia in [0, 1), gamma in (0, 1]")
    ranking, path = Ranking(problem, scorer, aggregate), Path()
    usual: float | None = None
    for step in range(max_steps):
        drawn = grown(path, await expander.expand(path, 1, *place, step, 0))
        if not drawn:
            break
        unsure = _last(drawn[0])
        if usual is not None and unsure is not None and unsure > usual - log(gamma):
            more = await expander.expand(path, n - 1, *place, step, 1)
            drawn = ranking.top(await ranking.scored([*drawn, *grown(path, more)]), 1)
        path = drawn[0]
        if (unsure := _last(path)) is not None:
            usual = unsure if usual is None else inertia * usual + (1 - inertia) * unsure
        if path.done:
            break
    return ranking.found(await ranking.scored([path]))


def _last(path: Path) -> float | None:
    """How unsure its last step is."""
    return path.measured[-1] if path.measured else None


def unsureness(tokens: Sequence[Token]) -> float | None:
    """Mean negative log-probability of a step's tokens, in nats; None where none have one."""
    told = [-one.logprob for one in tokens if one.logprob is not None]
    return sum(told) / len(told) if told else None
