"""Units of measurement in an equation: whether its plain numbers may be compared, and by what they
are converted.

``2 hours + 30 minutes = 32 hours`` holds in plain numbers only; ``3 * 60 minutes = 3 hours`` holds
only in converted ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from agentflow.domains.math.expressions import Tree, contains, is_operation, numbers
from agentflow.domains.math.notation import Token, tokens, units


class Unit(NamedTuple):
    """A unit: what it measures, and how many of the smallest one it is."""

    kind: str
    factor: Fraction


_TABLE = {
    "time": "second seconds sec secs s 1, minute minutes min mins 60, hour hours hr hrs h 3600, "
    "day days 86400, week weeks 604800",
    "calendar": "month months 1, year years yr yrs 12, decade decades 120, century centuries 1200",
    "length": "mm millimeters millimetres 1, cm centimeter centimeters centimetres 10, dm 100, "
    "m meter meters metre metres 1000, km kilometer kilometers kilometre kilometres 1000000",
    "imperial": "inch inches 1, foot feet ft 12, yard yards yd 36, mile miles mi 63360",
    "mass": "mg 1, g gram grams 1000, kg kilogram kilograms 1000000",
    "weight": "oz ounce ounces 1, lb lbs pound pounds 16, ton tons 32000",
    "money": "dollar dollars 1, cent cents penny pennies 1/100, nickel nickels 1/20, "
    "dime dimes 1/10",
    "volume": "ml milliliter milliliters 1, l liter liters litre litres 1000",
    "kitchen": "tsp teaspoon teaspoons 1, tbsp tablespoon tablespoons 3, cup cups 48, "
    "pint pints 96, quart quarts 192, gallon gallons 768",
    "count": "dozen dozens 12, score 20, gross 144, hundred hundreds 100, thousand thousands k "
    "1000, million millions 1000000, billion billions 1000000000, trillion trillions 1000000000000",
}
UNITS = {
    word: Unit(kind, Fraction(factor))
    for kind, listed in _TABLE.items()
    for *words, factor in map(str.split, listed.split(","))
    for word in words
}
"""Words for units that are converted into each other; those of money and counts into numbers."""
MONEY_WORDS = frozenset(word for word, unit in UNITS.items() if unit.kind == "money")
_RATES = {"mph": ("mile", "hour"), "kph": ("km", "hour")}
_PER = frozenset({"/", "per", "a", "an", "each", "every"})
_POWERS = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}


def scales(word: str) -> bool:
    """Whether a unit is a number of plain things: a cent, a dozen, a million."""
    unit = UNITS.get(word)
    return unit is not None and unit.kind in ("money", "count") and unit.factor != 1


def factor(run: Sequence[Token]) -> Fraction:
    """What a number is multiplied by to drop the unit behind it: ``miles per hour``."""
    found, power, under = Fraction(1), 1, False
    for place, token in enumerate(run):
        word = token.text.lower()
        under = under or word in _PER
        if token.kind == "^":
            power = 1
        elif word in _POWERS:
            power = _POWERS[word]
        for part, below in zip(_RATES.get(word, (word,)), (under, True), strict=False):
            if unit := UNITS.get(part):
                ahead = run[place + 1 : place + 3]
                raised = ahead and ahead[0].kind == "^" and len(ahead) == 2
                exponent = int(ahead[1].text) if raised else power
                found *= unit.factor ** (-exponent if below else exponent)
                power = 1
    return found


def comparable(one: str, other: str, left: Tree, right: Tree) -> bool:
    """Whether the plain numbers of two sides tell whether they are equal.

    They do where there is but one unit; and where a product or a quotient has the unit that it must
    have: ``2 hours * 60 minutes = 120 minutes``, ``10 miles / 2 hours = 5 miles``,
    ``36 inches / 12 = 3 feet``.

    Args:
        one: The left side as written.
        other: The right side as written.
        left: What the left side says, without its units.
        right: What the right side says, without its units.
    """
    above, below, labels = _measured(one)
    said, under, _ = _measured(other)
    every = {*above, *below, *said, *under}
    if len(every) <= 1 and not any(map(_scales, every)):
        return True
    if contains(left, "+", "-") or is_operation(right) or len({*said}) > 1 or under:
        return False
    if not said:
        said = [Unit("count", Fraction(1))]
        kinds = [unit.kind for unit in {*above, *below}]
        if not any(map(_scales, every)):
            return len(kinds) == len(set(kinds))
    (result,) = {*said}
    alike = [unit for unit in above if unit.kind == result.kind] or _plain(result, every)
    if result in alike:
        return result.factor == min(unit.factor for unit in alike) and not _scales(result)
    if alike:
        return len({*alike}) == 1 and _by_factor(alike[0].factor / result.factor, left)
    return not any(map(_scales, every)) and labels < len(list(numbers(left)))


def _scales(unit: Unit) -> bool:
    return unit.kind in ("money", "count") and unit.factor != 1


def _plain(result: Unit, every: set[Unit]) -> list[Unit]:
    """What a number without a unit counts, or the unit that a number alone is said to have."""
    if result.kind == "count" and result.factor == 1:
        return [unit for unit in every if _scales(unit)]
    return [Unit(result.kind, Fraction(1))] if _scales(result) else []


def _by_factor(ratio: Fraction, tree: Tree) -> bool:
    """Whether a product has the factor by which one unit becomes the other."""
    times, over = _factors(tree)
    return ratio in times if ratio > 1 else 1 / ratio in over


def _factors(tree: Tree) -> tuple[list[Tree], list[Tree]]:
    """What a product is multiplied with, and divided by."""
    match tree:
        case ("*", one, other):
            (a, b), (c, d) = _factors(one), _factors(other)
            return a + c, b + d
        case ("/", one, other):
            (a, b), (c, d) = _factors(one), _factors(other)
            return a + d, b + c
    return [tree], []


@lru_cache(maxsize=10_000)
def _measured(text: str) -> tuple[list[Unit], list[Unit], int]:
    """The units of what is written before a division sign and behind one, and how many there are;
    those behind ``per`` belong to rates and are left out."""
    found = tokens(text)
    sides: tuple[list[Unit], list[Unit]] = ([], [])
    labels, last = 0, 0
    for start, end in units(found):
        behind = any(token.kind == "/" for token in found[last:start])
        for unit in _mains(found[start:end]):
            sides[behind].append(unit)
        labels, last = labels + 1, last if behind else start
    return *sides, labels


def _mains(run: Sequence[Token]) -> Iterator[Unit]:
    for token in run:
        if token.text.lower() in _PER:
            return
        if unit := UNITS.get(token.text.lower()):
            yield unit
