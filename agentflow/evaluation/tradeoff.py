"""What a rule saves at what loss: areas, matched accuracy, intervals, calibrated thresholds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agentflow.errors import BadInput
from agentflow.evaluation.chains import Chain
from agentflow.evaluation.replay import Family, Point, Replay
from agentflow.evaluation.report import Interval

_RESAMPLES = 2000


def area(points: Sequence[Point], low: float, high: float) -> float:
    """Area under accuracy against tokens (probes included) from ``low`` to ``high`` tokens, divided
    by the width: the mean accuracy over budgets (paper 003, section 5.2).

    Between points the curve is straight; before the first it has the first's accuracy, behind the
    last the last's.
    """
    ordered = sorted(points, key=lambda point: point.with_probes)
    grid = np.linspace(low, high, 512)
    tokens = [point.with_probes for point in ordered]
    return float(np.interp(grid, tokens, [point.accuracy for point in ordered]).mean())


@dataclass(frozen=True, slots=True)
class Saving:
    """A family at one threshold.

    Attributes:
        point: Its means.
        saved: Share of the unstopped chains' tokens, probes counted, that it saves.
        change: Accuracy over the unstopped chains'.
    """

    point: Point
    saved: Interval
    change: Interval


def saving(replay: Replay, family: Family, point: Point, threshold: float) -> Saving:
    """What a threshold saves and loses, with 95 % bootstrap intervals over whole chains.

    Chains on one problem are resampled together.
    """
    stops = replay.stops(family, [threshold])[:, 0]
    rows = np.arange(len(stops))
    tokens = replay.tokens[rows, stops] + replay.probe_tokens(family)[rows, stops]
    change = replay.right[rows, stops] - replay.right[:, -1]
    groups: dict[str, list[int]] = {}
    for row, chain in enumerate(replay.chains):
        groups.setdefault(chain.problem, []).append(row)
    sums = np.array(
        [
            (tokens[r].sum(), replay.tokens[r, -1].sum(), change[r].sum(), len(r))
            for r in groups.values()
        ]
    )
    rng = np.random.default_rng(0)
    drawn = sums[rng.integers(len(sums), size=(_RESAMPLES, len(sums)))].sum(axis=1)
    return Saving(
        point,
        _interval(1 - sums[:, 0].sum() / sums[:, 1].sum(), 1 - drawn[:, 0] / drawn[:, 1]),
        _interval(sums[:, 2].sum() / sums[:, 3].sum(), drawn[:, 2] / drawn[:, 3]),
    )


def _interval(value: float, drawn: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Interval:
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Interval(float(value), float(low), float(high))


def matched(replay: Replay, family: Family, slack: float = 0.0) -> Saving | None:
    """The threshold that saves most tokens, probes counted, at no less accuracy than the unstopped
    chains have, but for ``slack``; None if none saves any."""
    points = replay.curve(family)
    able = [
        (point.with_probes, threshold, point)
        for point, threshold in zip(points, family.thresholds, strict=True)
        if point.accuracy >= replay.accuracy - slack and point.with_probes < replay.mean_tokens
    ]
    if not able:
        return None
    _, threshold, point = min(able)
    return saving(replay, family, point, threshold)


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A threshold chosen with a guarantee.

    Attributes:
        threshold: As the rule's setting has it; None if no threshold can be certified.
        certified: The largest p-value among those accepted.
        held_out: What it comes to on chains that had no part in the choice.
    """

    threshold: float | None
    certified: float
    held_out: Saving | None


def calibrate(
    chains: Sequence[Chain], family: Family, epsilon: float, delta: float, *, seed: int = 0
) -> Calibrated:
    """Choose the threshold that saves most while the accuracy lost stays within ``epsilon``, with
    confidence 1 - ``delta`` over the calibration chains (Learn then Test, fixed sequence).

    A chain's loss is how much less right it is for being stopped, in [0, 1]; gains do not count
    against losses. Thresholds are tested from the one that stops least on, each by Hoeffding and
    Bentkus' bound, up to the first that fails. Half of the problems calibrate, the others check.

    Raises:
        BadInput: If epsilon or delta are not between 0 and 1, or there are fewer than two problems.
    """
    if not (0 < epsilon < 1 and 0 < delta < 1):
        raise BadInput("epsilon and delta must lie between 0 and 1")
    problems = sorted({chain.problem for chain in chains})
    if len(problems) < 2:
        raise BadInput("calibration needs chains of two problems at least")
    order = np.random.default_rng(seed).permutation(len(problems))
    chosen = {problems[index] for index in order[: len(problems) // 2]}
    ours = Replay([chain for chain in chains if chain.problem in chosen])
    others = Replay([chain for chain in chains if chain.problem not in chosen])
    stops = ours.stops(family)
    rows = np.arange(len(ours.chains))[:, None]
    losses = np.maximum(0.0, ours.right[:, -1:] - ours.right[rows, stops])
    least_first = np.argsort(-stops.sum(axis=0), kind="stable")
    best, worst = None, 0.0
    for column in least_first:
        p = p_value(float(losses[:, column].mean()), len(chosen), epsilon)
        if p > delta:
            break
        best, worst = int(column), max(worst, p)
    if best is None:
        return Calibrated(None, 1.0, None)
    threshold = family.thresholds[best]
    (point,) = others.curve(family, [threshold])
    return Calibrated(point.threshold, worst, saving(others, family, point, threshold))


def p_value(mean_loss: float, n: int, epsilon: float) -> float:
    """Of the hypothesis that the expected loss is above ``epsilon``, for ``n`` independent losses
    in [0, 1] with this mean (Hoeffding and Bentkus)."""
    if mean_loss >= epsilon:
        return 1.0
    a, b = mean_loss, epsilon
    divergence = (a * math.log(a / b) if a else 0.0) + (1 - a) * math.log((1 - a) / (1 - b))
    at_most = sum(math.comb(n, i) * b**i * (1 - b) ** (n - i) for i in range(math.ceil(n * a) + 1))
    return min(1.0, math.exp(-n * divergence), math.e * at_most)
