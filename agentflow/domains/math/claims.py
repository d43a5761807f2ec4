"""Claims that two expressions are equal, and whether they hold: exactly, and never by a guess."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from agentflow.domains import arithmetic
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

    def as_json(self) -> dict[str, str | bool]:
        """The fields by name."""
        return {
            "left": self.left,
            "relation": self.relation,
            "right": self.right,
            "doubtful": self.doubtful,
        }


@dataclass(frozen=True, slots=True)
class Judged:
    """What a claim is worth: it holds, is wrong (with a reason), or nobody can tell (None)."""

    ok: bool | None
    reason: str = ""


Value: TypeAlias = Fraction | None


def sides(claim: Claim) -> list[tuple[Tree, Tree]]:
    """What the two sides of a claim may mean, taken together."""
    left, right = parse(claim.left, last=False), parse(claim.right)
    if left is None or right is None:
        return []
    percents = [True, False] if contains(left, "%") or contains(right, "%") else [True]
    return [
        pair
        for percent in percents
        for pair in product(readings(left, percent=percent), readings(right, percent=percent))
    ]


def is_open(claim: Claim) -> bool:
    """Whether the claim is about variables."""
    return any(names(tree) for pair in sides(claim)[:1] for tree in pair)


def is_plain(claim: Claim) -> bool:
    """Whether exact fractions are enough to judge the claim."""
    return not any(
        names(tree) or (value(tree) is None and _irrational(tree))
        for pair in sides(claim)
        for tree in pair
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
    trees = sides(claim)
    pairs = values or [(value(left), value(right)) for left, right in trees]
    verdicts = [
        _compare(claim, left, right, _slack(both[0]) + _slack(both[1]), exact=values is None)
        for (left, right), both in zip(pairs, trees, strict=True)
    ]
    if True in verdicts:
        return Judged(True)
    if None in verdicts or claim.doubtful or not verdicts or _may_be_meant(claim):
        return Judged(None)
    left, right = pairs[0]
    assert left is not None
    assert right is not None
    if _LITERAL.fullmatch(claim.right):
        return Judged(False, f"{_tidy(claim.left)} is {_shown(left)}, not {_tidy(claim.right)}")
    if _LITERAL.fullmatch(claim.left):
        return Judged(False, f"{_tidy(claim.right)} is {_shown(right)}, not {_tidy(claim.left)}")
    reason = f"{_tidy(claim.left)} is {_shown(left)}, but {_tidy(claim.right)} is {_shown(right)}"
    return Judged(False, reason)


def _may_be_meant(claim: Claim) -> bool:
    """Whether something else may be meant that nobody can work out."""
    left, right = sides(claim)[0]
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
    for left, right in sides(Claim(one, claim.relation, other))[:1]:
        a, b = value(left), value(right)
        if a is not None and b is not None and _compare(claim, a, b, Fraction(0), exact=True):
            return True
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
    claim: Claim, left: Value, right: Value, slack: Fraction, *, exact: bool
) -> bool | None:
    if left is None or right is None:
        return None
    gap = abs(left - right)
    size = max(abs(left), abs(right))
    if gap == 0 or (not exact and gap * 10**30 <= max(size, Fraction(1))):
        return True
    if claim.relation == "~":
        place = _place(claim.right)
        cut = gap < place and 0 < abs(right) <= abs(left)
        return True if cut or gap <= max(Fraction(1, 50) * size, place / 2) else None
    for written, meant in ((claim.right, left), (claim.left, right)):
        if literal := _LITERAL.fullmatch(written):
            number = literal[1].replace(",", "").replace(" ", "")
            if arithmetic.agrees(number, meant):
                return True
            if "." not in number and meant.denominator != 1 and gap < 1:
                return None  # rounded
    if "." in claim.left + claim.right:
        # Worked out with more places than are written; or the last places of a float.
        near = 10**9 if exact else 200
        return None if gap <= slack or gap * near < size else False
    return False


_LITERAL = re.compile(r"\s*\(*\s*(-?\s*[\d,]*\.?\d+)(?!\s*[/%!^*+-])[^\d]*")


def _place(written: str) -> Fraction:
    """The unit of the last written place of a number."""
    literal = _LITERAL.fullmatch(written)
    return Fraction(1, 10 ** len(literal[1].partition(".")[2])) if literal else Fraction(0)


def is_cut_off(claim: Claim) -> bool:
    """Whether the number right of the sign may be the beginning of a longer one: of the value."""
    exact, literal = [value(left) for left, _ in sides(claim)[:1]], _LITERAL.fullmatch(claim.right)
    if None in exact or not exact or literal is None:
        return False
    whole, said = str(exact[0]), literal[1].replace(",", "").replace(" ", "")
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
