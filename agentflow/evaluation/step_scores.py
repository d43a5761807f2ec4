"""What step-level records are worth: ProcessBench's F1 with its two parts, and what it cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean as mean

import numpy as np

from agentflow.evaluation import markdown as tables
from agentflow.evaluation.intervals import Interval, bootstrap, f1
from agentflow.evaluation.records import by_arm
from agentflow.evaluation.verdicts import Judgement


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
    wrong, right = (bootstrap(np.mean, each) if each else None for each in hits.values())
    return Score(wrong, right, bootstrap(f1, *hits.values()) if wrong and right else None)


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


def rows(records: Iterable[Judgement], parameters: float | None = None) -> list[Row]:
    """One row per verifier, in the order in which they first appear.

    Args:
        parameters: Of the model, in billions.
    """
    arms = by_arm(records)
    base = _tokens(next(iter(arms.values()), []))
    return [_row(arm, found, base, parameters) for arm, found in arms.items()]


def _row(arm: str, records: Sequence[Judgement], base: float, parameters: float | None) -> Row:
    votes = [r.evidence["agreement"] for r in records if "agreement" in r.evidence]
    both = {"verifier-fast", "verifier-slow"}
    tokens = _tokens(records)
    return Row(
        arm=arm,
        samples=len(records),
        score=score((r.label, r.predicted) for r in records if r.label is not None),
        malformed=mean(r.kind == "malformed" for r in records),
        too_long=mean(r.kind == "too_long" for r in records),
        agreement=mean(votes) if votes else None,
        escalated=mean(both <= r.ledger.keys() for r in records),
        prompt=mean(r.count("prompt") for r in records),
        generated=mean(r.count("generated") for r in records),
        cost=None if parameters is None else tokens * parameters / 1000,
        relative=tokens / base if base else None,
        seconds=mean(r.seconds for r in records),
    )


def _tokens(records: Sequence[Judgement]) -> float:
    """Tokens a sample, in and out."""
    return mean(r.count("prompt") + r.count("generated") for r in records) if records else 0.0


def markdown(table: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    base = table[0].arm if table else ""
    return tables.table(
        {
            "verifier": row.arm,
            "samples": str(row.samples),
            "F1": tables.percent(row.score.f1),
            "wrong found": tables.percent(row.score.wrong),
            "right passed": tables.percent(row.score.right),
            "malformed": tables.percent(row.malformed),
            "too long": tables.percent(row.too_long),
            "agreement": tables.percent(row.agreement),
            "escalated": tables.percent(row.escalated),
            "tokens in": f"{row.prompt:.0f}",
            "out": f"{row.generated:.0f}",
            "(in + out) x parameters / 10^12": _short(row.cost),
            f"/ {base}": _short(row.relative),
        }
        for row in table
    )


def _short(value: float | None) -> str:
    return tables.NOTHING if value is None else f"{value:.3g}"
