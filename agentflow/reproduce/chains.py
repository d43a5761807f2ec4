"""What rules come to on recorded chains, metric by metric, without the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from agentflow.evaluation import families
from agentflow.evaluation.families import Family
from agentflow.evaluation.intervals import Interval, bootstrap, ratio, unsure
from agentflow.evaluation.replay import Replay
from agentflow.monitors.rules import Average

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_RESAMPLES = 200
_NOISE = 1e-9

FAMILIES: dict[str, Callable[..., Family]] = {
    "entropy": lambda min_checks=0, **average: families.entropy_variance(
        Average(**average), min_checks
    ),
    "entropy level": lambda min_checks=0, **average: families.entropy_level(
        Average(**average), min_checks
    ),
    "confidence": families.confidence,
    "confidence variance": lambda **average: families.confidence_variance(Average(**average)),
    "unique answers": lambda k, every=1: families.spaced(families.unique_answers(k), every),
    "k-stable": families.k_stable,
    "budget": families.budget,
    "left alone": lambda: Family("left alone", lambda checks: [np.inf for _ in checks], (0.0,)),
}
"""Families of rules by the names that manifests have, with their settings."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A family at one threshold on chains, or at all of them.

    Attributes:
        right, tokens: Of each chain (rows) at each threshold (columns).
        left: (right, tokens) of the chains left alone.
        stopped: Whether it was stopped, or how often.
        probes: Tokens that the probes generated.
        column: The threshold that was chosen.
        groups: The rows of each problem's chains.
    """

    right: Floats
    tokens: Floats
    left: tuple[Floats, Floats]
    stopped: Floats
    probes: Floats
    column: int
    groups: list[list[int]]


def family_of(method: str, settings: Mapping[str, Any]) -> tuple[Family, float | str | None]:
    """The family with its grid, and the threshold that is wanted: one of it, ``matched`` (the one
    that saves most at no less accuracy), or None for all.

    Raises:
        KeyError, TypeError: If there is no such family, or it has no such setting.
    """
    given = dict(settings)
    grid, wanted = given.pop("thresholds", None), given.pop("threshold", None)
    family = FAMILIES[method](**given)
    if isinstance(wanted, int | float):
        grid = [wanted]
    if grid is not None:
        family = replace(family, thresholds=tuple(_inner(family, one) for one in grid))
    return family, wanted


def _inner(family: Family, shown: float) -> float:
    """The threshold of a statistic from that of the rule's setting."""
    at_zero, at_one = family.shown(0.0), family.shown(1.0)
    return (shown - at_zero) / (at_one - at_zero)


def chosen(replayed: Replay, method: str, settings: Mapping[str, Any]) -> Chosen:
    """A rule on recorded chains."""
    family, wanted = family_of(method, settings)
    outcome = replayed.outcome(family)
    right, tokens, probes = outcome.right, outcome.tokens, outcome.probes
    left, stopped = (replayed.right[:, -1], replayed.tokens[:, -1]), outcome.stopped
    column = 0
    if wanted == "matched":
        able = right.mean(axis=0) >= left[0].mean() - _NOISE
        if not able.any():  # no threshold keeps the accuracy: the chains are left alone
            right, tokens = (
                np.column_stack([one, whole])
                for one, whole in zip((right, tokens), left, strict=True)
            )
            stopped = np.column_stack([stopped, np.zeros(len(stopped))])
            probes = np.column_stack([probes, np.zeros(len(probes))])
            able = np.append(able, True)
        column = int(np.argmin(np.where(able, tokens.mean(axis=0), np.inf)))
    return Chosen(right, tokens, left, stopped, probes, column, replayed.by_problem())


def measured(metric: str, one: Chosen) -> Interval | None:
    """A metric with its 95 % interval; whole problems are resampled.

    Raises:
        KeyError: If there is no such metric.
    """
    return METRICS[metric](one)


def _at(values: Callable[[Chosen], Floats], share: bool = False) -> Callable[[Chosen], Interval]:
    """The mean at the chosen threshold."""

    def measure(one: Chosen) -> Interval:
        column = values(one)
        sums = [float(column[rows].sum()) for rows in one.groups]
        found = bootstrap(ratio, sums, [len(rows) for rows in one.groups], paired=True)
        return unsure(found, len(one.groups)) if share else found

    return measure


def _of_base(values: Callable[[Chosen], Floats], saved: bool) -> Callable[[Chosen], Interval]:
    """Tokens at the chosen threshold over those of the chains left alone, or what that saves."""

    def found(one: Chosen) -> Interval:
        spent, whole = (
            [float(column[rows].sum()) for rows in one.groups]
            for column in (values(one), one.left[1])
        )
        share = bootstrap(ratio, spent, whole, paired=True)
        if not saved:
            return share
        return Interval(1 - share.value, 1 - share.high, 1 - share.low)

    return found


def _area(one: Chosen) -> Interval:
    """Under accuracy against tokens, over all thresholds: the mean accuracy from the fewest to the
    chains' own tokens (EAT, section 5.2)."""
    high = float(one.left[1].mean())
    grid = np.linspace(min(float(one.tokens.mean(axis=0).min()), high), high, 256)
    draws = np.random.default_rng(0).integers(len(one.groups), size=(_RESAMPLES, len(one.groups)))

    def area(groups: list[list[int]]) -> float:
        rows = [row for group in groups for row in group]
        tokens, right = one.tokens[rows].mean(axis=0), one.right[rows].mean(axis=0)
        order = np.argsort(tokens, kind="stable")
        return float(np.interp(grid, tokens[order], right[order]).mean())

    values = [area([one.groups[index] for index in draw]) for draw in draws]
    low, high_ = np.quantile(values, (0.025, 0.975))
    return Interval(area(one.groups), float(low), float(high_))


METRICS: dict[str, Callable[[Chosen], Interval]] = {
    "accuracy": _at(lambda one: one.right[:, one.column], share=True),
    "tokens": _at(lambda one: one.tokens[:, one.column]),
    "with probes": _at(lambda one: one.tokens[:, one.column] + one.probes[:, one.column]),
    "stopped": _at(lambda one: one.stopped[:, one.column], share=True),
    "relative tokens": _of_base(lambda one: one.tokens[:, one.column], saved=False),
    "reduction": _of_base(lambda one: one.tokens[:, one.column], saved=True),
    "area": _area,
}
"""What is measured on recorded chains, by name."""


def curve(one: Chosen) -> list[tuple[float, float]]:
    """(tokens, share of right answers) at every threshold, for a plot."""
    means = zip(one.tokens.mean(axis=0), one.right.mean(axis=0), strict=True)
    return sorted((float(tokens), float(right)) for tokens, right in means)
