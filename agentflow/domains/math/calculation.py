"""Questions that are a calculation and nothing else, and numbers that answer them, all exact.

What is 2^10 - 15% of 80?     2^10 - 15/100 * 80
What is the sum of 3 and 4?   3 + 4
What is 6 / 2 (1 + 2)?        None: it may be read in two ways
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from agentflow.domains import operations, spelling
from agentflow.domains.math.expressions import Tree, is_operation, parse, readings
from agentflow.domains.math.notation import ENDS, spelled, tokens
from agentflow.domains.math.values import value as worth
from agentflow.tools.quantities import read_number

MAX = 300
"""Characters that a question, or an answer to it, may have."""
NUMBER = r"\d{1,50}(?:\.\d{1,50})?"
_ASKED = re.compile(
    r"(?i)(?:(?:what is|what's|how much is|compute|calculate|evaluate|work out):?\s+)?"
    r"(?:the (?:value|result) of\s+)?(?P<sum>.+?)\s*(?:=\s*\??|\?)?\s*[.?!]?"
)
_ASKED_WITHIN = re.compile(
    r"(?i)\b(?:what is|what's|how much is|compute|calculate|evaluate|work out|find):?\s+"
    r"(?:the (?:value|result) of\s+)?(?P<sum>(?:[^a-zA-Z\\?=,;:]|\\[a-z]+)+)"
)
"""A calculation that a question asks for among other words."""
_KINDS = frozenset("+-*/^%!(){}") | {"number", "function"}
_BEGINS = frozenset({"number", "(", "function"})
_WORD = re.compile(r"(?<!\\)\b[a-zA-Z]{2,}")
_THEN = re.compile(r"(?i)[,;] (?:and |so |then )+")
_SAID = re.compile(rf"(?P<sign>[-+]?)\s*(?P<top>{NUMBER})(?:\s*/\s*(?P<bottom>{NUMBER}))?")
_GROUPING = re.compile(r"\{,\}|\\[,!]|,")
_THOUSANDS = re.compile(rf"(?<![\d.,])\d{{1,3}}(?:(?:{_GROUPING.pattern})\d{{3}})+(?![\d,])")
"""``3,344``"""
_NUMBER_WORDS = re.compile(r"[a-zA-Z]+(?:[ -][a-zA-Z]+){0,5}")
_NAME = re.compile(r"\s*[a-z]\s*")
_BRACKETED = re.compile(r"(?<![\d.)])(-?)\(([^()]*)\)(?![\d.(])")
"""Brackets that may be left out: no product stands there (``3(1/2)``), no digits (``0.(6)``)."""
_FRACTION = re.compile(r"\\[dt]?frac(?:\{(\d{1,20})\}\{(\d{1,20})\}|(\d)(\d))")
MIXED = re.compile(rf"(?<![\d.}}])(\d{{1,20}})\s*{_FRACTION.pattern}")


@lru_cache(maxsize=10_000)
def read(text: str) -> Tree | None:
    """The calculation that a text is, of numbers and ``+ - * / ^`` with two sides each; None for
    any other text, and where it may be read in two ways."""
    if len(text) > MAX or "," in text or _WORD.search(text := spelled(text).strip()):
        return None
    found = tokens(text)
    if not _KINDS.issuperset(one.kind for one in found):
        return None
    if any(one.kind in ENDS and other.kind in _BEGINS for one, other in pairwise(found)):
        return None  # a product without a sign, a mixed number
    if any(one.text[0] == "0" and one.text[1:2].isdigit() for one in found):
        return None
    tree = parse(text, last=False)
    meant = [] if tree is None else readings(tree)
    return _of_two(meant[0]) if len(meant) == 1 else None


def _of_two(tree: Tree) -> Tree:
    """A calculation in which signs are those of numbers, and ``15/100`` of percents is one."""
    match tree:
        case ("neg", part):
            inner = _of_two(part)
            return -inner if isinstance(inner, Fraction) else ("-", Fraction(0), inner)
        case (str() as sign, *parts):
            return (sign, *map(_of_two, parts))
    return tree


def calculation(question: str) -> Tree | None:
    """The question's calculation; None where it asks for anything else."""
    question = question.strip()
    if len(question) > MAX or question.endswith("!"):  # a factorial, or lively?
        return None
    if (asked := _ASKED.fullmatch(question)) is None:
        return None
    text = " ".join(asked["sum"].split())
    whole = ((one.fullmatch(text), signs) for one, signs in operations.in_front())
    text = next((found.expand(signs) for found, signs in whole if found), text)
    tree = read(text)
    if tree is None or not is_operation(tree):
        return None
    # 3 and 8 differ by 5, or by -5
    return None if "difference" in question.lower() and (worth(tree) or 0) < 0 else tree


def value(question: str) -> Fraction | None:
    """What the question's :func:`calculation` comes to."""
    asked = calculation(question)
    return None if asked is None else worth(asked)


def says_again(question: str, answer: str) -> bool:
    """Whether an answer only writes down the calculation that a question asks for, once or more
    often; a fraction may be what it comes to."""
    asked = _ASKED_WITHIN.search(question)
    tree = read(asked["sum"].strip(" .$")) if asked else None
    if tree is None or not is_operation(tree) or worth(tree) is None:  # sqrt(53) stays
        return False
    match tree:
        case ("/", Fraction(), Fraction()):
            return False
    return all(read(side.strip(" .$")) == tree for side in answer.split("="))


Step = tuple[str, *tuple[Fraction | None, ...]]
"""(sign, its numbers)."""


def steps(tree: Tree) -> Iterator[Step]:
    """The operations of a calculation, in the order in which they are worked out; the numbers of
    a sum and of a product in theirs."""
    match tree:
        case (str() as sign, *parts):
            for part in parts:
                yield from steps(part)
            sides = [worth(part) for part in parts]
            if sign in ("+", "*") and None not in sides:
                sides.sort(key=lambda one: one or 0)
            yield (sign, *sides)


def step_worth(step: Step) -> Fraction | None:
    """What an operation comes to."""
    sign, *sides = step
    known = [one for one in sides if one is not None]
    return worth((sign, *known)) if len(known) == len(sides) else None


def said(answer: str) -> Fraction | None:
    """The number that an answer is, exactly as written, or to which an equation of it comes
    (``17 * 3 + 4 = 55``, ``x = 55``), the last of several; None for anything else, and where the
    sides differ."""
    if any(unicodedata.category(sign) == "No" for sign in answer):
        return None  # 3²
    grouped = _THOUSANDS.sub(lambda found: _GROUPING.sub("", found[0]), answer)
    plain = _FRACTION.sub(r"(\1\3/\2\4)", MIXED.sub(improper, spelling.plain(grouped)))
    *before, plain = _THEN.split(plain)
    if any("=" not in one or said(one) is None for one in before):
        return None
    *worked, text = plain.strip(" $").split("=")
    number = _number(text)
    sides = [side for side in worked if side.strip() and not _NAME.fullmatch(side)]
    trees = [read(side) for side in sides]
    return number if all(tree is not None and worth(tree) == number for tree in trees) else None


def improper(mixed: re.Match[str]) -> str:
    """A mixed number as a fraction; a product (``3\\frac{5}{2}``) as it is written."""
    whole, top, bottom = (int(digits) for digits in mixed.groups() if digits)
    return f"({whole * bottom + top}/{bottom})" if top < bottom else mixed[0]


def _number(text: str) -> Fraction | None:
    text = text.strip(" $")
    found = _SAID.fullmatch(_BRACKETED.sub(r"\1\2", text))
    if found is None:
        number = read_number(text) if _NUMBER_WORDS.fullmatch(text) else None
        return number.value if number and not (number.unit or number.percent) else None
    bottom = Fraction(found["bottom"] or 1)
    if bottom == 0:
        return None
    return Fraction(found["top"]) / bottom * (-1 if found["sign"] == "-" else 1)


def is_rounded(answer: str, exact: Fraction) -> bool:
    """Whether an answer with decimals may be the exact value, rounded."""
    places = len(answer.partition(".")[2].strip(" $"))
    number = said(answer)
    return number is not None and places > 0 and abs(number - exact) <= Fraction(1, 2 * 10**places)
