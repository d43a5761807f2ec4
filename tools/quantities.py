"""Numbers as they are written in answers: exact, with percent signs, currencies and units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written: exact, with the places behind its point, a percent sign or a unit, the
    smaller one where it is said in two (``5 ft 6 in``)."""

    value: Fraction
    places: int = 0
    percent: bool = False
    unit: str = ""
    in_two: bool = False


_DIGITS = r"(?!0\d*,)\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d*)?|\.\d+"
_NUMBER = re.compile(
    rf"""
    (?P<sign>[-+]?)\s*(?P<currency>[$€£¥]?)\s*(?P<minus>-?)
    (?:
        (?P<whole>\d+)?\s*\\frac\{{(?P<top>-?\d+)\}}\{{(?P<bottom>\d+)\}}
        |(?:(?P<whole2>\d+)\ )?(?P<top2>\d+)/(?P<bottom2>\d+)
        |(?P<fixed>\d{{0,30}}\.\d{{0,30}})\\(?:overline|bar)\{{(?P<again>\d{{1,30}})\}}
        |(?P<decimal>{_DIGITS})
         (?:\s*\\?(?:times|cdot)\s*10\^\{{?(?P<power>-?\d{{1,3}})\}}?|[eE](?P<power2>[-+]?\d{{1,3}}))?
    )
    (?P<scale>(?:\s+(?:hundred|thousand|million|billion|trillion)\b)*)
    \s*(?P<percent>%|percent\b|pct\b|percentage\b(?!\ point))?\s*
    (?P<unit>[€£¥$]|(?:/\s*)?[a-zA-Z][a-zA-Z'.\ ^{{}}0-9/-]*)?
    """,
    re.VERBOSE,
)
_SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
"""Word -> how many noughts it stands for."""
_CURRENCY = {"$": "dollar", "€": "euro", "£": "pound sterling", "¥": "yen"}


@lru_cache(maxsize=10_000)
def read_number(text: str) -> Number | None:
    """The number that is the whole of a text, with its unit; None if it is none."""
    found = _NUMBER.fullmatch(text) if len(text) <= 200 else None
    if (two := _IN_TWO_UNITS.fullmatch(text)) and (number := _in_two_units(two)):
        return number
    if found is None:
        return _worded(text.lower())
    spaced = found.start("unit") > 0 and text[found.start("unit") - 1] in " }"
    spaced = spaced or (found["unit"] or "").startswith("/")
    unit = _unit(found["unit"] or "", spaced)
    if found["currency"]:
        currency = _CURRENCY[found["currency"]]
        rate = unit is not None and (found["unit"] or " ")[0] == "/"
        rate = rate or (unit or "").startswith("per ")
        if unit not in ("", currency) and not rate:
            return None
        unit = f"{currency} per {unit.removeprefix('per ')}" if unit and rate else currency
    if unit is None:
        return None
    places = 0
    if found["decimal"]:
        digits = found["decimal"].replace(",", "")
        power = int(found["power"] or found["power2"] or 0)
        value = Fraction(digits.rstrip(".") or "0") * Fraction(10) ** power
        places = len(digits.partition(".")[2]) - power
    elif found["again"]:
        value = _repeating(found["fixed"], found["again"])
    else:
        bottom = Fraction(found["bottom"] or found["bottom2"])
        if bottom == 0:
            return None
        value = Fraction(found["top"] or found["top2"]) / bottom
        value += Fraction(found["whole"] or found["whole2"] or 0)
    noughts = sum(_SCALES[word] for word in found["scale"].split())
    value, places = value * 10**noughts, places - noughts
    negative = (found["sign"] == "-") != (found["minus"] == "-")
    return Number(-value if negative else value, places, bool(found["percent"]), unit)


_IN_TWO_UNITS = re.compile(
    r"(?P<sign>-?)(?P<most>\d+)\ ?(?P<large>[a-zA-Z]{1,12})(?:,|\ and\b)?\ ?"
    r"(?P<rest>\d+(?:\.\d+)?)\ ?(?P<small>[a-zA-Z]{1,12})"
)
"""``5 ft 6 in``"""


def _in_two_units(found: re.Match[str]) -> Number | None:
    """A number in the smaller one of two units that measure the same; None for any other two."""
    large, small = (singular(found[name].lower()) for name in ("large", "small"))
    kinds = _CONVERTED.get(large), _CONVERTED.get(small)
    if not (kinds[0] and kinds[1]) or kinds[0][0] != kinds[1][0] or kinds[0][1] <= kinds[1][1]:
        return None
    value = Fraction(found["most"]) * kinds[0][1] / kinds[1][1] + Fraction(found["rest"])
    places = len(found["rest"].partition(".")[2])
    return Number(-value if found["sign"] else value, places, unit=small, in_two=True)


def _repeating(fixed: str, again: str) -> Fraction:
    """A decimal whose last digits come again and again."""
    places = len(fixed.partition(".")[2])
    tail = Fraction(int(again), (10 ** len(again) - 1) * 10**places)
    return Fraction(f"0{fixed}".rstrip(".")) + tail


_COUNTED = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBER_WORDS = {word: number for number, word in enumerate(_COUNTED.split())}
NUMBER_WORDS |= {word: 10 * number for number, word in enumerate(_TENS.split(), 2)}
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_HUNDRED = rf"(?:(?:{'|'.join(_TENS.split())})(?:[ -](?:{_ONES}))?|{'|'.join(_COUNTED.split())})\b"
_THOUSAND = rf"(?:(?:{_ONES}) hundred\b(?: (?:and )?{_HUNDRED})?|{_HUNDRED})"
_WORDED = re.compile(
    rf"(?!and\b)(?:(?P<million>{_THOUSAND}) million\b,? ?)?"
    rf"(?:(?P<thousand>{_THOUSAND}) thousand\b,? ?)?(?:(?:and )?(?P<ones>{_THOUSAND}))?"
    r"(?P<percent> percent\b)?(?:[ -]?(?P<unit>[a-z].*))?"
)


def _worded(text: str) -> Number | None:
    """A number in words, with what it counts: ``twenty-eight pieces``, ``one hundred and five``."""
    found = _WORDED.fullmatch(text)
    parts = [found[name] for name in ("million", "thousand", "ones")] if found else []
    unit = _unit(found["unit"] or "", spaced=True) if found and any(parts) else None
    if found is None or unit is None:
        return None
    value = 0
    for part in parts:
        below = 0
        for word in re.findall("[a-z]+", part or ""):
            below = 100 * below if word == "hundred" else below + NUMBER_WORDS.get(word, 0)
        value = 1000 * value + below
    return Number(Fraction(value), 0, bool(found["percent"]), unit)


_UNIT_WORD = re.compile(r"([a-z'.-]+)(\^\{?\d\}?)?")


def _unit(written: str, spaced: bool) -> str | None:
    """A unit in one spelling; None for letters that are variables, or words that are no unit."""
    if written in _CURRENCY or not written:
        return _CURRENCY.get(written, "")
    if a_part := _A_PART.match(written):
        written = written[a_part.end() :]
    plain = _OLD.sub(r"\1", written.replace("/", " per "))
    parts = [word for whole in plain.split() for word in _SPELLED_OUT.get(whole, whole).split()]
    found = [_UNIT_WORD.fullmatch(part.lower()) for part in parts]
    bare = [match[1].replace(".", "") if match else "" for match in found]
    named = things(bare) if spaced else 0
    if any(base in _SCALING or _BIG.fullmatch(base) for base in bare):
        return None
    words: list[str] = []
    for place, (match, base) in enumerate(zip(found, bare, strict=True)):
        alone = len(base) == 1 and not spaced and "/" not in written  # 5m, 4s: or a variable
        degrees = base in {"f", "c"} and words[-1:] == ["degree"]
        if match is None or alone or (re.fullmatch("[A-Z]", parts[place]) and not degrees):  # 5 M
            return None
        known = singular(base) in _KNOWN or degrees
        joins = base == "per" or (words and base in _JOINING)
        joined = spaced and words[-1:] and words[-1] in _JOINING and _is_word(base)
        joined = joined and "/" not in written  # 3/abc
        if not (known or joins or joined or place < named):
            return None
        words.append((singular(base) if known else base) + (match[2] or ""))
    return " ".join(words)


_SCALING_WORDS = """
pair pairs couple couples trio trios lakh lakhs crore crores myriad myriads gross score scores mille
thousand thousands hundred hundreds dozen dozens half halves quarter quarters third thirds fifth
fifths negative negatives opposite opposites reciprocal reciprocals inverse inverses factorial
factorials logarithm logarithms double doubles triple triples quadruple quadruples percent percents
permille tenfold exponent exponents powers basis minuses
"""
_SCALING = frozenset(_SCALING_WORDS.split())
_BIG = re.compile(r"[a-z]+illi(?:on|ard)s?|googols?")
"""Words that make another number of the one before them; of ``5 pairs`` are there ten, or five."""
_A_PART = re.compile(r"of (?:an?|the) (?=\w)")
_OLD = re.compile(r"\b((?:year|month|week|day)s?)[ -]old\Z")
_SPELLED_OUT = {"mph": "miles per hour", "kph": "km per hour", "kmh": "km per hour"}
_JOINING = frozenset({"a", "an", "of", "in", "up", "am", "pm", "per", "each", "every"})
"""Words between a unit and what it is a unit of."""


def unit_of(written: str) -> str:
    """A unit that is known, in one spelling: ``cm^2``, ``square feet``; else empty. A letter alone
    may be a variable."""
    words = written.rpartition("^")[0] or written
    if any(len(word) < 2 for word in re.split(r"[\s/]+", words)):
        return ""
    found = _unit(written, spaced=True) or ""
    known = all(word.partition("^")[0] in _KNOWN for word in found.split())
    return found if known else ""


def singular(word: str) -> str:
    """A unit or a thing in the singular, the same for all that a unit is called by."""
    if word in _ALIASES:
        return _ALIASES[word]
    for ending, instead in (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("ss", "ss"), ("s", "")):
        if len(word) > 3 and word.endswith(ending):
            word = word.removesuffix(ending) + instead
            break
    return _ALIASES.get(word, word)


_NO_THING_WORDS = """
all almost always and another approximately are as at but by choose cubed does doubles each either
else equals even every exactly exceeds factorial fails false fewer from gives greater has he her his
holds if implies in is its lacks larger less lies makes many means minus misleads mod more most much
nearly neither never no none nor not of on once only or over past percent percents perhaps plus
proves remainder says she shows smaller so some squared still such tens than that the their then
they this those thus times to too triples true twice under unless untrue up various versus vs was we
were when which who with works wrong yields yes you half halves quarter quarters third thirds dozen
dozens hundred hundreds thousand thousands million millions billion billions trillion trillions
contradicts violates breaks errs follows checks
"""
_NO_THING = frozenset(_NO_THING_WORDS.split())
"""What may stand behind a number and names nothing that is counted, though it may end in an s."""
_THING_WORDS = """
year month decade century hectare acre cup gallon quart pint tablespoon teaspoon ton tonne peso euro
yen yuan rupee ruble watt kilowatt volt joule newton calorie mph kph radian rad pair
km cm mm kg kgs mg ml ft yd mi lb lbs oz hr hrs hour day week minute min mins sec second
ev kev mev nm pm amu gyr myr kpc mpc parsec mol
meter metre liter litre mile foot feet inch
people person men women children kids fish sheep deer geese mice teeth dice oxen cattle money cash
change fruit water corn rice milk grass clay silver gold glasses dresses classes buses
blue red yellow green white black pink purple orange brown
"""
_THING = frozenset(_THING_WORDS.split())
"""Units, and things in the plural without an s."""
_NOT_BEFORE_A_THING = re.compile(r".*(?:ed|ing|ly|ths?)")
"""``4 doubled``, ``4 tenths``."""


def things(words: Sequence[str]) -> int:
    """How many of the first words name what is counted: ``apples``, ``duck eggs``, ``square feet``;
    0 where they may scale, compare or judge the number before them (``million``, ``doubled``)."""
    named = 0
    for place, word in enumerate(words[:4], 1):
        if _is_thing(word):
            named = place
        elif named or not may_be_of_a_thing(word):
            break
    return named


def may_be_of_a_thing(word: str) -> bool:
    """Whether a word may tell more of a thing (``duck``); it does not scale or judge a number."""
    return _is_word(word) and word not in _NO_THING and not _NOT_BEFORE_A_THING.fullmatch(word)


def _is_thing(word: str) -> bool:
    """Whether a word is a unit, or a thing in the plural."""
    if word in _NO_THING:
        return False
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "ths"))
    return plural or word in _THING or singular(word) in _CONVERTED


def _is_word(text: str) -> bool:
    return len(text) > 2 and re.search("[aeiouy]", text) is not None


_UNITS = """
meter m metre, centimeter cm centimetre, millimeter mm, kilometer km kilometre, milliliter ml,
liter l litre, foot feet ft, inch in, yard yd, mile mi, gram g gm, kilogram kg kgs, milligram mg,
pound lb lbs, ounce oz, second s sec, minute min mins, hour h hr hrs, dollar usd buck, cent ¢,
degree deg, radian rad rads, penny pennie, square sq, cubic cu, year yr yrs, month mo mos,
week wk wks
"""
_ALIASES = {alias: unit for unit, *others in map(str.split, _UNITS.split(",")) for alias in others}
"""Other words for a unit -> the unit."""
_CONVERTED = {
    unit: (kind, Fraction(factor))
    for kind, units in {
        "time": {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800},
        "calendar": {"month": 1, "year": 12, "decade": 120, "century": 1200},
        "length": {"millimeter": 1, "centimeter": 10, "meter": 1000, "kilometer": 10**6},
        "imperial": {"inch": 1, "foot": 12, "yard": 36, "mile": 63360},
        "mass": {"milligram": 1, "gram": 1000, "kilogram": 10**6},
        "weight": {"ounce": 1, "pound": 16, "ton": 32000},
        "money": {"cent": 1, "dollar": 100},
        "volume": {"milliliter": 1, "liter": 1000},
        "angle": {"degree": 1},
    }.items()
    for unit, factor in units.items()
}
"""Unit -> what it measures, and how many of the smallest one it is."""
_KNOWN = frozenset(_CONVERTED) | {"square", "cubic", "unit", "radian"}


def same_quantity(one: Number, other: Number) -> bool | None:
    """Whether two numbers are the same; None where their units cannot be compared.

    A unit or a percent sign that only one of them has makes no difference; ``50%`` is also 0.5.
    """
    a, b = one.value, other.value
    if one.in_two != other.in_two and not (one.unit and other.unit):
        return None
    if one.unit and other.unit and one.unit != other.unit:
        known = _CONVERTED.get(one.unit), _CONVERTED.get(other.unit)
        if known[0] and known[1] and known[0][0] == known[1][0]:
            return a * known[0][1] == b * known[1][1]
        if known[0] and known[1]:
            return _in_other_systems(one, other)
        words = set(one.unit.split()), set(other.unit.split())
        apart = words[0] ^ words[1]
        alike = words[0] < words[1] or words[1] < words[0]
        if not alike or apart & {"square", "cubic", "per", *_CONVERTED} or a != b:
            return None
    close = _close(one, other)
    if close or (one.percent != other.percent and _fraction_of(one, other)):
        return True
    return None if _in_another_unit(one, other) else close


def is_rounded(one: Number, other: Number) -> bool:
    """Whether one of two numbers is the other, a fraction without an end, in decimals."""
    exact, written = sorted(map(_parted, (one, other)), key=lambda number: number.places)
    rest = exact.value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    close = 2 * abs(written.value - exact.value) * 10**written.places <= 1
    return rest > 1 and written.places > 1 and close


def _parted(number: Number) -> Number:
    """A number whose percents are hundredths."""
    if not number.percent:
        return number
    return replace(number, value=number.value / 100, places=number.places + 2, percent=False)


_SYSTEMS = {
    "imperial": ("length", Fraction("25.4")),
    "weight": ("mass", Fraction("28349.523125")),
    "calendar": ("time", Fraction(0)),
}
"""What units measure -> the same in another system, and how many of its smallest unit that of this
one is; 0 where it is none for certain."""


def _in_other_systems(one: Number, other: Number) -> bool | None:
    """Whether two numbers with units of different kinds are the same: ``1 inch`` and ``2.54 cm``;
    of two systems they are rounded, as a rule, so that nothing is told if they are not."""
    kinds, sizes = list[str](), list[Fraction]()
    for number in (one, other):
        kind, factor = _CONVERTED[number.unit]
        kind, size = _SYSTEMS.get(kind, (kind, Fraction(1)))
        kinds.append(kind)
        sizes.append(number.value * factor * size)
    if kinds[0] != kinds[1]:
        return False
    return True if sizes[0] == sizes[1] != 0 and "ton" not in (one.unit, other.unit) else None


def _in_another_unit(one: Number, other: Number) -> bool:
    """Whether a number without a unit is the other one in another unit: ``1 hour`` and 60."""
    if bool(one.unit) == bool(other.unit):
        return False
    measured, bare = (one, other) if one.unit else (other, one)
    if (known := _CONVERTED.get(measured.unit)) is None or bare.percent:
        return False
    alike = [factor for kind, factor in _CONVERTED.values() if kind == known[0]]
    return any(measured.value * known[1] == bare.value * factor for factor in alike)


def _close(one: Number, other: Number) -> bool | None:
    """Whether the values are equal, or one is the other, a fraction without an end, written to six
    figures or more, or with the last places of a float; None where one of two decimals may be the
    other, rounded."""
    if one.value == other.value:
        return True
    near = False
    for written, exact in ((one, other), (other, one)):
        figures = abs(written.value) * Fraction(10) ** written.places
        gap = abs(written.value - exact.value) * Fraction(10) ** written.places
        if 10**15 <= figures < 10**17 and gap * 10**14 <= figures and exact.places < written.places:
            return True
        if written.places > 0 and figures >= 10**5 and gap <= Fraction(1, 2):
            if exact.places == 0 and _is_endless(exact.value):
                return True
            near = near or exact.places == 0 or exact.places > written.places
    places = max(one.places, other.places)
    close = abs(one.value - other.value) * 10**9 <= max(abs(one.value), abs(other.value))
    return None if near or (places >= 9 and close) else False


def _is_endless(value: Fraction) -> bool:
    """Whether a fraction is no decimal."""
    return value.denominator != 1 and 10 ** value.denominator.bit_length() % value.denominator != 0


def _fraction_of(one: Number, other: Number) -> bool:
    """Whether the one with the percent sign is a hundred times the other."""
    percent, plain = (one, other) if one.percent else (other, one)
    return percent.value == 100 * plain.value
