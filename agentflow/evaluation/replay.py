"""Replay: any rule and threshold on recorded chains, without the model.

A *family* is a rule with everything set but its threshold: along a chain it gives a statistic for
each check point, and a threshold stops the chain at the first one whose statistic is below it. So a
chain's running minimum answers every threshold at once. The rules themselves
(:mod:`agentflow.monitors.rules`) are the definition; tests hold this against them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from agentflow.evaluation.chains import Chain, Check
from agentflow.monitors.rules import Average

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

Probed = Literal["entropy", "confidence", "answers", "nothing"]
ALGORITHM_1, FROM_FIRST = Average(), Average(first=True)
Statistic = Callable[[Sequence[Check]], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Family:
    """A rule but for its threshold.

    Attributes:
        name: For tables.
        statistic: One number a check point; a threshold above it stops the chain.
        thresholds: The grid, in the statistic's sense (see ``shown``).
        probed: What a check point costs.
        rollouts: For ``answers``: how many.
        shown: The threshold as the rule's setting has it.
        candidates: Whether it is only asked where a candidate answer was just stated.
    """

    name: str
    statistic: Statistic
    thresholds: tuple[float, ...]
    probed: Probed = "nothing"
    rollouts: int = 0
    shown: Callable[[float], float] = lambda threshold: threshold
    candidates: bool = False


def at_candidates(family: Family) -> Family:
    """The same rule on the schedule ``candidate``."""

    def statistic(checks: Sequence[Check]) -> list[float]:
        found = iter(family.statistic([check for check in checks if check.stated]))
        return [next(found) if check.stated else np.inf for check in checks]

    name = f"{family.name}, at candidates"
    return replace(family, name=name, statistic=statistic, candidates=True)


def averages(checks: Sequence[Check], average: Average) -> list[dict[str, float]]:
    """The moving averages of the entropy at every check point."""
    memory: dict[str, float] = {}
    return [memory := average.step(memory, check.entropy) for check in checks]


def entropy_variance(average: Average = ALGORITHM_1, min_checks: int = 0) -> Family:
    """The variance of the entropy (EAT, Algorithm 1); thresholds 2^-k, k = 0 … 39."""

    def statistic(checks: Sequence[Check]) -> list[float]:
        found = [one["variance"] for one in averages(checks, average)]
        return _held_back(found, min_checks)

    name = f"entropy variance, alpha {average.alpha:g}"
    name += ", as in the code" * (average.first and not average.debias)
    return Family(name, statistic, tuple(2.0**-k for k in range(40)), "entropy")


def entropy_level(average: Average = FROM_FIRST, min_checks: int = 0) -> Family:
    """EAT as interwhen has it: the moving mean of the entropy (its thresholds, and finer ones)."""

    def statistic(checks: Sequence[Check]) -> list[float]:
        return _held_back([one["mean"] for one in averages(checks, average)], min_checks)

    thresholds = tuple(float(t) for t in np.geomspace(2.0, 1e-4, 60))
    return Family(f"entropy level, alpha {average.alpha:g}", statistic, thresholds, "entropy")


def confidence() -> Family:
    """DEER: the confidence of a greedy answer (0.85 … 0.995 in interwhen, and beyond)."""
    thresholds = tuple(-float(t) for t in [*np.linspace(0.3, 0.99, 70), 0.995, 0.999, 0.9999])
    return Family(
        "confidence",
        lambda checks: [-c.confidence for c in checks],
        thresholds,
        "confidence",
        shown=lambda t: -t,
    )


def unique_answers(k: int) -> Family:
    """#UA@K: how many different answers k roll-outs give; thresholds 1, 2, 3."""

    return Family(
        f"unique answers of {k}",
        lambda checks: [different(check.answers[:k]) or np.inf for check in checks],
        (1.5, 2.5, 3.5),
        "answers",
        k,
        shown=lambda t: t - 0.5,
    )


def different(answers: Sequence[str | None]) -> int:
    """How many answers differ; what is no answer differs from all."""
    return len({answer for answer in answers if answer is not None}) + answers.count(None)


def k_stable() -> Family:
    """k-stable answer at check points (interwhen's sweep of k; 1 is the first candidate)."""
    sweep = (1, 2, 3, 4, 5, 6, 7, 10, 15, 100)
    return Family(
        "k-stable",
        lambda checks: [-float(c.stable) for c in checks],
        tuple(0.5 - k for k in sweep),
        shown=lambda t: 0.5 - t,
    )


def budget(longest: int) -> Family:
    """A token budget, at check points; forty steps up to the longest chain."""
    steps = sorted({round(longest * n / 40) for n in range(1, 41)})
    return Family(
        "token budget",
        lambda checks: [-float(c.tokens) for c in checks],
        tuple(0.5 - t for t in steps),
        shown=lambda t: 0.5 - t,
    )


def stall(window: int = 20, average: Average = ALGORITHM_1) -> Family:
    """The variance decays too slowly: thresholds are the part of it that is too much."""

    def statistic(checks: Sequence[Check]) -> list[float]:
        recent = [one["variance"] for one in averages(checks, average)]
        before = [np.inf] * window + recent
        return [-_ratio(now, then) for now, then in zip(recent, before, strict=False)]

    return Family(
        f"stall, window {window}",
        statistic,
        tuple(-t for t in np.linspace(0.05, 2, 40)),
        "entropy",
        shown=lambda t: -t,
    )


def _ratio(now: float, then: float) -> float:
    if then > 0:
        return 0.0 if then == np.inf else now / then
    return np.inf if now > 0 else 0.0


def _held_back(values: Sequence[float], min_checks: int) -> list[float]:
    """No stop before so many check points."""
    return [np.inf if n < min_checks else value for n, value in enumerate(values, 1)]


@dataclass(frozen=True, slots=True)
class Point:
    """What one threshold comes to, as means over the chains.

    Attributes:
        accuracy: Share of right answers.
        tokens: Tokens of thinking and answer a chain.
        with_probes: The same and what the probes generated.
        stopped: Share of chains stopped.
    """

    family: str
    threshold: float
    accuracy: float
    tokens: float
    with_probes: float
    stopped: float


class Replay:
    """Recorded chains, ready for every rule.

    Args:
        chains: At least one.

    Attributes:
        accuracy: Of the chains left alone, and their mean ``tokens``.
    """

    def __init__(self, chains: Sequence[Chain]) -> None:
        self.chains = list(chains)
        width = max(len(chain.checks) for chain in chains) + 1
        self.counts: Ints = np.array([len(chain.checks) for chain in chains])
        self.right: Floats = np.zeros((len(chains), width))
        self.tokens: Floats = np.zeros((len(chains), width))
        for row, chain in enumerate(chains):
            for column, check in enumerate(chain.checks):
                self.right[row, column] = sum(check.right) / len(check.right)
                self.tokens[row, column] = check.tokens + sum(check.lengths) / len(check.lengths)
            self.right[row, len(chain.checks) :] = chain.right
            self.tokens[row, len(chain.checks) :] = chain.thinking + chain.answering

    @property
    def accuracy(self) -> float:
        return float(self.right[:, -1].mean())

    @property
    def mean_tokens(self) -> float:
        return float(self.tokens[:, -1].mean())

    def by_problem(self) -> list[list[int]]:
        """The rows of each problem's chains."""
        rows: dict[str, list[int]] = {}
        for row, chain in enumerate(self.chains):
            rows.setdefault(chain.problem, []).append(row)
        return list(rows.values())

    def stops(self, family: Family, thresholds: Sequence[float] | None = None) -> Ints:
        """Where each threshold stops each chain, shape (chains, thresholds): the index of a check
        point, or their number for a chain that is left alone."""
        wanted = np.asarray(family.thresholds if thresholds is None else thresholds)
        rows = []
        for chain in self.chains:
            lowest = np.minimum.accumulate(np.asarray(family.statistic(chain.checks), dtype=float))
            # The first check point below a threshold: how many running minima are not below it.
            rows.append(np.searchsorted(-lowest, -wanted, side="right"))
        return np.array(rows, dtype=np.int64)

    def probe_tokens(self, family: Family) -> Floats:
        """Tokens that the probes of a family generate up to each stop, shape as ``right``."""
        cost = np.zeros_like(self.right)
        for row, chain in enumerate(self.chains):
            each = [_cost(family, chain, check) for check in chain.checks]
            total = np.cumsum(each)
            cost[row, : len(each)] = total
            cost[row, len(each) :] = total[-1] if each else 0.0
        return cost

    def curve(self, family: Family, thresholds: Sequence[float] | None = None) -> list[Point]:
        """Accuracy and tokens at every threshold."""
        wanted = family.thresholds if thresholds is None else thresholds
        stops = self.stops(family, wanted)
        rows = np.arange(len(self.chains))[:, None]
        right, tokens = self.right[rows, stops], self.tokens[rows, stops]
        probes = self.probe_tokens(family)[rows, stops]
        stopped = stops < self.counts[:, None]
        means = [one.mean(axis=0) for one in (right, tokens, tokens + probes, stopped)]
        return [
            Point(family.name, float(family.shown(threshold)), *map(float, values))
            for threshold, *values in zip(wanted, *means, strict=True)
        ]

    def oracle(self) -> tuple[float, float]:
        """(accuracy, tokens) of stopping where at least half of the answers are first right."""
        rows = np.arange(len(self.chains))
        hit = self.right >= 0.5
        hit[rows, self.counts] = True  # a chain that is left alone
        stop = hit.argmax(axis=1)
        return float(self.right[rows, stop].mean()), float(self.tokens[rows, stop].mean())


def _cost(family: Family, chain: Chain, check: Check) -> int:
    if family.candidates and not check.stated:
        return 0
    match family.probed:
        case "entropy":
            return 1
        case "confidence":
            return chain.confidence_tokens
        case "answers":
            return sum(check.lengths[: family.rollouts])
    return 0
