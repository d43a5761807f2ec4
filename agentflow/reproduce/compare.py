"""Ours beside the paper's: a verdict on every cell, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from agentflow.evaluation import markdown as tables
from agentflow.evaluation.intervals import Interval
from agentflow.reproduce.manifest import Figure, Manifest

Said = Literal["within", "above", "below", "not comparable", "not printed", "not run"]
SHARES = (
    *("accuracy", "answered", "sound", "relative tokens", "reduction", "gain", "stopped", "area"),
    *("precision", "recall", "undecided", "f1", "f1 of draws", "escalated"),
)
"""Metrics that the papers print in percent, if a manifest's ``scale`` does not say otherwise."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure.

    Attributes:
        part, arm, metric: Which.
        ours: In the paper's unit, with its 95 % interval; None where it was not measured.
        paper: What the paper printed; None where it printed no number.
        verdict: ``within``: the paper's figure lies in our interval (or its interval meets ours);
            ``above``: ours lies above the paper's; ``below``: below. ``not comparable``: something
            else was measured. ``not printed``: the paper has no number there. ``not run``: ours
            is not there.
        why: Of the last three.
    """

    part: str
    arm: str
    metric: str
    ours: Interval | None
    paper: Figure | None
    verdict: Said
    why: str = ""


def scale(manifest: Manifest, metric: str) -> float:
    """What one of ours is in the paper's unit."""
    name = metric.partition(".")[0]
    share = metric in SHARES or name in ("usage", "tools", "wrong")
    return manifest.scale.get(metric, 100.0 if share else 1.0)


def cell(
    manifest: Manifest, part: str, arm: str, metric: str, ours: Interval | None, why: str
) -> Cell:
    """A cell with its verdict.

    Args:
        ours: As it was measured.
        why: Why it is not comparable, or where there is no ``ours``, why it was not run.
    """
    paper = manifest.figures.get(metric, {}).get(part, {}).get(arm)
    if ours is None:
        return Cell(part, arm, metric, None, paper, "not run", why)
    by = scale(manifest, metric)
    ours = Interval(by * ours.value, by * ours.low, by * ours.high)
    if paper is None:
        return Cell(part, arm, metric, ours, paper, "not printed", why)
    if why:
        return Cell(part, arm, metric, ours, paper, "not comparable", why)
    middle, half = paper if isinstance(paper, tuple) else (paper, 0.0)
    verdict: Said = "within"
    if ours.low > middle + half:
        verdict = "above"
    elif ours.high < middle - half:
        verdict = "below"
    return Cell(part, arm, metric, ours, paper, verdict)


def markdown(
    manifest: Manifest, cells: Sequence[Cell], problems: Mapping[str, tuple[int, int]] = {}
) -> str:
    """The cells as a table, and each reason once.

    Args:
        problems: Of each part, how many there were, and how many the paper had.
    """
    reasons = list(dict.fromkeys(one.why for one in cells if one.why))
    numbers = {why: f"[{number}]" for number, why in enumerate(reasons, 1)}
    lines = [
        {
            "part": one.part,
            "arm": one.arm,
            "metric": one.metric,
            "ours": tables.NOTHING if one.ours is None else short(one.ours.value),
            "95 %": tables.NOTHING
            if one.ours is None
            else f"{short(one.ours.low)} … {short(one.ours.high)}",
            "paper": _figure(one.paper),
            "verdict": " ".join([one.verdict, *([numbers[one.why]] if one.why else [])]),
        }
        for one in cells
    ]
    head = f"# {manifest.name}\n\n{manifest.title} ({manifest.paper}, {manifest.source})"
    counts = [f"{part} {ours:,} of {theirs:,}" for part, (ours, theirs) in problems.items()]
    about = f"Problems, of the paper's: {', '.join(counts)}." if counts else ""
    footnotes = "\n".join(f"{number} {why}" for why, number in numbers.items())
    notes = "\n".join(f"- {one}" for one in manifest.notes)
    table = tables.table(lines) if lines else ""
    return "\n\n".join(filter(None, [head, about, table, footnotes, notes])) + "\n"


def _figure(figure: Figure | None) -> str:
    if figure is None:
        return tables.NOTHING
    if isinstance(figure, tuple):
        return f"{short(figure[0])} ± {short(figure[1])}"
    return short(figure)


def short(value: float) -> str:
    """A number with as many digits as papers print."""
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 1e6 or size < 1e-3:
        return f"{value:.3g}"
    return f"{value:,.0f}" if size >= 1000 else f"{value:.4g}"


def plain(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """The cells as plain JSON."""
    return [asdict(one) for one in cells]
