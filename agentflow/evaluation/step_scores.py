"""What step-level records are worth: ProcessBench's F1 with its two parts, and what it cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from agentflow.evaluation.report import Interval
from agentflow.evaluation.steps import Record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Score:
    """How often the first wrong step was named (ProcessBench).

    Attributes:
        wrong: Accuracy on solutions with a wrong step: exactly its index; None where there are no
            such solutions.
        right: Accuracy on solutions without one: -1; None likewise.
        f1: Their harmonic mean; None where one of them is.
    """

    wrong: Interval | None
    right: Interval | None
    f1: Interval | None


def score(pairs: Iterable[tuple[int, int | None]]) -> Score:
    """The score of (label, predicted) pairs, with 95 % bootstrap intervals; solutions with and
    without a wrong step are resampled apart, as the two accuracies are."""
    hits: dict[bool, list[bool]] = {True: [], False: []}
    for label, predicted in pairs:
        hits[label >= 0].append(label == predicted)
    rng = np.random.default_rng(0)
    wrong, right = (_resampled(rng, hits[side]) for side in (True, False))
    both = None if wrong is None or right is None else harmonic(wrong, right)
    return Score(_interval(wrong), _interval(right), _interval(both))


def _resampled(rng: np.random.Generator, hits: Sequence[bool]) -> Floats | None:
    """The mean, and behind it the means of resamples; None of nothing."""
    if not hits:
        return None
    drawn = np.array(hits)[rng.integers(len(hits), size=(_RESAMPLES, len(hits)))]
    return np.array([np.mean(hits), *drawn.mean(axis=1)])


def harmonic(one: Floats, other: Floats) -> Floats:
    """The harmonic means; 0 where either is."""
    total = one + other
    return np.divide(2 * one * other, total, out=np.zeros_like(total), where=total > 0)


def _interval(values: Floats | None) -> Interval | None:
    if values is None:
        return None
    low, high = np.quantile(values[1:], [0.025, 0.975])
    return Interval(float(values[0]), float(low), float(high))


@dataclass(frozen=True, slots=True)
class Row:
    """One verifier's line; runs that failed do not count.

    Attributes:
        samples: Solutions judged.
        malformed, too_long: Share of the samples on which no step was named, for that reason.
        agreement: Mean share of the replies that its outcome had, in the stage that decided; None
            for a verifier that does not vote.
        escalated: Share of the samples on which slow replies followed fast ones.
        prompt, generated: Tokens a sample; a prompt counts in every reply to it, cached or not.
        cost: (prompt + generated) x parameters, a sample, in 10^12
            (Solve-Detect-Verify, footnote 2, which does not say to what it normalises); None where
            the parameters are not known.
        relative: That over the first verifier's; None where that asked no model.
        seconds: A sample, beside whatever ran at the same time.
    """

    arm: str
    samples: int
    score: Score
    malformed: float
    too_long: float
    agreement: float | None
    escalated: float
    prompt: float
    generated: float
    cost: float | None
    relative: float | None
    seconds: float


def rows(records: Sequence[Record], parameters: float | None = None) -> list[Row]:
    """One row per verifier, in the order in which they first appear.

    Args:
        parameters: Of the model, in billions.
    """
    arms: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        if record.kind != "failed":
            arms[record.arm].append(record)
    first = next(iter(arms.values()), [])
    return [_row(arm, found, _tokens(first), parameters) for arm, found in arms.items()]


def _row(arm: str, records: Sequence[Record], base: float, parameters: float | None) -> Row:
    count = len(records)
    votes = [r.evidence["agreement"] for r in records if "agreement" in r.evidence]
    both = {"verifier-fast", "verifier-slow"}
    tokens = _tokens(records)
    return Row(
        arm=arm,
        samples=count,
        score=score((record.label, record.predicted) for record in records),
        malformed=sum(record.kind == "malformed" for record in records) / count,
        too_long=sum(record.kind == "too_long" for record in records) / count,
        agreement=sum(votes) / len(votes) if votes else None,
        escalated=sum(both <= record.ledger.keys() for record in records) / count,
        prompt=sum(record.count("prompt") for record in records) / count,
        generated=sum(record.count("generated") for record in records) / count,
        cost=None if parameters is None else tokens * parameters / 1000,
        relative=tokens / base if base else None,
        seconds=sum(record.seconds for record in records) / count,
    )


def _tokens(records: Sequence[Record]) -> float:
    """Tokens a sample, in and out."""
    total = sum(record.count("prompt") + record.count("generated") for record in records)
    return total / len(records) if records else 0.0


def markdown(table: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    base = table[0].arm if table else ""
    lines = [
        "| verifier | samples | F1 | wrong found | right passed | malformed | too long | agreement "
        f"| escalated | tokens in | out | (in + out) x parameters / 10^12 | / {base} |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in table:
        shares = (_percent(row.malformed), _percent(row.too_long))
        votes = (_percent(row.agreement), _percent(row.escalated))
        scores = (_interval_text(part) for part in (row.score.f1, row.score.wrong, row.score.right))
        cells = [
            *(row.arm, str(row.samples), *scores, *shares, *votes),
            *(f"{row.prompt:.0f}", f"{row.generated:.0f}"),
            *("–" if one is None else f"{one:.3g}" for one in (row.cost, row.relative)),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _interval_text(interval: Interval | None) -> str:
    return "–" if interval is None else interval.percent()


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"
