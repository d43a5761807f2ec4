"""Replay: any rule and threshold on recorded chains, without the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from agentflow.errors import BadInput
from agentflow.evaluation import resampling
from agentflow.evaluation.chains import Chain
from agentflow.evaluation.ends import final
from agentflow.evaluation.families import Family, Statistic

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Point:
    """What one threshold comes to, as means over the chains.

    Attributes:
        accuracy: Share of right answers.
        tokens: Tokens of thinking and answer a chain.
        with_probes: The same and what the probes generated.
        stopped: Share of chains stopped.
    """

    family: str
    threshold: float
    accuracy: float
    tokens: float
    with_probes: float
    stopped: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What thresholds come to on each chain; all of shape (chains, thresholds).

    Of a family whose roll-outs are drawn anew, means over the draws.

    Attributes:
        right: Share of right answers.
        tokens: Of thinking and answer.
        probes: Tokens that the family's probes generated.
        stopped: Whether the chain was stopped, or how often.
    """

    right: Floats
    tokens: Floats
    probes: Floats
    stopped: Floats


class Replay:
    """Recorded chains, ready for every rule.

    What a chain comes to at its end is what was asked there: Pass@1 behind the closed thinking,
    where that was recorded; so a chain that hit the recording's limit does not count as wrong.

    Args:
        chains: At least one whose end is known.

    Attributes:
        left_out: Chains that hit the recording's limit, and of which nothing else is known.
        right, tokens: At each check point, and left alone in the columns behind the last.
        accuracy: Of the chains left alone, and their mean ``tokens``.

    Raises:
        BadInput: If there is none.
    """

    def __init__(self, chains: Sequence[Chain]) -> None:
        known = [(chain, end) for chain in chains if (end := final(chain)) is not None]
        if not known:
            raise BadInput(
                "every chain hit the recording's limit, and no answer was asked for on the way: "
                "record with a larger solver_tokens, or with thinking_tokens"
            )
        self.chains = [chain for chain, _ in known]
        self.left_out = len(chains) - len(known)
        width = max(len(chain.checks) for chain in self.chains) + 1
        self.counts: Ints = np.array([len(chain.checks) for chain in self.chains])
        self.right: Floats = np.zeros((len(known), width))
        self.tokens: Floats = np.zeros((len(known), width))
        for row, (chain, (right, tokens)) in enumerate(known):
            for column, check in enumerate(chain.checks):
                self.right[row, column] = sum(check.right) / len(check.right)
                self.tokens[row, column] = check.tokens + sum(check.lengths) / len(check.lengths)
            self.right[row, len(chain.checks) :] = right
            self.tokens[row, len(chain.checks) :] = tokens
        self._drawn: dict[int, list[resampling.Drawn]] = {}
        self._lowest: dict[tuple[Statistic, bool, int], list[Floats]] = {}

    @property
    def accuracy(self) -> float:
        return float(self.right[:, -1].mean())

    @property
    def mean_tokens(self) -> float:
        return float(self.tokens[:, -1].mean())

    def by_problem(self) -> list[list[int]]:
        """The rows of each problem's chains."""
        rows: dict[str, list[int]] = {}
        for row, chain in enumerate(self.chains):
            rows.setdefault(chain.problem, []).append(row)
        return list(rows.values())

    def stops(self, family: Family, thresholds: Sequence[float] | None = None) -> Ints:
        """Where each threshold stops each chain, shape (chains, thresholds): the index of a check
        point, or their number for a chain that is left alone. Not for roll-outs, which are drawn.
        """
        wanted = np.asarray(family.thresholds if thresholds is None else thresholds)
        key = family.statistic, family.candidates, family.every
        if key not in self._lowest:
            values = (np.array(family.values(chain.checks), dtype=float) for chain in self.chains)
            self._lowest[key] = [np.minimum.accumulate(one) for one in values]
        return np.array([_first(one, wanted) for one in self._lowest[key]], dtype=np.int64)

    def outcome(self, family: Family, thresholds: Sequence[float] | None = None) -> Outcome:
        """What each threshold comes to on each chain."""
        if family.rollouts:
            return self._of_draws(family, thresholds)
        stops = self.stops(family, thresholds)
        rows = np.arange(len(self.chains))[:, None]
        stopped = (stops < self.counts[:, None]).astype(float)
        probes = self._probe_tokens(family)[rows, stops]
        return Outcome(self.right[rows, stops], self.tokens[rows, stops], probes, stopped)

    def _of_draws(self, family: Family, thresholds: Sequence[float] | None) -> Outcome:
        wanted = np.asarray(family.thresholds if thresholds is None else thresholds)
        k = family.rollouts
        if k not in self._drawn:
            self._drawn[k] = [resampling.draw(chain.checks, k) for chain in self.chains]
        found = []
        for row, (chain, drawn) in enumerate(zip(self.chains, self._drawn[k], strict=True)):
            asked, count = np.array(family.asked(chain.checks), dtype=bool), len(chain.checks)
            lowest = np.minimum.accumulate(np.where(asked, drawn.different, np.inf), axis=1)
            stops = np.array([_first(one, wanted) for one in lowest])
            tokens = np.array([check.tokens for check in chain.checks]) + drawn.lengths
            spent = np.cumsum(np.where(asked, drawn.cost, 0.0), axis=1)
            all_spent = spent[:, -1:] if count else np.zeros((resampling.DRAWS, 1))
            columns = [
                _and(drawn.right, self.right[row, -1]),
                _and(tokens, self.tokens[row, -1]),
                np.hstack([spent, all_spent]),
            ]
            means = [np.take_along_axis(one, stops, axis=1).mean(axis=0) for one in columns]
            found.append([*means, (stops < count).mean(axis=0)])
        return Outcome(*np.array(found).transpose(1, 0, 2))

    def _probe_tokens(self, family: Family) -> Floats:
        """Tokens that the probes of a family generate up to each stop, shape as ``right``."""
        cost = np.zeros_like(self.right)
        if family.probed == "nothing":
            return cost
        for row, chain in enumerate(self.chains):
            each = 1 if family.probed == "entropy" else chain.confidence_tokens
            total = np.cumsum(np.array(family.asked(chain.checks), dtype=float) * each)
            cost[row, : len(total)] = total
            cost[row, len(total) :] = total[-1] if len(total) else 0.0
        return cost

    def curve(self, family: Family, thresholds: Sequence[float] | None = None) -> list[Point]:
        """Accuracy and tokens at every threshold."""
        wanted = family.thresholds if thresholds is None else thresholds
        found = self.outcome(family, wanted)
        columns = (found.right, found.tokens, found.tokens + found.probes, found.stopped)
        means = [one.mean(axis=0) for one in columns]
        return [
            Point(family.name, float(family.shown(threshold)), *map(float, values))
            for threshold, *values in zip(wanted, *means, strict=True)
        ]

    def oracle(self) -> tuple[float, float]:
        """(accuracy, tokens) of stopping where at least half of the answers are first right."""
        rows = np.arange(len(self.chains))
        hit = self.right >= 0.5
        hit[rows, self.counts] = True  # a chain that is left alone
        stop = hit.argmax(axis=1)
        return float(self.right[rows, stop].mean()), float(self.tokens[rows, stop].mean())


def _first(lowest: Floats, thresholds: Floats) -> Ints:
    """The first check point below each threshold, or their number: how many running minima are not
    below it."""
    return np.searchsorted(-lowest, -thresholds, side="right")


def _and(columns: Floats, last: float) -> Floats:
    """One more column."""
    return np.hstack([columns, np.full((len(columns), 1), last)])
