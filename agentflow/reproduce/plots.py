"""Ours beside the paper's, drawn; and the curves of rules on recorded chains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from agentflow.evaluation.plots import PALETTE, STYLE
from agentflow.reproduce.compare import Cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW, _MOST = 0.24, 60
"""Inches a line takes; lines that a panel shows."""


def draw(
    cells: Sequence[Cell], curves: Mapping[str, Mapping[str, Sequence[tuple[float, float]]]]
) -> Figure:
    """A panel for each metric, and one for the curves of each part; needs matplotlib."""
    import matplotlib
    from matplotlib.figure import Figure

    panels: dict[str, list[Cell]] = {}
    for one in cells:
        if one.ours is not None or one.paper is not None:
            panels.setdefault(one.metric, []).append(one)
    count = len(panels) + len(curves)
    rows = min(_MOST, max([len(one) for one in panels.values()] or [8]))
    with matplotlib.rc_context(STYLE):
        figure = Figure(
            figsize=(5.2 * max(1, count), max(3.2, 1.2 + _ROW * rows)), layout="constrained"
        )
        axes = figure.subplots(1, max(1, count), squeeze=False)[0]
        for place, (metric, found) in zip(axes, panels.items(), strict=False):
            _panel(place, metric, found[:_MOST])
        for place, (part, lines) in zip(axes[len(panels) :], curves.items(), strict=False):
            _curves(place, part, lines)
    return figure


def _panel(axes: Axes, metric: str, cells: Sequence[Cell]) -> None:
    for row, one in enumerate(cells):
        if one.ours is not None:
            ours = one.ours
            left, right = max(0.0, ours.value - ours.low), max(0.0, ours.high - ours.value)
            axes.errorbar(
                ours.value,
                row,
                xerr=[[left], [right]],
                fmt="o",
                markersize=4,
                color=PALETTE[0],
                label="ours, 95 %" if row == 0 else None,
            )
        if one.paper is not None:
            middle, half = one.paper if isinstance(one.paper, tuple) else (one.paper, 0.0)
            axes.errorbar(middle, row, xerr=half or None, fmt="D", markersize=4, color=PALETTE[1])
    axes.set_yticks(range(len(cells)), [f"{one.part} · {one.arm}" for one in cells], fontsize=7)
    axes.set_ylim(len(cells) - 0.5, -0.5)
    axes.set_title(f"{metric} (dot: ours, diamond: the paper's)", fontsize=9)


def _curves(axes: Axes, part: str, lines: Mapping[str, Sequence[tuple[float, float]]]) -> None:
    for number, (name, points) in enumerate(lines.items()):
        tokens, right = [x for x, _ in points], [100 * y for _, y in points]
        axes.plot(
            tokens,
            right,
            marker="osv"[number // len(PALETTE) % 3],
            markersize=2.5,
            linewidth=1,
            color=PALETTE[number % len(PALETTE)],
            label=name,
        )
    axes.set(xlabel="tokens a chain", ylabel="right, %")
    axes.set_title(part, fontsize=9)
    axes.legend(fontsize=6)
