"""Claims that two expressions are equal, and whether they hold: exactly, and never by a guess."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import NamedTuple, TypeAlias

from agentflow.domains.math.expressions import (
    Tree,
    contains,
    is_operation,
    is_work,
    names,
    numbers,
    parse,
    readings,
)
from agentflow.domains.math.measures import adds_things, comparable, convertible, factor
from agentflow.domains.math.values import value

_TRIGONOMETRIC = ("sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan")
_IRRATIONAL = ("sqrt", "root", "^", "log", "ln", "exp", "sinh", "cosh", "tanh", *_TRIGONOMETRIC)


@dataclass(frozen=True, slots=True)
class Claim:
    """One equation between two neighbours in a chain.

    Attributes:
        left: The expression left of the sign, as written.
        relation: ``=`` or ``~`` (approximately).
        right: The expression right of it.
        doubtful: Whether it may mean something else; then it is never refuted.
    """

    left: str
    relation: str
    right: str
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """What a claim is worth: it holds, is wrong (with a reason), or nobody can tell (None)."""

    ok: bool | None
    reason: str = ""


Value: TypeAlias = Fraction | None


class Reading(NamedTuple):
    """What the two sides of a claim may mean, taken together.

    Attributes:
        left: The left side.
        right: The right side.
        percent: Whether a percent sign divides by 100; else it is only a unit.
        converted: Whether units are converted; then the values must be the same, not rounded.
        sure: Whether the claim holds where it holds in this reading, the one by the rules; else it
            is only not refuted.
    """

    left: Tree
    right: Tree
    percent: bool
    converted: bool
    sure: bool


def sides(claim: Claim) -> list[Reading]:
    """What a claim may mean; first what it says by the rules."""
    left, right = parse(claim.left, last=False), parse(claim.right)
    if left is None or right is None:
        return []
    if contains(left, "!") and contains(right, "!"):  # 4! = 4 * 3!: the last one does not call
        right = ("either", parse(claim.right, last=False) or right, right)
    clear = not (contains(left, "unclear") or contains(right, "unclear"))
    sure = comparable(claim.left, claim.right, left, right)
    percents = [True, False] if contains(left, "%") or contains(right, "%") else [True]
    found = [
        Reading(one, other, percent, False, told and (percent or _is_ratio(left, one, right)))
        for percent in percents
        for told, one, other in _pairs(left, right, percent, sure and clear)
    ]
    if not sure:
        clear = clear and convertible(claim.left, claim.right, left, right)
        left = parse(claim.left, last=False, factor=factor)
        right = parse(claim.right, factor=factor)
        if left is not None and right is not None:
            pairs = _pairs(left, right, True, clear)
            found += [Reading(one, other, True, True, told) for told, one, other in pairs]
    return found


def _pairs(left: Tree, right: Tree, percent: bool, sure: bool) -> Iterator[tuple[bool, Tree, Tree]]:
    """What two sides may mean, and whether that is sure; only the first may be, by the rules."""
    pairs = product(readings(left, percent=percent), readings(right, percent=percent))
    for number, (one, other) in enumerate(pairs):
        yield sure and number == 0, one, other


def _is_ratio(left: Tree, meant: Tree, right: Tree) -> bool:
    """Whether a ratio is written times 100, and the result with a percent sign:
    ``3/4 * 100 = 75%``."""
    result = isinstance(right, tuple) and right[0] == "%"
    return result and not contains(left, "%") and _times_hundred(meant)


def _times_hundred(tree: Tree) -> bool:
    match tree:
        case ("*", one, other):
            return _times_hundred(one) or _times_hundred(other)
        case ("/" | "neg", one, *_):
            return _times_hundred(one)
    return tree == 100


def is_open(claim: Claim) -> bool:
    """Whether the claim is about variables."""
    return any(names(one.left) or names(one.right) for one in sides(claim)[:1])


def is_plain(claim: Claim) -> bool:
    """Whether exact fractions are enough to judge the claim."""
    return not any(
        names(tree) or (value(tree) is None and _irrational(tree))
        for one in sides(claim)
        for tree in (one.left, one.right)
    )


def _irrational(tree: Tree) -> bool:
    if isinstance(tree, tuple):
        return tree[0] in _IRRATIONAL or any(map(_irrational, tree[1:]))
    return tree == "pi"


def judge(claim: Claim, values: Sequence[tuple[Value, Value]] | None = None) -> Judged:
    """Judge a closed claim.

    Args:
        values: The values of its :func:`sides` to 40 places or more, where fractions are not
            enough; None is unknown.
    """
    found = sides(claim)
    pairs = values or [(value(one.left), value(one.right)) for one in found]
    verdicts = [
        _compare(claim, one, *pair, exact=values is None)
        for one, pair in zip(found, pairs, strict=True)
    ]
    if any(ok and one.sure for ok, one in zip(verdicts, found, strict=True)):
        return Judged(True)
    if set(verdicts) != {False} or claim.doubtful or _may_be_meant(claim):
        return Judged(None)
    left, right = pairs[0]
    assert left is not None
    assert right is not None
    if _digits(claim.right):
        return Judged(False, f"{_tidy(claim.left)} is {_shown(left)}, not {_tidy(claim.right)}")
    if _digits(claim.left):
        return Judged(False, f"{_tidy(claim.right)} is {_shown(right)}, not {_tidy(claim.left)}")
    reason = f"{_tidy(claim.left)} is {_shown(left)}, but {_tidy(claim.right)} is {_shown(right)}"
    return Judged(False, reason)


def _may_be_meant(claim: Claim) -> bool:
    """Whether something else may be meant that nobody can work out."""
    left, right, *_ = sides(claim)[0]
    percents = [
        tree for tree in map(parse, (claim.left, claim.right)) if tree and contains(tree, "%")
    ]
    if len(percents) == 1 and not contains(percents[0], "*"):  # of something not named
        return True
    if any(contains(tree, "arcsin", "arccos", "arctan") for tree in (left, right)):
        return True
    angles = any(contains(tree, *_TRIGONOMETRIC) for tree in (left, right))
    if angles and not ("degree" in claim.left or "\\pi" in claim.left):
        return True
    for one, its in ((claim.left, claim.right), (claim.right, claim.left)):
        if "\\degree" in one and "\\pi" in its:
            return True
    plain = contains(left, "+", "-") and not contains(left, "*", "/")
    if _is_share(left, right) or (plain and adds_things(claim.left, claim.right)):
        return True
    if _works_on(claim, left, right) or _DATE.search(f"{claim.left} = {claim.right}"):
        return True
    return any(_holds_as(claim, pattern, meant) for pattern, meant in _OTHERWISE)


_DATE = re.compile(
    r"(?<![\d.])(?:\d+/\d+/\d+|\d{4}-\d{1,2}-\d{1,2})(?![\d.])|(?<![\d.,])0\d|/\d+ \+ \d+ days?\b"
    r"|/1(?!\d)"
)
"""What may be a date, or a number that nobody writes."""

_OTHERWISE = (
    (re.compile(r"(?<=\d)\s+[(\[][^()\[\]]*[-+*/][^()\[\]]*[)\]]"), ""),  # 148 (2*74): says why
    (re.compile(r"/\s*(\d+(?:\s*\*\s*\d+)+)"), r"/(\1)"),  # 6 / 3*2
    (re.compile(r"\^\s*(\d+)\s*/\s*(\d+)"), r"^{(\1/\2)}"),  # 27^1/3
    (re.compile(r"\\sqrt\s*(\d.*)"), r"\\sqrt{\1}"),  # √16 + 9
    (re.compile(r"(?<![\d/])(\d+)[-–](?=\d+/\d)"), r"\1 "),  # 2-1/2 cups
    (re.compile(r"(?<=\d)\s*(?=\\[dt]?frac)"), "*"),  # 7\\frac{1}{2}: a product
    (re.compile(r"(?<=\d)\.(?=\d{3}(?!\d))"), ""),  # 1.234: a thousand and more
    (re.compile(r"(?<=\d),(?=\d{3}(?!\d))"), "."),  # 1,234: one and a little
)
"""What people write for something else than the rules have it: such a claim is not refuted."""


def _holds_as(claim: Claim, pattern: re.Pattern[str], meant: str) -> bool:
    """Whether the claim holds where each match of a pattern means something else."""
    one, other = pattern.sub(meant, claim.left), pattern.sub(meant, claim.right)
    if (one, other) == (claim.left, claim.right):
        return False
    for meaning in sides(Claim(one, claim.relation, other))[:1]:
        a, b = value(meaning.left), value(meaning.right)
        if None not in (a, b) and _compare(claim, meaning, a, b, exact=True) is not False:
            return True
    return False


def _is_share(left: Tree, right: Tree) -> bool:
    """Whether a part is said to be a number of things: ``3/4 = 60``."""
    match left, right:
        case ("/", Fraction() as top, Fraction() as bottom), Fraction(denominator=1) as whole:
            part = Fraction(top, bottom) if bottom else Fraction(0)
            return part.denominator == bottom <= 12 and 0 < part < 1 < whole
    return False


def _works_on(claim: Claim, left: Tree, right: Tree) -> bool:
    """Whether the right side may be the next piece of work, not what the left side equals.

    ``5 + 3 = 8 * 2 = 16``, ``84 - 90 - 108 = (84 - 90) = -6``, ``12 * 34 = 12 * 30 = 360``; or the
    result of the last piece only: ``270 - 19*2 = 38``. A line may also go on with a difference
    that the one before began: ``-45 = 100 - 45``.
    """
    if not is_operation(right):
        match left:
            case ("+" | "-", _, last) if is_operation(last):
                return value(right) is not None and value(last) == value(right)
        return False
    match left, right:
        case ("neg", Fraction() as first), ("-", _, Fraction() as last):
            return first == last
    worth, goes_on = value(left), not claim.right.lstrip().startswith("(")
    if goes_on and worth is not None and any(value(one) == worth for one in _spine(right)):
        return True
    if not is_operation(left) or not is_work(right):
        return False
    part = value(right)
    if part is not None and any(value(one) == part for one in _inside(left)):
        return True
    one, other = list(numbers(left)), list(numbers(right))
    if Counter(other) <= Counter(one):
        return True
    same = isinstance(left, tuple) and isinstance(right, tuple) and left[0] == right[0]
    return same and len(one) > 1 and one[0] == other[0] and len(other) <= len(one)


def _spine(tree: Tree) -> Iterator[Tree]:
    """The beginnings of a plain calculation: its first number, its first two ..."""
    match tree:
        case ("+" | "-" | "*" | "/", first, _):
            yield first
            yield from _spine(first)


def _inside(tree: Tree) -> Iterator[Tree]:
    """The operations within a calculation."""
    if isinstance(tree, tuple):
        for part in tree[1:]:
            if is_operation(part):
                yield part
                yield from _inside(part)


def _slack(tree: Tree) -> Fraction:
    """How far the value may be off because numbers with two places or more may be rounded."""
    exact = value(tree)
    if exact is None:
        return Fraction(0)
    moved = (value(other) for other in _moved(tree))
    return sum((abs(other - exact) for other in moved if other is not None), Fraction(0))


def _moved(tree: Tree) -> Iterator[Tree]:
    """The tree with one such number after the other moved by half of its last place."""
    match tree:
        case Fraction(denominator=denominator):
            places = next((n for n in range(2, 7) if 10**n % denominator == 0), 0)
            if 10 % denominator and places:
                yield tree + Fraction(1, 2 * 10**places)
        case (str() as operation, *parts):
            for place, part in enumerate(parts):
                for moved in _moved(part):
                    others = [*parts[:place], moved, *parts[place + 1 :]]
                    yield (operation, *others)


def _compare(
    claim: Claim, meant: Reading, left: Value, right: Value, *, exact: bool
) -> bool | None:
    if left is None or right is None:
        return None
    gap = abs(left - right)
    size = max(abs(left), abs(right))
    if gap == 0 or (not exact and gap * 10**30 <= max(size, Fraction(1))):
        return True
    if meant.converted:
        return None
    for written, worth in ((claim.right, left), (claim.left, right)):
        if digits := _digits(written):
            scale = 100 if "%" in written and meant.percent else 1
            rounded = _rounded(digits, worth * scale, nearly=claim.relation == "~")
            if rounded is not False:
                return rounded
    if claim.relation == "~":
        return None
    if "." in claim.left + claim.right:
        # Worked out with more places than are written; or the last places of a float.
        slack = _slack(meant.left) + _slack(meant.right)
        near = 10**9 if exact else 200
        return None if gap <= slack or gap * near < size else False
    return False


def _rounded(digits: str, exact: Fraction, *, nearly: bool) -> bool | None:
    """Whether digits are said to be nearly a value, and are it, rounded to as many places; None
    where they may be it, rounded without a word or cut off.

    Args:
        nearly: Whether an approximate number is written: then a whole one may be rounded, and the
            noughts that it ends in may stand for other digits.
    """
    stated, places = Fraction(digits), len(digits.partition(".")[2])
    if nearly and not places and stated:
        places = len(digits.rstrip("0")) - len(digits)
    unit = Fraction(10) ** -places
    if (places > 0 or nearly) and abs(exact - stated) <= unit / 2:
        return nearly or None
    short = exact - stated if exact > 0 else stated - exact
    whole = places == 0 and exact.denominator != 1 and abs(short) < 1
    return None if whole or (places > 0 and 0 <= short < unit) else False


_LITERAL = re.compile(r"-?\s*[\d,]*\.?\d+")


def _digits(written: str) -> str:
    """The digits of a side that is one number, with its sign; empty where it is anything else."""
    tree = parse(written, last=False)
    found = _LITERAL.search(written) if tree is not None and _is_number(tree) else None
    return re.sub(r"[\s,]", "", found[0]) if found else ""


def _is_number(tree: Tree) -> bool:
    match tree:
        case ("neg" | "%" | "degree", part):
            return _is_number(part)
    return isinstance(tree, Fraction)


def is_cut_off(claim: Claim) -> bool:
    """Whether the number right of the sign may be the beginning of a longer one: of the value."""
    exact, said = [value(one.left) for one in sides(claim)[:1]], _digits(claim.right)
    if None in exact or not exact or not said:
        return False
    whole = str(exact[0])
    return whole.startswith(said) and whole != said


def _tidy(written: str) -> str:
    return " ".join(written.split())[:200]


def _shown(number: Fraction) -> str:
    """The number as people write it: whole, with up to six places, or as a fraction."""
    if number.denominator != 1 and 10**6 % number.denominator == 0:
        return f"{float(number):.6f}".rstrip("0") if abs(number) < 10**9 else str(number)
    if number.denominator > 10**9:
        return f"{float(number):.6g}"
    return str(number)
