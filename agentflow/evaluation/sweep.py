"""Every rule on recorded chains: the table, and the plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agentflow.evaluation import replay
from agentflow.evaluation.chains import Chain
from agentflow.evaluation.replay import Family, Point, Replay
from agentflow.evaluation.tradeoff import Calibrated, Saving, area, matched
from agentflow.monitors.rules import Average

ALPHAS = (0.01, 0.05, 0.1, 0.2, 0.4)
"""The paper's ablation of the EMA's weight (003, appendix I.3)."""


def families(chains: Sequence[Chain]) -> list[Family]:
    """Every rule that the recorded signals serve, with the papers' grids."""
    sampled = max((len(check.answers) for chain in chains for check in chain.checks), default=0)
    longest = max(chain.thinking for chain in chains)
    return [
        *(replay.entropy_variance(Average(alpha)) for alpha in ALPHAS),
        replay.entropy_variance(Average(0.2, first=True, debias=False), min_checks=4),
        replay.entropy_level(),
        replay.confidence(),
        *(replay.unique_answers(k) for k in (8, 16, 32) if k <= sampled),
        replay.k_stable(),
        replay.budget(longest),
        replay.stall(),
    ]


@dataclass(frozen=True, slots=True)
class Line:
    """One family's line of the table.

    Attributes:
        area: Under accuracy against tokens, probes counted.
        best: At the threshold that saves most at matched accuracy; None if none saves anything.
    """

    family: str
    area: float
    best: Saving | None


@dataclass(frozen=True, slots=True)
class Table:
    """Every family on the same chains.

    Attributes:
        accuracy, tokens: Of the chains left alone.
        oracle: (accuracy, tokens) of stopping where the answer is first right.
    """

    chains: int
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
    found = families(chains)
    curves = {family.name: replayed.curve(family) for family in found}
    low = min(point.with_probes for points in curves.values() for point in points)
    lines = [
        Line(
            family.name,
            area(curves[family.name], low, replayed.mean_tokens),
            matched(replayed, family, slack),
        )
        for family in found
    ]
    accuracy, tokens = replayed.accuracy, replayed.mean_tokens
    return Table(len(replayed.chains), accuracy, tokens, replayed.oracle(), lines, curves)


def markdown(table: Table) -> str:
    """The table in Markdown."""
    share = 1 - table.oracle[1] / table.tokens
    rows = [
        f"{table.chains} chains, {100 * table.accuracy:.1f} % right in {table.tokens:.0f} tokens; "
        f"stopping where the answer is first right: {100 * table.oracle[0]:.1f} % in "
        f"{table.oracle[1]:.0f} ({100 * share:.1f} % saved)",
        "",
        "| rule | area | threshold | accuracy | change, points | tokens | with probes | saved |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for line in table.lines:
        start = f"| {line.family} | {100 * line.area:.1f} % |"
        if line.best is None:
            rows.append(f"{start} – | | | | | none at this accuracy |")
            continue
        point = line.best.point
        rows.append(
            f"{start} {point.threshold:.3g} | {100 * point.accuracy:.1f} % | "
            f"{line.best.change.points()} | {point.tokens:.0f} | {point.with_probes:.0f} | "
            f"{line.best.saved.percent()} |"
        )
    return "\n".join(rows)


def calibration(found: Mapping[str, Calibrated], epsilon: float, delta: float) -> str:
    """Calibrated thresholds in Markdown."""
    rows = [
        f"Calibrated on half of the problems: at most {100 * epsilon:g} points lost, with "
        f"confidence {100 * (1 - delta):g} %; what they come to on the other half:",
        "",
        "| rule | threshold | change, points | saved |",
        "|---|---:|---:|---:|",
    ]
    for name, one in found.items():
        if one.held_out is None or one.threshold is None:
            rows.append(f"| {name} | none certified | | |")
            continue
        saved, change = one.held_out.saved.percent(), one.held_out.change.points()
        rows.append(f"| {name} | {one.threshold:.3g} | {change} | {saved} |")
    return "\n".join(rows)


def plot(table: Table, chains: Sequence[Chain], folder: Path) -> list[Path]:
    """Write ``accuracy.png`` (against tokens, per rule) and ``chain.png`` (the signals along the
    longest chain); returns their paths."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
    for name, points in table.curves.items():
        ordered = sorted(points, key=lambda point: point.with_probes)
        tokens = [point.with_probes for point in ordered]
        right = [100 * point.accuracy for point in ordered]
        axes.plot(tokens, right, marker=".", linewidth=1, label=name)
    axes.plot(table.tokens, 100 * table.accuracy, "k*", markersize=12, label="left alone")
    axes.plot(table.oracle[1], 100 * table.oracle[0], "k^", markersize=8, label="first right")
    axes.set(xlabel="tokens a chain, probes counted", ylabel="right, %")
    axes.set_xlim(0, 1.5 * table.tokens)
    axes.legend(fontsize=7)
    axes.grid(alpha=0.3)
    paths = [folder / "accuracy.png", folder / "chain.png"]
    figure.savefig(paths[0], dpi=150)
    pyplot.close(figure)
    _plot_chain(max(chains, key=lambda chain: len(chain.checks)), paths[1])
    return paths


def _plot_chain(chain: Chain, path: Path) -> None:
    """Entropy, its variance, and the share and number of answers, along one chain."""
    from matplotlib import pyplot

    tokens = [check.tokens for check in chain.checks]
    variance = [one["variance"] for one in replay.averages(chain.checks, replay.ALGORITHM_1)]
    figure, axes = pyplot.subplots(3, 1, figsize=(8, 7), sharex=True, layout="constrained")
    axes[0].plot(tokens, [check.entropy for check in chain.checks], marker=".")
    axes[0].set(ylabel="entropy, nats", title=chain.problem[:80])
    axes[1].semilogy(tokens, [max(value, 1e-12) for value in variance], marker=".", color="C1")
    axes[1].set(ylabel="its variance, nats²")
    right = [sum(check.right) / len(check.right) for check in chain.checks]
    kinds = [len(set(check.answers)) for check in chain.checks]
    axes[2].plot(tokens, right, marker=".", color="C2", label="right, share")
    axes[2].set(ylabel="right, share", xlabel="tokens of thinking", ylim=(-0.05, 1.05))
    other = axes[2].twinx()
    other.plot(tokens, kinds, marker=".", color="C3")
    other.set_ylabel("different answers", color="C3")
    for one in axes:
        one.grid(alpha=0.3)
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
