"""Roll-outs that stop, and others that score (EAT, Algorithm 3 and section 5.3).

Of the answers recorded at a check point K are drawn: how many of them differ is the signal. The
others say how right a stop there is, so that no answer votes for itself. All is a mean over
:data:`DRAWS` draws. Answers of a check point are alike, so a draw takes the same numbers at each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from agentflow.evaluation.chains import Check

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

DRAWS = 64


@dataclass(frozen=True, slots=True)
class Drawn:
    """A chain's check points under every draw; all of shape (draws, check points).

    Attributes:
        different: How many answers differ among those that stop; infinite where no more than K were
            recorded, for nothing would be left to score by.
        right, lengths: Means over those that score.
        cost: Tokens of those that stop.
    """

    different: Floats
    right: Floats
    lengths: Floats
    cost: Floats


def draw(checks: Sequence[Check], k: int) -> Drawn:
    """What K answers of each check point say, and the others."""
    columns = [_check(check, k) for check in checks]
    shape = (4, DRAWS, 0)
    stacked = np.stack(columns, axis=-1) if columns else np.zeros(shape)
    return Drawn(*stacked)


def _check(check: Check, k: int) -> Floats:
    right, lengths = np.array(check.right, dtype=float), np.array(check.lengths, dtype=float)
    count = len(right)
    if count <= k:
        alone = np.inf, right.mean() if count else 0.0, lengths.mean() if count else 0.0
        return np.repeat(np.array([*alone, lengths.sum()])[:, None], DRAWS, axis=1)
    order = _orders(count)
    known: dict[str, int] = {}
    codes = [
        -1 - place if answer is None else known.setdefault(answer, len(known))
        for place, answer in enumerate(check.answers)
    ]
    stopping = np.sort(np.array(codes)[order[:, :k]], axis=1)
    return np.stack(
        [
            1.0 + (np.diff(stopping, axis=1) != 0).sum(axis=1),
            right[order[:, k:]].mean(axis=1),
            lengths[order[:, k:]].mean(axis=1),
            lengths[order[:, :k]].sum(axis=1),
        ]
    )


@cache
def _orders(count: int) -> Ints:
    rng = np.random.default_rng(count)
    return np.stack([rng.permutation(count) for _ in range(DRAWS)])
