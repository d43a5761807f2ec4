"""Numbers as token ids: the one way back from a logits processor is the token that it forces.

A number of a known range is written in base ``base``, the most significant place first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor

PLACES = 2
"""Digits of a number. With 1,500 ids an entropy is told to 4e-6 nats, with 150,000 to 1e-9."""
MOST = 16.0
"""Nats that no entropy comes to, whatever the vocabulary; other numbers are probabilities."""
REASONS = (
    *("model", "entropy", "entropy_level", "confidence", "pattern", "k_stable", "repetition"),
    *("budget", "several", "length"),
)
"""Why a thinking ended: ``model`` where the model closed it itself, ``length`` where it did not end
within the request; ``several`` where all rules were asked for."""


def encode(value: float, most: float, base: int) -> list[int]:
    """The digits, each below ``base``, of a value in [0, ``most``]."""
    whole = base * base
    number = min(max(floor(value / most * whole), 0), whole - 1)
    return [number // base, number % base]


def decode(digits: Sequence[int], most: float, base: int) -> float:
    """The middle of what ``digits`` may stand for.

    Raises:
        ValueError: If they are not :data:`PLACES` digits.
    """
    if len(digits) != PLACES or not all(0 <= digit < base for digit in digits):
        raise ValueError(f"{list(digits)} are not {PLACES} digits below {base}")
    return (digits[0] * base + digits[1] + 0.5) / (base * base) * most


RANGES: Mapping[str, float] = {
    "protocol": 1000.0,
    "entropy": MOST,
    "confidence": 1.0,
    "yes": 1.0,
    "no": 1.0,
}
"""What each field of a probe lies in, from 0."""


def decode_probe(
    ids: Sequence[int], fields: Sequence[str], first: int, base: int
) -> dict[str, float]:
    """A probe's answer, by field.

    Raises:
        ValueError: If the ids are no such answer: no plugin forced them.
    """
    if len(ids) != PLACES * len(fields):
        raise ValueError(f"{len(ids)} tokens for {len(fields)} numbers")
    digits = [one - first for one in ids]
    return {
        field: decode(digits[PLACES * i : PLACES * (i + 1)], RANGES[field], base)
        for i, field in enumerate(fields)
    }


@dataclass(frozen=True, slots=True)
class Ended:
    """A report: why the thinking ended, after how many tokens, and its last values.

    Attributes:
        reason: One of :data:`REASONS`.
        tokens: Tokens of thinking, without the close marker.
        curve: The last values (nats of entropy; where no rule reads it, of confidence).
    """

    reason: str
    tokens: int
    curve: tuple[float, ...]


def report(ids: Sequence[int], first: int, base: int, most: float) -> Ended:
    """Read a report: the reason, the tokens in :data:`PLACES` digits, how many values, and these.

    Args:
        most: Of what range the values are: :data:`RANGES`.

    Raises:
        ValueError: If the ids are none.
    """
    digits = [one - first for one in ids]
    if len(digits) < 4 or len(digits) != 4 + PLACES * digits[3]:
        raise ValueError(f"{len(digits)} tokens are no whole report")
    if not 0 <= digits[0] < len(REASONS) or not all(0 <= digit < base for digit in digits):
        raise ValueError(f"{digits[:4]} begin no report")
    values = digits[4:]
    pairs = [values[i : i + PLACES] for i in range(0, len(values), PLACES)]
    curve = tuple(decode(pair, most, base) for pair in pairs)
    return Ended(REASONS[digits[0]], digits[1] * base + digits[2], curve)
