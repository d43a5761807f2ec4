"""The numbers that the author of a reply of Game of 24 knows, as far as it is read.

Those of the answer and of its parts are known from the beginning, those of a trial once its
equation was read; what number came out of which is kept, to tell what a trial leaves unused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from agentflow.domains import arithmetic
from agentflow.domains.game24 import reading

TARGET = Fraction(24)
_FRACTION = re.compile(r"(?<![\d./*^])(\d{1,9}) ?/ ?(\d{1,9})(?![\d./])")
_MAX_ORIGINS = 12


class Known:
    """What is known, equation by equation.

    Attributes:
        own: The numbers of the answer, sorted.
        parts: The values of the answer and of its parts.
        inner: The values of those that are operations, but of the whole.
        made: The signs of all operations in it, with what they come to.
        groups: The numbers in each of them.
        numbers: All numbers that may be spoken of.
        results: The numbers at hand, with those that came out of an operation.
        history: What was read last came out as this; the latest at the end.
        used: What numbers of ``own`` the last expression may have used; empty where nobody knows.
        solved: Whether a solution was read.
        tried: Whether something was tried.
        given_up: Whether what was read last is said to be no solution.
        sought: Whether the number last looked for can be made; None if nobody knows.
        owes: Whether it is still to be said that it cannot be made.
    """

    def __init__(self, answer: arithmetic.Expression) -> None:
        self.own = sorted(arithmetic.numbers(answer))
        self.counts = Counter(self.own)
        self.signs = {*signs(arithmetic.show(answer))}
        self.parts = {one for one in values(answer) if one is not None}
        self.inner = [arithmetic.value(one) for one in _operations(answer)][1:]
        self.made = [(one[0], arithmetic.value(one)) for one in _operations(answer)]
        self.groups = [sorted(arithmetic.numbers(one)) for one in _operations(answer)]
        self.numbers = {*self.parts, TARGET}
        self.results = Counter(self.own)
        self.history = list[Fraction]()
        self.used = list[Counter[Fraction]]()
        self.solved = False
        self.tried = False
        self.given_up = False
        self.sought: bool | None = None
        self.owes = False
        self._origins: dict[Fraction, list[Counter[Fraction]]] = {}

    @property
    def last(self) -> Fraction | None:
        """What was read last comes to."""
        return self.history[-1] if self.history else None

    def solves(self) -> bool:
        """Whether what was read last is a solution."""
        return self.last == TARGET and self.counts in self.used

    def learn(self, read: arithmetic.Expression | None) -> None:
        """Take in an expression."""
        if read is None:
            return
        found = [one for one in values(read) if one is not None]
        self.numbers |= {*found}
        if not found:
            return
        if isinstance(read, tuple):
            self.given_up = False
            self.used = self._uses(read)
            self.results.update({found[0]})
        elif read != self.last:
            self.used = self._of(read)
            self.results.update({read})
        if isinstance(read, tuple) or read != self.last:
            self.history.append(found[0])
        self.solved |= self.uses_all(read) and found[0] == TARGET
        self.solved |= self.counts in self.used and found[0] == TARGET

    def _uses(self, read: arithmetic.Expression) -> list[Counter[Fraction]]:
        """What numbers of ``own`` an expression may use."""
        if not isinstance(read, tuple):
            return self._of(read)
        sides = product(self._uses(read[1]), self._uses(read[2]))
        both = [one + other for one, other in sides if not (one + other) - self.counts]
        found = [one for at, one in enumerate(both) if one not in both[:at]][:_MAX_ORIGINS]
        value = arithmetic.value(read)
        if value is not None:
            there = self._origins.setdefault(value, [])
            there[:0] = [one for one in found if one not in there]
            del there[_MAX_ORIGINS:]
        return found

    def _of(self, number: Fraction) -> list[Counter[Fraction]]:
        itself = [Counter([number])] if number in self.counts else []
        return self._origins.get(number, []) + itself

    def unused(self, listed: Sequence[Fraction]) -> bool:
        """Whether numbers are among those that the last expression does not use."""
        return any(listed and not Counter(listed) - (self.counts - used) for used in self.used)

    def left(self, listed: Sequence[Fraction]) -> bool:
        """Whether numbers are those that are left, or some of them, or with what came out."""
        if not self.history:
            return False
        if self.used and all(used == self.counts for used in self.used):
            return listed == [self.last]
        alone = len(listed) == 1 and bool(self.used) and listed != [self.last]
        mine = [one for one in listed if one not in self.history]
        taken = bool(mine and self.used) and not self.unused(mine)
        return self.unused(listed) or not (alone or taken or Counter(listed) - self.results)

    def uses_all(self, read: arithmetic.Expression) -> bool:
        """Whether an expression uses the numbers of the answer."""
        return sorted(arithmetic.numbers(read)) == self.own

    def are_all(self, numbers: list[Fraction]) -> bool:
        """Whether listed numbers are those of the answer, or fewer."""
        return len(numbers) < len(self.own) or sorted(numbers) == self.own

    def comes_out(self, run: str, *, freely: bool = False) -> bool:
        """Whether an equation is right, or an expression is one that may be; it is taken in.

        Args:
            freely: Whether it may be of numbers that nobody knows: it is only tried.
        """
        sides = [side.strip(" .") for side in re.split("[=≈]", run.strip(" .").rstrip("( "))]
        while sides[0].count("(") > sides[0].count(")") and sides[0].startswith("("):
            sides[0] = sides[0][1:].strip()
        while sides[-1].count(")") > sides[-1].count("(") and sides[-1].endswith(")"):
            sides[-1] = sides[-1][:-1].strip(" .")
        read = [arithmetic.parse(reading.with_products(side)) for side in sides]
        told = [None if one is None else arithmetic.value(one) for one in read]
        come = [one for one in told if one is not None]
        if len(come) < len(sides) or not _alike(come, run):
            return False
        if len(sides) == 1 and not freely and not self._stands_alone(read[0], come[0]):
            return False
        own = any(one is not None and self.uses_all(one) for one in read)
        for at, (side, one) in enumerate(zip(sides, read, strict=True)):
            before = {part for other in read[:at] if other is not None for part in values(other)}
            if not (freely or own or self._are_known(side, {*come[1:], *before})):
                return False
            self.learn(one)
        return True

    def _stands_alone(self, read: arithmetic.Expression | None, value: Fraction) -> bool:
        """Whether an expression that is said to be nothing may be told: it is a solution, or an
        operation on the way."""
        if read is None or _size(read) > 2:
            return read is not None and self.uses_all(read) and value == TARGET
        return value in self.numbers

    def _are_known(self, side: str, results: set[Fraction | None]) -> bool:
        """Whether the numbers of an expression come from somewhere; a fraction may be one."""
        known = self.numbers | results

        def whole(found: re.Match[str]) -> str:
            bottom = int(found[2])
            return "0" if bottom and Fraction(int(found[1]), bottom) in known else found[0]

        read = arithmetic.parse(reading.with_products(_FRACTION.sub(whole, side)))
        return read is not None and (known | {Fraction(0)}).issuperset(arithmetic.numbers(read))

    def helps(self, wanted: Sequence[Fraction]) -> bool:
        """Whether it makes sense to look for a number: it leads to 24."""
        if len(wanted) > 1:
            return False
        number, last = wanted[0], self.last
        near = {*self.own, *self.history, *self.parts}
        factor = any(number * one == TARGET or number == TARGET * one for one in near)
        return number in self.parts or factor or (last is not None and number == abs(TARGET - last))


_Operation = tuple[str, arithmetic.Expression, arithmetic.Expression]


def _operations(expression: arithmetic.Expression) -> Iterator[_Operation]:
    """The operations in an expression, the outer ones first."""
    if isinstance(expression, tuple):
        yield expression
        for one in expression[1:]:
            yield from _operations(one)


def _size(expression: arithmetic.Expression) -> int:
    """How many numbers an expression has; a fraction is one."""
    if not isinstance(expression, tuple):
        return 1
    sign, one, other = expression
    is_fraction = sign == "/" and isinstance(one, Fraction) and isinstance(other, Fraction)
    return 1 if is_fraction else _size(one) + _size(other)


def makes(number: Fraction, given: Sequence[Fraction]) -> bool:
    """Whether a number can be made of others, each used once."""
    return next(arithmetic.reaching(number, given), None) is not None


def signs(text: str) -> list[str]:
    """The signs of operations, which stand behind a number."""
    return re.findall(r"(?<=[\d)]) ?([-+*/])", text)


def _alike(found: Iterable[Fraction], run: str) -> bool:
    """Whether values are one, as far as their decimals, or ``≈``, go."""
    low, high = (each(found) for each in (min, max))
    decimals = [len(one) for one in re.findall(r"\d\.(\d+)", run)]
    if "≈" in run:
        return high - low <= abs(high) / 50
    return high - low < Fraction(1, 10 ** min(decimals)) if decimals else low == high


def values(expression: arithmetic.Expression) -> Iterator[Fraction | None]:
    """The values of an expression and of its parts."""
    yield arithmetic.value(expression)
    if isinstance(expression, tuple):
        for part in expression[1:]:
            yield from values(part)
