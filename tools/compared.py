"""What a comparison of two answers says: an outcome, or parts that are still to be compared."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether two answers are equal.

    Attributes:
        equal: True, False, or None where it cannot be told.
        how: What decided: ``text``, ``number``, ``choice``, ``words``, ``parts``, ``time of day``,
            ``date``, ``residue``, ``math_verify``, ``rounded`` (not equal, but one is the other in
            decimals); where it cannot be told, why.
    """

    equal: bool | None
    how: str


@dataclass(frozen=True, slots=True)
class Parts:
    """Two answers of several parts, to be compared part by part.

    Attributes:
        one: The parts of the one.
        other: As many parts of the other.
        ordered: Whether the first belongs to the first; False where any order will do, None where
            another order than theirs tells nothing.
    """

    one: tuple[str, ...]
    other: tuple[str, ...]
    ordered: bool | None
