"""Estimates with their 95 % intervals, and exact tests; the statistics are SciPy's.

SciPy comes with the extra ``evaluation`` and takes a second to import: each function does it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float

    def percent(self) -> str:
        return f"{100 * self.value:.1f} % [{100 * self.low:.1f}, {100 * self.high:.1f}]"

    def points(self) -> str:
        return f"{100 * self.value:+.1f} [{100 * self.low:+.1f}, {100 * self.high:+.1f}]"


def wilson(right: int, of: int) -> Interval:
    """A share with Wilson's score interval, as if the cases were independent."""
    from scipy.stats import binomtest

    found = binomtest(right, of).proportion_ci(method="wilson")
    return Interval(right / of, float(found.low), float(found.high))


def unsure(found: Interval, of: int) -> Interval:
    """A share's interval, which a bootstrap leaves without width where all cases are alike: then
    that of :func:`wilson`, of so many cases."""
    if found.low < found.high or not 0 <= found.value <= 1:
        return found
    around = wilson(round(found.value * of), of)
    return Interval(found.value, min(found.value, around.low), max(found.value, around.high))


def share(hits: Sequence[bool]) -> Interval | None:
    """:func:`wilson` of what holds; None of nothing."""
    return wilson(sum(hits), len(hits)) if hits else None


def auc(above: Sequence[float], below: Sequence[float]) -> float | None:
    """How often one of the first has the higher value of a pair, ties counted as a half: the area
    under the ROC curve of telling them apart by it. None where there is no pair."""
    from scipy.stats import mannwhitneyu

    pairs = len(above) * len(below)
    return float(mannwhitneyu(above, below).statistic) / pairs if pairs else None


def bootstrap(
    statistic: Callable[..., Any], *samples: Sequence[float] | Floats, paired: bool = False
) -> Interval:
    """A statistic with its percentile bootstrap interval, from the same seed every time.

    Args:
        statistic: Takes the samples and ``axis``, along which their cases lie.
        samples: None of them is empty.
        paired: The samples are columns of the same cases, which are drawn together.
    """
    from scipy.stats import bootstrap as resampled

    data = tuple(np.asarray(sample, dtype=float) for sample in samples)
    value = float(statistic(*data, axis=-1))
    if any(len(sample) == 1 for sample in data):  # SciPy draws from no single case
        data = tuple(np.repeat(sample, 2 if len(sample) == 1 else 1) for sample in data)
    found = resampled(
        data,
        statistic,
        paired=paired,
        vectorized=True,
        n_resamples=RESAMPLES,
        method="percentile",
        rng=np.random.default_rng(0),
    ).confidence_interval
    return Interval(value, float(found.low), float(found.high))


def ratio(above: Floats, below: Floats, axis: int = -1) -> Any:
    """The sum of one column over that of another: a mean of groups of different sizes."""
    return above.sum(axis=axis) / below.sum(axis=axis)


def grouped_mean(values: Iterable[tuple[Hashable, float]]) -> Interval:
    """The mean of (group, value); whole groups are resampled, whose values are not independent.

    Raises:
        ValueError: If there are none.
    """
    groups: dict[Hashable, list[float]] = defaultdict(list)
    for group, value in values:
        groups[group].append(value)
    if not groups:
        raise ValueError("the two arms have no run in common")
    sums, counts = zip(*((sum(one), len(one)) for one in groups.values()), strict=True)
    return bootstrap(ratio, sums, counts, paired=True)


def harmonic(one: Floats, other: Floats) -> Any:
    """The harmonic means; 0 where either is."""
    total = one + other
    return np.divide(2 * one * other, total, out=np.zeros_like(total), where=total > 0)


def f1(wrong: Floats, right: Floats, axis: int = -1) -> Any:
    """ProcessBench's F1: the harmonic mean of the shares of hits on two kinds of cases."""
    return harmonic(np.asarray(wrong.mean(axis=axis)), np.asarray(right.mean(axis=axis)))


def mcnemar(one: int, other: int) -> float:
    """McNemar's exact test: the two-sided p-value for ``one`` and ``other`` pairs that only one
    side has right, of which under the hypothesis half fall on each."""
    from scipy.stats import binomtest

    return float(binomtest(one, one + other).pvalue) if one + other else 1.0


def risk_p_value(mean_loss: float, n: int, most: float) -> float:
    """Of the hypothesis that the expected loss is above ``most``, for ``n`` independent losses in
    [0, 1] with this mean (Hoeffding and Bentkus)."""
    if mean_loss >= most:
        return 1.0
    from scipy.special import rel_entr
    from scipy.stats import binom

    divergence = rel_entr(mean_loss, most) + rel_entr(1 - mean_loss, 1 - most)
    whole = np.ceil(round(n * mean_loss, 6))  # a mean of n losses that add up to a whole number
    return float(min(1.0, np.exp(-n * divergence), np.e * binom.cdf(whole, n, most)))
