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


def goes_on_with(value: str, answer: str, steps: Sequence[str]) -> set[Fraction]:
    """What a solution works with where it calculates its answer from a value, by true equations.

    Args:
        value: A number.
        answer: What the solution comes to; anything but a number is calculated from nothing.
        steps: The solution.

    Returns:
        The terms of the equations that lead from the value to the answer: it is a term of one,
        whose result is a term of a later one, and so on to one whose result is the answer. Empty
        where none does.
    """
    if not all(_NUMBER.fullmatch(one.strip()) for one in (value, answer)):
        return set()
    sought, end = Fraction(value.strip()), Fraction(answer.strip())
    used, chain = {end}, list[tuple[set[Fraction], Fraction]]()
    for terms, result in reversed(list(islice(_equations(steps), _MAX_EQUATIONS))):
        if result in used:
            used |= terms
            chain.append((terms, result))
    reached, found = {sought}, set[Fraction]()
    for terms, result in reversed(chain):
        if terms & reached:
            reached.add(result)
            found |= terms
    return found if sought != end and end in reached else set()


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
