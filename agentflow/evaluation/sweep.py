"""Every rule on recorded chains: the table, and the plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agentflow.evaluation import families as rules
from agentflow.evaluation import markdown as tables
from agentflow.evaluation.chains import Chain
from agentflow.evaluation.families import BUDGETS, Family
from agentflow.evaluation.intervals import Interval
from agentflow.evaluation.replay import Point, Replay
from agentflow.evaluation.tradeoff import (
    Calibrated,
    Saving,
    area,
    crossed,
    fewest_problems,
    matched,
)
from agentflow.files import unwritable
from agentflow.monitors.rules import Average

ALPHAS = (0.01, 0.05, 0.1, 0.2, 0.4)
"""The paper's ablation of the EMA's weight (EAT, appendix I.3)."""
LEVEL_ALPHAS = (0.2, 0.4, 0.8, 1.0)
"""For the level of the entropy, up to that of the last check point alone."""
MIN_CHECKS = (4, 25)
"""Check points before the first stop in interwhen's code, and in that of EAT."""
EMA = (0.1, 0.2)
"""For the confidence under the same moving average (EAT, figure 4 has two)."""
SPACING = 64
"""Check points between roll-outs that cost about what EAT does (EAT, figure 19)."""


def families(chains: Sequence[Chain]) -> list[Family]:
    """Every rule that the recorded signals serve, with the papers' grids."""
    sampled = max((len(check.answers) for chain in chains for check in chain.checks), default=0)
    longest = max(chain.thinking for chain in chains)
    controls = min(chains, key=lambda chain: len(chain.controls)).controls
    asked_at_candidates = (
        rules.entropy_variance(),
        rules.entropy_level(Average(1.0, first=True)),
        rules.confidence(),
    )
    # Roll-outs that stop do not score: some must be left.
    rollouts = [rules.unique_answers(k) for k in (8, 16, 32) if k < sampled]
    few = max((len(chain.checks) for chain in chains), default=0) < SPACING
    return [
        *(rules.entropy_variance(Average(alpha)) for alpha in ALPHAS),
        *(rules.entropy_variance(rules.CODE, least) for least in MIN_CHECKS),
        *(
            rules.control_variance(name, index, Average(alpha))
            for index, name in enumerate(controls)
            for alpha in ALPHAS
        ),
        *(rules.entropy_level(Average(alpha, first=True)) for alpha in LEVEL_ALPHAS),
        rules.confidence(),
        *(rules.confidence_variance(Average(alpha)) for alpha in EMA),
        *rollouts,
        *(rules.spaced(one, SPACING) for one in rollouts[-1:] if not few),
        rules.k_stable(),
        rules.budget(grid(longest)),
        rules.stall(),
        *(rules.at_candidates(family) for family in asked_at_candidates),
    ]


def grid(longest: int) -> tuple[int, ...]:
    """Budgets of tokens: the paper's 250 to 10,000; for chains that are all shorter fortieths of
    the longest, too, or the curve would have few points."""
    fortieths = (round(longest * n / 40) for n in range(1, 41)) if longest < BUDGETS[-1] else ()
    return tuple(sorted({*BUDGETS, *fortieths} - {0}))


@dataclass(frozen=True, slots=True)
class Line:
    """One family's line of the table.

    Attributes:
        area: Under accuracy against tokens, probes counted; ``area_alone`` without them.
        best: At the threshold that saves most at matched accuracy; None if none saves anything.
        crossed: (share saved, change of accuracy) with thresholds chosen on other problems.
    """

    family: str
    area: float
    area_alone: float
    best: Saving | None
    crossed: tuple[Interval, Interval]


@dataclass(frozen=True, slots=True)
class Table:
    """Every family on the same chains.

    Attributes:
        left_out: Chains of which nobody knows what they come to at their end.
        accuracy, tokens: Of the chains left alone.
        oracle: (accuracy, tokens) of stopping where the answer is first right.
    """

    chains: int
    left_out: int
    accuracy: float
    tokens: float
    oracle: tuple[float, float]
    lines: list[Line]
    curves: dict[str, list[Point]]

    def as_dict(self) -> dict[str, Any]:
        """The table as plain JSON."""
        return asdict(self)


def sweep(chains: Sequence[Chain], slack: float = 0.0) -> Table:
    """All families over their thresholds.

    Args:
        slack: How much accuracy a threshold may lose and still count as matched.
    """
    replayed = Replay(chains)
    found = families(replayed.chains)
    curves = {family.name: replayed.curve(family) for family in found}
    points = [point for curve in curves.values() for point in curve]
    low, alone = min(p.with_probes for p in points), min(p.tokens for p in points)
    lines = [
        Line(
            family.name,
            area(curves[family.name], low, replayed.mean_tokens),
            area(curves[family.name], alone, replayed.mean_tokens, probes=False),
            matched(replayed, family, slack),
            crossed(replayed, family, slack),
        )
        for family in found
    ]
    accuracy, tokens = replayed.accuracy, replayed.mean_tokens
    return Table(
        len(replayed.chains),
        replayed.left_out,
        accuracy,
        tokens,
        replayed.oracle(),
        lines,
        curves,
    )


def markdown(table: Table) -> str:
    """The table in Markdown."""
    share = 1 - table.oracle[1] / table.tokens
    head = (
        f"{table.chains} chains, {100 * table.accuracy:.1f} % right in {table.tokens:.0f} tokens; "
        f"stopping where half of the answers are first right: {100 * table.oracle[0]:.1f} % in "
        f"{table.oracle[1]:.0f} ({100 * share:.1f} % saved)"
    )
    if table.left_out:
        head += (
            f"\n\n{table.left_out} more hit the recording's limit, and nobody asked what they come "
            "to: they are left out"
        )
    return f"{head}\n\n{tables.table(map(_cells, table.lines))}"


def _cells(line: Line) -> dict[str, str]:
    found = {
        "rule": line.family,
        "area": f"{100 * line.area:.1f} %",
        "without probes": f"{100 * line.area_alone:.1f} %",
    }
    names = ("threshold", "accuracy", "change, points", "tokens", "with probes", "saved")
    values = (tables.NOTHING, *[""] * 4, "none at this accuracy")
    if line.best is not None:
        point = line.best.point
        values = (
            f"{point.threshold:.3g}",
            tables.percent(point.accuracy),
            line.best.change.points(),
            f"{point.tokens:.0f}",
            f"{point.with_probes:.0f}",
            line.best.saved.percent(),
        )
    saved, change = line.crossed
    held_out = {"threshold of other problems: saved": saved.percent()}
    held_out["its change, points"] = change.points()
    return found | dict(zip(names, values, strict=True)) | held_out


def calibration(found: Mapping[str, Calibrated], epsilon: float, delta: float) -> str:
    """Calibrated thresholds in Markdown."""
    head = (
        f"Calibrated on half of the problems, each rule by itself: at most {100 * epsilon:g} "
        f"points lost, with confidence {100 * (1 - delta):g} %; what it comes to on the others:"
    )
    lines = []
    for name, one in found.items():
        shown, change, saved = "none certified", "", ""
        if one.held_out is not None and one.threshold is not None:
            shown, change = f"{one.threshold:.3g}", one.held_out.change.points()
            saved = one.held_out.saved.percent()
        lines.append({"rule": name, "threshold": shown, "change, points": change, "saved": saved})
    parts = [head, tables.table(lines)]
    problems, fewest = min(one.problems for one in found.values()), fewest_problems(epsilon, delta)
    if problems < fewest:
        parts.append(f"{problems} problems certify nothing at this loss; {fewest} may.")
    return "\n\n".join(parts)


def plot(table: Table, chains: Sequence[Chain], folder: Path) -> list[Path]:
    """Write ``accuracy.png`` (against tokens, per rule), ``relative.png`` (against the share of
    tokens, as interwhen's figures 2 and 3) and ``chain.png`` (the signals along the longest chain
    that is right); returns their paths.

    Raises:
        BadInput: If they cannot be written.
    """
    import matplotlib

    matplotlib.use("Agg")
    paths = [folder / name for name in ("accuracy.png", "relative.png", "chain.png")]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _plot_curves(table, paths[0])
        _plot_relative(table, paths[1])
        _plot_chain(max(chains, key=lambda chain: (chain.right, len(chain.checks))), paths[2])
    except OSError as error:
        raise unwritable(folder, error) from error
    return paths


def _plot_curves(table: Table, path: Path) -> None:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(11, 5.5), layout="constrained")
    widest = 1.5 * table.tokens
    for number, (name, points) in enumerate(table.curves.items()):
        ordered = sorted(points, key=lambda point: point.with_probes)
        tokens = [point.with_probes for point in ordered]
        right = [100 * point.accuracy for point in ordered]
        label = name if tokens[0] < widest else f"{name} (right of the plot)"
        marker = "osv"[number // 10 % 3]  # there are ten colours
        axes.plot(tokens, right, marker=marker, markersize=3, linewidth=1, label=label)
    axes.plot(table.tokens, 100 * table.accuracy, "k*", markersize=12, label="left alone")
    axes.plot(
        table.oracle[1],
        100 * table.oracle[0],
        "k^",
        markersize=8,
        label="half of the answers first right",
    )
    axes.set(xlabel="tokens a chain, probes counted", ylabel="right, %", xlim=(0, widest))
    axes.set_title(f"{table.chains} chains; each point is a threshold", fontsize=10)
    figure.legend(loc="outside right upper", fontsize=8, frameon=False)
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def relative(table: Table) -> dict[str, list[tuple[float, float, float]]]:
    """(threshold, tokens as a share of those without a rule, accuracy) at the thresholds of
    interwhen's tables 8 to 10, of its three rules; probes are not counted there."""
    grids: dict[str, tuple[float, ...]] = {
        "entropy level, alpha 0.2": rules.LEVELS,
        "confidence": rules.CONFIDENCES,
        "k-stable": rules.STABLE,
    }
    return {
        name: [
            (point.threshold, point.tokens / table.tokens, point.accuracy)
            for point in table.curves[name]
            if point.threshold in grid
        ]
        for name, grid in grids.items()
    }


def _plot_relative(table: Table, path: Path) -> None:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7.2, 4.2), layout="constrained")
    for name, points in relative(table).items():
        ordered = sorted((share, 100 * right) for _, share, right in points)
        axes.plot(*zip(*ordered, strict=True), marker="o", markersize=3, linewidth=1, label=name)
    axes.axhline(100 * table.accuracy, color="k", linestyle=":", label="left alone")
    axes.set(xlabel="tokens, share of a chain left alone", ylabel="right, %")
    axes.legend(fontsize=8, frameon=False)
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def _plot_chain(chain: Chain, path: Path) -> None:
    """Entropy, its variance, the share of right answers and how many differ, along one chain."""
    from matplotlib import pyplot

    tokens = [check.tokens for check in chain.checks]
    variance = rules.moving("variance", rules.ALGORITHM_1)(chain.checks)
    drawn = {
        "entropy, nats": [check.entropy for check in chain.checks],
        "its variance, nats²": [max(value, 1e-12) for value in variance],
        "right, share of answers": [sum(c.right) / len(c.right) for c in chain.checks],
        "different answers": [rules.different(check.answers) for check in chain.checks],
    }
    figure, panels = pyplot.subplots(4, 1, figsize=(9, 9), sharex=True, layout="constrained")
    for number, (axes, (name, values)) in enumerate(zip(panels, drawn.items(), strict=True)):
        axes.plot(tokens, values, marker=".", linewidth=1, color=f"C{number}")
        axes.set_ylabel(name)
        axes.axvline(chain.thinking, color="k", linestyle=":", linewidth=1)
        axes.grid(alpha=0.3)
    panels[1].set_yscale("log")
    panels[2].set_ylim(-0.05, 1.05)
    panels[3].set_ylim(bottom=0)
    end = "right" if chain.right else "not right"
    panels[0].set_title(f"{chain.problem[:80]}: {end}; dotted: where thinking ended", fontsize=10)
    panels[-1].set_xlabel("tokens of thinking")
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
