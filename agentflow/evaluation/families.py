"""Families: rules with everything set but their threshold, for replay.

Along a chain a family gives a statistic for each check point, and a threshold stops the chain at
the first one whose statistic is below it. So a chain's running minimum answers every threshold at
once. The rules themselves (:mod:`agentflow.monitors.rules`) are the definition; tests hold this
against them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from agentflow.evaluation.chains import Check
from agentflow.monitors.rules import Average

Probed = Literal["entropy", "confidence", "answers", "nothing"]
Statistic = Callable[[Sequence[Check]], Sequence[float]]
Value = Callable[[Check], float]

ALGORITHM_1, FROM_FIRST = Average(), Average(first=True)
CODE = Average(0.2, first=True, debias=False)
"""As the authors of EAT have it in their code."""
LEVELS = (0.2, 0.1, 0.04, 0.008, 0.005, 0.003, 0.001, 1e-4)
"""Thresholds of the entropy's level (interwhen, appendix A.1)."""
CONFIDENCES = (0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995)
"""Thresholds of the confidence (interwhen, appendix A.1)."""
STABLE = (2, 3, 4, 5, 6, 7, 10, 15, 100)
"""How often the same candidate was stated (interwhen, appendix A.1)."""
VARIANCES = tuple(2.0**-k for k in range(40))
"""Thresholds of the variance (EAT, section 5.3)."""
BUDGETS = tuple(250 * n for n in range(1, 41))
"""Tokens of thinking (EAT, section 5.3)."""


@dataclass(frozen=True, slots=True)
class Family:
    """A rule but for its threshold.

    Attributes:
        name: For tables.
        statistic: One number a check point; a threshold above it stops the chain. For ``answers``
            it is not asked: :mod:`agentflow.evaluation.resampling` counts answers.
        thresholds: The grid, in the statistic's sense (see ``shown``).
        probed: What a check point costs.
        rollouts: For ``answers``: how many.
        shown: The threshold as the rule's setting has it.
        candidates: Whether it is only asked where a candidate answer was just stated.
        every: It is asked at one in so many check points.
    """

    name: str
    statistic: Statistic
    thresholds: tuple[float, ...]
    probed: Probed = "nothing"
    rollouts: int = 0
    shown: Callable[[float], float] = lambda threshold: threshold
    candidates: bool = False
    every: int = 1

    def asked(self, checks: Sequence[Check]) -> list[bool]:
        """At which check points it is asked."""
        if not self.candidates and self.every == 1:
            return [True] * len(checks)
        able, count = [check.stated or not self.candidates for check in checks], 0
        for place, one in enumerate(able):
            count += one
            able[place] = one and count % self.every == 0
        return able

    def values(self, checks: Sequence[Check]) -> list[float]:
        """The statistic at every check point, infinite where it is not asked."""
        if not self.candidates and self.every == 1:
            return list(self.statistic(checks))
        asked = self.asked(checks)
        told = self.statistic([check for check, one in zip(checks, asked, strict=True) if one])
        found = iter(told)
        return [next(found) if one else np.inf for one in asked]


def at_candidates(family: Family) -> Family:
    """The same rule on the schedule ``candidate``."""
    return replace(family, name=f"{family.name}, at candidates", candidates=True)


def spaced(family: Family, every: int) -> Family:
    """The same rule at one in so many check points (EAT, figure 19: 64 for roll-outs)."""
    return replace(family, name=f"{family.name}, every {every}", every=every)


def moving(
    what: Literal["mean", "variance"],
    average: Average,
    value: Value = lambda check: check.entropy,
    min_checks: int = 0,
) -> Statistic:
    """The moving mean, or variance, of a signal, the entropy if no other is named; no stop before
    so many check points."""

    def statistic(checks: Sequence[Check]) -> list[float]:
        memory: dict[str, float] = {}
        found = [(memory := average.step(memory, value(check)))[what] for check in checks]
        return [np.inf if n < min_checks else one for n, one in enumerate(found, 1)]

    return statistic


def entropy_variance(average: Average = ALGORITHM_1, min_checks: int = 0) -> Family:
    """The variance of the entropy (EAT, Algorithm 1)."""
    statistic = moving("variance", average, min_checks=min_checks)
    return Family(_named("entropy variance", average, min_checks), statistic, VARIANCES, "entropy")


def control_variance(name: str, index: int, average: Average = ALGORITHM_1) -> Family:
    """The same of a further entropy of the recording: another prefix, or none, or a control.

    Args:
        name: What the recording calls it.
        index: Which of the recording's controls it is.
    """
    statistic = moving("variance", average, lambda check: check.controls[index])
    return Family(f"{name}: {_named('entropy variance', average)}", statistic, VARIANCES, "entropy")


def confidence_variance(average: Average = ALGORITHM_1) -> Family:
    """The variance of the confidence under the same moving average (EAT, figure 4)."""
    statistic = moving("variance", average, lambda check: check.confidence)
    return Family(_named("confidence variance", average), statistic, VARIANCES, "confidence")


def entropy_level(average: Average = FROM_FIRST, min_checks: int = 0) -> Family:
    """EAT as interwhen has it: the moving mean of the entropy (its thresholds, and finer ones)."""
    statistic = moving("mean", average, min_checks=min_checks)
    finer = (float(t) for t in np.geomspace(2.0, 1e-4, 60))
    thresholds = tuple(sorted({*LEVELS, *finer}, reverse=True))
    return Family(f"entropy level, alpha {average.alpha:g}", statistic, thresholds, "entropy")


def confidence() -> Family:
    """DEER: the confidence of a greedy answer (interwhen's thresholds, and others)."""
    finer = (n / 100 for n in range(30, 100))
    thresholds = sorted({*CONFIDENCES, *finer, 0.999, 0.9999})
    return Family(
        "confidence",
        lambda checks: [-c.confidence for c in checks],
        tuple(-t for t in thresholds),
        "confidence",
        shown=lambda t: -t,
    )


def unique_answers(k: int) -> Family:
    """#UA@K: how many different answers k roll-outs give (EAT, Algorithm 3); 1, 2, 3."""
    return Family(
        f"unique answers of {k}",
        lambda checks: [np.inf] * len(checks),
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
    return Family(
        "k-stable",
        lambda checks: [-float(c.stable) for c in checks],
        tuple(0.5 - k for k in (1, *STABLE)),
        shown=lambda t: 0.5 - t,
    )


def budget(steps: Sequence[int] = BUDGETS) -> Family:
    """A token budget, at check points (EAT, Algorithm 2)."""
    return Family(
        "token budget",
        lambda checks: [-float(c.tokens) for c in checks],
        tuple(0.5 - t for t in steps),
        shown=lambda t: 0.5 - t,
    )


def stall(window: int = 20, average: Average = ALGORITHM_1) -> Family:
    """The variance decays too slowly: thresholds are the part of it that is too much."""

    def statistic(checks: Sequence[Check]) -> list[float]:
        recent = moving("variance", average)(checks)
        before = [*[np.inf] * window, *recent]
        return [-_ratio(now, then) for now, then in zip(recent, before, strict=False)]

    return Family(
        f"stall, window {window}",
        statistic,
        tuple(-t for t in np.linspace(0.05, 2, 40)),
        "entropy",
        shown=lambda t: -t,
    )


def _named(what: str, average: Average, min_checks: int = 0) -> str:
    name = f"{what}, alpha {average.alpha:g}"
    name += ", as in the code" * (average.first and not average.debias)
    return name + (f", from check {min_checks}" if min_checks else "")


def _ratio(now: float, then: float) -> float:
    if then > 0:
        return 0.0 if then == np.inf else now / then
    return np.inf if now > 0 else 0.0
