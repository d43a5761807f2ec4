"""Units of measurement in an equation: whether its plain numbers may be compared, and by what they
are converted.

``2 hours + 30 minutes = 32 hours`` holds in plain numbers only; ``3 * 60 minutes = 3 hours`` holds
only in converted ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import NamedTuple, TypeAlias

from agentflow.domains.math.expressions import Tree, contains, is_operation, numbers
from agentflow.domains.math.notation import Token, tokens, units
from agentflow.tools.quantities import singular, things


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
_UNIT_KINDS = frozenset(unit.kind for unit in UNITS.values())
MONEY_WORDS = frozenset(word for word, unit in UNITS.items() if unit.kind == "money")
_RATES = {"mph": ("mile", "hour"), "kph": ("km", "hour")}
Powers: TypeAlias = "Counter[Unit | str]"
"""Units and things of a product, with their powers."""


class _Measured(NamedTuple):
    """What a side measures.

    Attributes:
        above: The units before a division sign; those behind ``per`` belong to rates and are left
            out.
        below: The units behind a division sign.
        labels: How many numbers have a unit.
        powers: All of them and the things that are counted; of use for products only.
    """

    above: list[Unit]
    below: list[Unit]
    labels: int
    powers: Powers


_PER = frozenset({"/", "per", "a", "an", "each", "every"})
POWERS = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}


def scales(word: str) -> bool:
    """Whether a unit is a number of plain things: a cent, a dozen, a million."""
    unit = UNITS.get(word)
    return unit is not None and unit.kind in ("money", "count") and unit.factor != 1


def factor(run: Sequence[Token]) -> Fraction:
    """What a number is multiplied by to drop the unit behind it: ``miles per hour``."""
    return prod((unit.factor**power for unit, power in _parts(run)), start=Fraction(1))


def _parts(run: Sequence[Token]) -> Iterator[tuple[Unit, int]]:
    """The units that a unit consists of, with their powers; those behind ``per`` are negative."""
    power, under = 1, False
    for place, token in enumerate(run):
        word = token.text.lower()
        under = under or word in _PER
        if token.kind == "^":
            power = 1
        elif word in POWERS:
            power = POWERS[word]
        for part, below in zip(_RATES.get(word, (word,)), (under, True), strict=False):
            if unit := UNITS.get(part):
                ahead = run[place + 1 : place + 3]
                raised = ahead and ahead[0].kind == "^" and len(ahead) == 2
                exponent = int(ahead[1].text) if raised else power
                yield unit, -exponent if below else exponent
                power = 1


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
    first, second = _measured(one), _measured(other)
    if contains(left, "+", "-") or contains(right, "+", "-"):
        every = {unit for side in (first, second) for unit in (*side.above, *side.below)}
        every |= {unit for unit in {**first.powers, **second.powers} if isinstance(unit, Unit)}
        return len(every) <= 1 and not any(map(_scales, every))
    if not _agree(first.powers, second.powers) or _are_mixed(first.powers, second.powers):
        return False
    above, below, said = first.above, first.below, second.above
    every = {*above, *below, *said, *second.below}
    if len(every) <= 1 and not any(map(_scales, every)):
        return True
    if is_operation(right) or len({*said}) > 1 or second.below:
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
    return not any(map(_scales, every)) and first.labels < len(list(numbers(left)))


def convertible(one: str, other: str, left: Tree, right: Tree) -> bool:
    """Whether two sides measure the same, as far as can be told, once their units are converted;
    the arguments are those of :func:`comparable`."""
    if contains(left, "+", "-") or contains(right, "+", "-"):
        return True
    return _agree(*(_by_kind(_measured(side).powers) for side in (one, other)))


def adds_things(one: str, other: str) -> bool:
    """Whether numbers of different things are added, and the result is none of things: ``2 pens + 3
    pencils = 13``, what they cost; the arguments are those of :func:`comparable`."""
    added, told = (_by_kind(_measured(side).powers) for side in (one, other))
    things = {thing for thing, power in told.items() if thing not in _UNIT_KINDS}
    return len(added) > 1 and not things


def _agree(powers: Powers, said: Powers) -> bool:
    """Whether each unit of a result has the power that it has in the product:
    ``3 feet * 3 feet`` are no ``feet``."""
    return all(powers.get(unit, power) == power for unit, power in said.items())


def _are_mixed(powers: Powers, said: Powers) -> bool:
    """Whether a unit stands over another of the same kind, so that it must be converted:
    ``60 miles per hour * 30 minutes``; or a rate is said in another."""
    rates = Counter(powers)
    rates.subtract({unit: power for unit, power in said.items() if power < 0})
    signs = {
        (unit.kind, power > 0) for unit, power in rates.items() if power and isinstance(unit, Unit)
    }
    return any((kind, not sign) in signs for kind, sign in signs)


def _by_kind(powers: Powers) -> Powers:
    """The powers of what the units measure."""
    found = Counter[Unit | str]()
    for unit, power in powers.items():
        found[unit.kind if isinstance(unit, Unit) else unit] += power
    return found


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
def _measured(text: str) -> _Measured:
    found = tokens(text)
    runs = list(units(found))
    signs = _signs(found) if runs else []
    above, below = list[Unit](), list[Unit]()
    powers = Counter[Unit | str]()
    for start, end in runs:
        (above if signs[start] > 0 else below).extend(_mains(found[start:end]))
        for unit, power in _powers(found[start:end]):
            powers[unit] += signs[start] * power
    return _Measured(above, below, len(runs), powers)


def _signs(found: Sequence[Token]) -> list[int]:
    """Of each token of a product: 1 above a fraction bar or before a division sign, -1 below."""
    signs = list[int]()
    outer, sign, over = 1, 1, False
    opened = list[tuple[int, int, bool]]()
    for place, token in enumerate(found):
        if token.kind in ("*", "/"):
            sign = outer if token.kind == "*" else -outer
        elif token.kind in ("(", "{"):
            opened.append((outer, sign, place > 0 and found[place - 1].text == "frac"))
            outer = sign = -sign if over else sign
            over = False
        elif token.kind in (")", "}") and opened:
            outer, sign, over = opened.pop()
        signs.append(sign)
    return signs


def _powers(run: Sequence[Token]) -> Iterator[tuple[Unit | str, int]]:
    """The units and the things in the name of what is counted, with their powers; a dozen is a
    number."""
    known = [(unit, power) for unit, power in _parts(run) if unit.kind != "count"]
    yield from known
    words = [token.text.lower() for token in run]
    per = next((place for place, word in enumerate(words) if word in _PER), len(words))
    named = things(words[:per])
    if named and not any(power > 0 for _, power in known):
        yield singular(words[named - 1]), 1
    if words[per + 1 :] and not any(power < 0 for _, power in known):
        yield singular(words[-1]), -1


def _mains(run: Sequence[Token]) -> Iterator[Unit]:
    for token in run:
        if token.text.lower() in _PER:
            return
        if unit := UNITS.get(token.text.lower()):
            yield unit
