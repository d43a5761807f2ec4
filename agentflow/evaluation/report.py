"""Tables from records: what an arm gained and cost, beside the direct baseline."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import isnan, nan, sqrt
from typing import Any

from agentflow.evaluation.runner import Record


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


@dataclass(frozen=True, slots=True)
class Row:
    """One arm's line.

    Attributes:
        accuracy: Right answers over all problems: abstaining does not pay.
        sound: Right answers over emitted ones; None if none was emitted.
        emitted: Answers emitted.
        tokens: Generated tokens a problem, wasted ones included.
        relative_tokens, relative_seconds: Relative to the baseline; not a number where that
            generated nothing.
        wasted: Wasted tokens a problem.
        corrections: Corrections a problem.
        gain: Accuracy over the baseline's, paired; None for the baseline itself, and where the
            two have no run in common.
    """

    arm: str
    runs: int
    accuracy: Interval
    sound: float | None
    emitted: int
    tokens: float
    relative_tokens: float
    relative_seconds: float
    wasted: float
    corrections: float
    gain: Interval | None


def wilson(right: int, runs: int, z: float = 1.96) -> Interval:
    """A share with Wilson's score interval, as if the runs were independent."""
    p, z2 = right / runs, z * z
    centre = (p + z2 / (2 * runs)) / (1 + z2 / runs)
    half = z * sqrt(p * (1 - p) / runs + z2 / (4 * runs * runs)) / (1 + z2 / runs)
    return Interval(p, centre - half, centre + half)


def paired(
    ours: Sequence[Record],
    base: Sequence[Record],
    value: Callable[[Record], float] = lambda record: float(record.right),
    resamples: int = 2000,
) -> Interval:
    """Mean difference of two arms over the runs both have, with a bootstrap interval.

    Whole problems are resampled, all their seeds together: runs on one problem are not
    independent.

    Raises:
        ValueError: If they have none in common.
    """
    other = {(record.problem, record.seed): value(record) for record in base}
    by_problem: dict[str, list[float]] = defaultdict(list)
    for record in ours:
        if (record.problem, record.seed) in other:
            difference = value(record) - other[record.problem, record.seed]
            by_problem[record.problem].append(difference)
    if not by_problem:
        raise ValueError("the two arms have no run in common")
    groups = [(sum(d), len(d)) for d in by_problem.values()]
    rng = random.Random(0)
    means = sorted(
        sum(s for s, _ in drawn) / sum(n for _, n in drawn)
        for drawn in (rng.choices(groups, k=len(groups)) for _ in range(resamples))
    )
    mean = sum(s for s, _ in groups) / sum(n for _, n in groups)
    return Interval(mean, means[int(0.025 * resamples)], means[int(0.975 * resamples) - 1])


def rows(records: Sequence[Record], baseline: str = "direct") -> list[Row]:
    """One row per arm, in the order in which arms first appear; runs that failed do not count."""
    arms: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        if record.status != "failed":
            arms[record.arm].append(record)
    base = arms.get(baseline, [])
    return [_row(arm, found, base, arm == baseline) for arm, found in arms.items()]


def _row(arm: str, records: list[Record], base: list[Record], is_base: bool) -> Row:
    runs = len(records)
    right = sum(record.right for record in records)
    emitted = sum(record.answer is not None for record in records)
    mean_tokens = sum(record.tokens for record in records) / runs
    seconds = sum(record.seconds for record in records) / runs
    base_tokens = sum(r.tokens for r in base) / len(base) if base else nan
    base_seconds = sum(r.seconds for r in base) / len(base) if base else nan
    both = {(r.problem, r.seed) for r in base} & {(r.problem, r.seed) for r in records}
    return Row(
        arm,
        runs,
        wilson(right, runs),
        right / emitted if emitted else None,
        emitted,
        mean_tokens,
        mean_tokens / (base_tokens or nan),
        seconds / (base_seconds or nan),
        sum(record.wasted for record in records) / runs,
        sum(record.corrections for record in records) / runs,
        paired(records, base) if both and not is_base else None,
    )


def plain(row: Row) -> dict[str, Any]:
    """A row as plain JSON; what is not a number is null."""
    return {
        name: None if isinstance(value, float) and isnan(value) else value
        for name, value in asdict(row).items()
    }


def markdown(table: Sequence[Row], baseline: str = "direct") -> str:
    """The rows as a Markdown table."""
    lines = [
        "| arm | runs | accuracy | gain, points | soundness | answered | tokens | "
        f"tokens / {baseline} | time / {baseline} | wasted | corrections |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in table:
        sound = "–" if row.sound is None else f"{100 * row.sound:.1f} %"
        gain = row.gain.points() if row.gain else ""
        lines.append(
            f"| {row.arm} | {row.runs} | {row.accuracy.percent()} | {gain} | {sound} | "
            f"{100 * row.emitted / row.runs:.1f} % | {row.tokens:.0f} | "
            f"{row.relative_tokens:.2f} | {row.relative_seconds:.2f} | {row.wasted:.1f} | "
            f"{row.corrections:.2f} |"
        )
    return "\n".join(lines)
