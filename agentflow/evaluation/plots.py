"""Plots of a comparison: accuracy against tokens, tokens by role, accuracy by difficulty."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

from agentflow.evaluation.intervals import Interval
from agentflow.evaluation.summary import Summary, pareto

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK, SOFT, RULE = "#1f1e1b", "#5f5b53", "#e3dfd6"
PALETTE = ("#2d62a3", "#c07a1f", "#5b8f3c", "#8d5aa8", "#b24a5c", "#3f8f8b", "#7a6a52", "#8a8f98")
"""Of the page in light; there they are variables, which change in the dark."""

STYLE: dict[Any, Any] = {
    "font.size": 9.5,
    "text.color": INK,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": SOFT,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": RULE,
    "grid.linewidth": 0.8,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "svg.fonttype": "none",
}
"""Of every plot: matplotlib's settings."""
_SIZE = (7.2, 4.2)


def draw(
    lines: Sequence[Summary], difficulty: Mapping[str, Sequence[Interval | None]]
) -> dict[str, Figure]:
    """The plots by name; needs matplotlib."""
    import matplotlib

    with matplotlib.rc_context(STYLE):
        return {
            "accuracy": _accuracy(lines),
            "roles": _roles(lines),
            "difficulty": _difficulty(difficulty),
        }


def png(figure: Figure) -> bytes:
    """A plot as a PNG."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=160, facecolor="white")
    return file.getvalue()


def svg(figure: Figure, name: str) -> str:
    """A plot to stand in a page, in the page's colours."""
    import matplotlib

    file = io.StringIO()
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": name}):  # ids are unique in the page
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(file, format="svg", transparent=True, metadata=nothing)
    text = file.getvalue()
    text = re.sub(r"<style.*?</style>|<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    variables = {INK: "ink", SOFT: "soft", RULE: "rule"}
    variables |= {color: f"role-{n}" for n, color in enumerate(PALETTE)}
    for color, variable in variables.items():
        text = text.replace(color, f"var(--{variable})")
    return text[text.index("<svg") :]


def _axes(**labels: Any) -> tuple[Figure, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=_SIZE, layout="constrained")
    axes = figure.subplots()
    axes.set(**labels)
    return figure, axes


def _accuracy(lines: Sequence[Summary]) -> Figure:
    figure, axes = _axes(xlabel="generated tokens a run", ylabel="right, %")
    front = pareto(lines)
    axes.plot(
        [line.tokens for line in front],
        [100 * line.accuracy.value for line in front],
        color=SOFT,
        linewidth=1,
        linestyle=(0, (4, 3)),
        label="Pareto front",
        zorder=1,
    )
    _points(axes, [(line.arm, line.tokens, line.accuracy) for line in lines])
    axes.set_xlim(left=0)
    return figure


def accuracies(points: Sequence[tuple[str, float, Interval]], xlabel: str, **more: Any) -> Figure:
    """Accuracies by what they cost, each with its name; ``more`` as matplotlib's axes take it."""
    figure, axes = _axes(xlabel=xlabel, ylabel="right, %", **more)
    _points(axes, points)
    return figure


def _points(axes: Any, points: Sequence[tuple[str, float, Interval]]) -> None:
    for (name, cost, accuracy), color in zip(points, cycle(PALETTE)):
        value, error = _bar(accuracy)
        style = {"fmt": "o", "color": color, "capsize": 3, "markersize": 7}
        axes.errorbar(cost, value, error, label=name, **style)
    axes.legend(loc="best", fontsize=8.5)


def _roles(lines: Sequence[Summary]) -> Figure:
    figure, axes = _axes(xlabel="generated tokens a run")
    split = {line.arm: line.roles or {"all roles": line.tokens} for line in lines}
    names = list(dict.fromkeys(role for roles in split.values() for role in roles))
    left = dict.fromkeys(split, 0.0)
    for role, color in zip(names, cycle(PALETTE)):
        width = [roles.get(role, 0.0) for roles in split.values()]
        axes.barh(list(split), width, left=list(left.values()), height=0.6, color=color, label=role)
        left = {arm: left[arm] + split[arm].get(role, 0.0) for arm in split}
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4, fontsize=8.5)
    return figure


def _difficulty(lines: Mapping[str, Sequence[Interval | None]]) -> Figure:
    figure, axes = _axes(xlabel="problems, by the tokens the first arm needed", ylabel="right, %")
    for number, ((arm, shares), color) in enumerate(zip(lines.items(), cycle(PALETTE))):
        known = [(third, _bar(share)) for third, share in enumerate(shares) if share is not None]
        shift = 0.06 * (number - (len(lines) - 1) / 2)  # their intervals do not hide each other
        axes.errorbar(
            [third + shift for third, _ in known],
            [value for _, (value, _) in known],
            [[low for _, (_, ((low,), _)) in known], [high for _, (_, (_, (high,))) in known]],
            fmt="o-",
            color=color,
            capsize=3,
            markersize=5,
            linewidth=1.2,
            label=arm,
        )
    axes.set_xticks([0, 1, 2], ["fewest third", "middle third", "most third"])
    axes.set_xlim(-0.4, 2.4)
    axes.legend(loc="best", fontsize=8.5)
    return figure


def _bar(share: Interval) -> tuple[float, tuple[tuple[float], tuple[float]]]:
    """A share and how far its interval goes down and up, in percent."""
    value = 100 * share.value
    down, up = max(0.0, value - 100 * share.low), max(0.0, 100 * share.high - value)
    return value, ((down,), (up,))
