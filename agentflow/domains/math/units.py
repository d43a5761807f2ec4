"""Units of measurement: what each measures, and how many of the smallest one it is."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


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
SCALES = frozenset(word for word, unit in UNITS.items() if unit.kind in ("money", "count"))
_ANGLES = frozenset({"degree", "degrees", "radian", "radians", "turn", "turns"})
WORDS = UNITS.keys() | _ANGLES | {"pair", "pairs", "gross", "tonnes", "quarter", "quarters"}
"""Words that stand behind a number as its unit."""
_FAMILIES = {"calendar": "time", "imperial": "length", "mass": "weight", "kitchen": "volume"}
_ABOUT = {"time": (7, 12, 30, 31, 52, 360, 365, 366), "angle": (180, 360)}
"""What units of time and angles differ by in round numbers."""


def family(word: str) -> str:
    """What a unit measures, in whatever system; empty for any other word."""
    kind = UNITS[word].kind if word in UNITS else "angle" if word in _ANGLES else ""
    return _FAMILIES.get(kind, kind)


_BY_FAMILY = {family(word): [one for one in UNITS if family(one) == family(word)] for word in UNITS}
FACTORS = {
    kind: {UNITS[a].factor / UNITS[b].factor for a in words for b in words} - {1}
    | {*map(Fraction, _ABOUT.get(kind, ()))}
    for kind, words in {"angle": list[str](), **_BY_FAMILY}.items()
}
"""What units of one family differ by."""


def scales(word: str) -> bool:
    """Whether a unit is a number of plain things: a cent, a dozen, a million."""
    unit = UNITS.get(word)
    return unit is not None and unit.kind in ("money", "count") and unit.factor != 1
