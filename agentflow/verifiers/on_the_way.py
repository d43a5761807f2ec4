"""The values that a solution works with on the way to its answer, as its equations state them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice, pairwise

from agentflow.domains import arithmetic

_MAX_EQUATIONS = 500
_UNIT = re.compile(r"(?<=[\d)])\s{0,3}[^\W\d_]{1,20}[²³]?(?=\s{0,3}(?:[-+*/=)]|$))")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NUMBER = re.compile(r"[-+]?\d{1,40}(?:\.\d{1,40})?")
_MARKS = re.compile(
    r"^\s{0,8}(?:[-*•]\s+)?(?:(?:step\s+)?\d{1,3}[.):]\s+)?|\\[()\[\]$]|\*\*", re.IGNORECASE
)
_LEFT = re.compile(r"[0-9(+-][0-9+\-*/(). ]{0,199}$")
_RIGHT = re.compile(r"\s{0,3}([-+]?\d{1,40}(?:\.\d{1,40})?)(?![\d.]*\s{0,3}[-+*/^(\d])")


def leads_on(value: str, answer: str, steps: Sequence[str]) -> bool:
    """Whether a solution calculates its answer from a value, by equations that are all true.

    Args:
        value: What is looked for, a number.
        answer: What the solution comes to; anything but a number is calculated from nothing.
        steps: The solution.

    Returns:
        True only where the value is a term of an equation, behind which its result is a term of a
        next one, and so on to one whose result is the answer.
    """
    if not all(_NUMBER.fullmatch(one.strip()) for one in (value, answer)):
        return False
    sought, used = Fraction(value.strip()), {Fraction(answer.strip())}
    if sought in used:
        return False
    for terms, result in reversed(list(islice(_equations(steps), _MAX_EQUATIONS))):
        if result in used:
            used |= terms
    return sought in used


def _equations(steps: Sequence[str]) -> Iterator[tuple[set[Fraction], Fraction]]:
    """(the terms, the result) of every equation of numbers that is true and calculates."""
    for line in "\n".join(steps).splitlines():
        text = _THOUSANDS.sub("", arithmetic.plain(_MARKS.sub("", line)))
        text = _UNIT.sub("", text)
        sides = text.split("=")
        for said, result in pairwise(sides):
            left, right = _LEFT.search(said.rstrip()), _RIGHT.match(result)
            expression = arithmetic.parse(left[0].strip()) if left else None
            if expression is None or right is None or isinstance(expression, Fraction):
                continue
            given = arithmetic.number(right[1])
            if given is not None and arithmetic.value(expression) == given:
                yield set(arithmetic.numbers(expression)), given
