"""What a rule saves at what loss: areas, matched accuracy, intervals, calibrated thresholds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from agentflow.errors import BadInput
from agentflow.evaluation.chains import Chain
from agentflow.evaluation.families import Family
from agentflow.evaluation.intervals import Interval, bootstrap, ratio, risk_p_value
from agentflow.evaluation.replay import Point, Replay

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_NOISE = 1e-9
"""Equal means of shares differ by less."""


def area(points: Sequence[Point], low: float, high: float, *, probes: bool = True) -> float:
    """Area under accuracy against tokens from ``low`` to ``high`` tokens, divided by the width: the
    mean accuracy over budgets (EAT, section 5.2).

    Between points the curve is straight; before the first it has the first's accuracy, behind the
    last the last's.

    Args:
        probes: Whether their tokens count (EAT, figure 21; figures 3 and 13 are without).
    """
    ordered = sorted(points, key=lambda point: _tokens(point, probes))
    grid = np.linspace(low, high, 512)
    tokens = [_tokens(point, probes) for point in ordered]
    return float(np.interp(grid, tokens, [point.accuracy for point in ordered]).mean())


def _tokens(point: Point, probes: bool) -> float:
    return point.with_probes if probes else point.tokens


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


def saving(
    replay: Replay, family: Family, point: Point, threshold: float, *, probes: bool = True
) -> Saving:
    """What a threshold saves and loses, with 95 % bootstrap intervals over whole chains.

    Chains on one problem are resampled together.

    Args:
        probes: Whether their tokens count.
    """
    found = replay.outcome(family, [threshold])
    tokens = found.tokens + found.probes * probes
    return Saving(point, *_measured(replay, found.right[:, 0], tokens[:, 0]))


def _measured(replay: Replay, right: Floats, tokens: Floats) -> tuple[Interval, Interval]:
    """(share of tokens saved, change of accuracy) where chains are so right in so many tokens."""
    change, left = right - replay.right[:, -1], replay.tokens[:, -1]
    groups = replay.by_problem()
    spent, whole, changes = ([values[r].sum() for r in groups] for values in (tokens, left, change))
    return (
        bootstrap(lambda a, b, axis: 1 - ratio(a, b, axis), spent, whole, paired=True),
        bootstrap(ratio, changes, [len(r) for r in groups], paired=True),
    )


def matched(
    replay: Replay, family: Family, slack: float = 0.0, *, probes: bool = True
) -> Saving | None:
    """The threshold that saves most tokens at no less accuracy than the unstopped chains have, but
    for ``slack``; None if none saves any (interwhen, section 5.2).

    It is chosen on the chains that it is then measured on: :func:`crossed` and :func:`calibrate`
    hold some back.

    Args:
        probes: Whether their tokens count; the papers' tables leave them out.
    """
    best = _best(replay, family, slack, probes)
    if best is None:
        return None
    (point,) = replay.curve(family, [best])
    return saving(replay, family, point, best, probes=probes)


def _best(replay: Replay, family: Family, slack: float, probes: bool = True) -> float | None:
    """The threshold that :func:`matched` chooses."""
    able = [
        (_tokens(point, probes), threshold)
        for point, threshold in zip(replay.curve(family), family.thresholds, strict=True)
        if point.accuracy >= replay.accuracy - slack - _NOISE
        and _tokens(point, probes) < replay.mean_tokens
    ]
    return min(able)[1] if able else None


def crossed(replay: Replay, family: Family, slack: float = 0.0) -> tuple[Interval, Interval]:
    """(share of tokens saved, change of accuracy) where each half of the problems has the threshold
    that :func:`matched` chooses on the other half; none is a half left alone."""
    problems = sorted({chain.problem for chain in replay.chains})
    first = set(np.random.default_rng(0).permutation(problems)[: len(problems) // 2])
    side = np.array([chain.problem in first for chain in replay.chains])
    right, tokens = replay.right[:, -1].copy(), replay.tokens[:, -1].copy()
    for half in (side, ~side):
        others = [chain for chain, ours in zip(replay.chains, half, strict=True) if not ours]
        best = _best(Replay(others), family, slack) if others else None
        if best is not None:
            found = replay.outcome(family, [best])
            right[half] = found.right[half, 0]
            tokens[half] = (found.tokens + found.probes)[half, 0]
    return _measured(replay, right, tokens)


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A threshold chosen with a guarantee.

    Attributes:
        threshold: As the rule's setting has it; None if no threshold can be certified.
        problems: How many it was chosen on.
        held_out: What it comes to on chains that had no part in the choice.
    """

    threshold: float | None
    problems: int
    held_out: Saving | None


def calibrate(
    chains: Sequence[Chain], family: Family, epsilon: float, delta: float, *, seed: int = 0
) -> Calibrated:
    """Choose the threshold that saves most while the accuracy lost stays within ``epsilon``, with
    confidence 1 - ``delta`` over the draw of problems (Learn then Test, fixed sequence).

    A problem's loss is how much less right its chains are for being stopped, in [0, 1]; gains on
    one problem do not make up for losses on another. Thresholds are tested from the one that stops
    least on (an order that owes nothing to the chains), each by Hoeffding and Bentkus' bound, up to
    the first that fails. Half of the problems calibrate, the others check. Of several rules
    calibrated on the same chains each is certified by itself, not the best of them.

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
    losses = mean_losses(ours, family)
    certified = []
    for column in np.argsort(family.thresholds, kind="stable"):
        if risk_p_value(float(losses[column]), len(chosen), epsilon) > delta:
            break
        certified.append(int(column))
    if not certified:
        return Calibrated(None, len(chosen), None)
    points = ours.curve(family)
    best = min(certified, key=lambda column: points[column].with_probes)
    others = Replay([chain for chain in chains if chain.problem not in chosen])
    threshold = family.thresholds[best]
    (point,) = others.curve(family, [threshold])
    return Calibrated(point.threshold, len(chosen), saving(others, family, point, threshold))


def mean_losses(replay: Replay, family: Family) -> Floats:
    """The mean over problems of what each threshold of a family loses on a problem."""
    lost = replay.right[:, -1:] - replay.outcome(family).right
    each = [np.maximum(0.0, lost[rows].mean(axis=0)) for rows in replay.by_problem()]
    return np.asarray(np.mean(each, axis=0))


def fewest_problems(epsilon: float, delta: float) -> int:
    """With fewer problems to calibrate on, nothing can be certified, whatever they show."""
    return math.ceil(math.log(delta) / math.log(1 - epsilon))
