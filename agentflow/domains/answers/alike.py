"""Whether two answers that a text states are one, said again in other words.

    C and Option C            one
    65 and 65 cubic units     one
    2/3 and 3/2               two
    Northeast and opposite of Northeast    two

Beside what both say, one may have words of a list: a unit, the name of an option. Anything else
makes two of them.
"""

from __future__ import annotations

import re
from fractions import Fraction

from agentflow.domains.answers.remark_sums import is_worth, worth_of
from agentflow.domains.spelling import A_LETTER, LETTERS, NUMBERS, lowered, word_set
from agentflow.tools.quantities import things

_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "{": "(", "}": ")"})
_LOOSE = re.compile(r"[\s$;:\\`'\"!\[\]]+|[.,]+$")
_ENCLOSED = re.compile(r"\A\(([^()]*)\)\Z")
_ENDS = re.compile(r"\A\W*?([(\[]).*([)\]])\W*\Z", re.DOTALL)
"""The brackets around several values: those of an interval say which ends belong to it."""
_OPERATORS = re.compile(
    r"(?<![^\W\d_])-|-(?![^\W\d_])|[+*/^<>¬~±]|!(?=\w)|\\(?:neg|pm|sqrt|lnot)\b"
)
"""A dash within a word is none."""
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_OPTION = re.compile(r"[(\[]?(?P<letter>[A-J])(?:[)\].:]+.*)?", re.DOTALL)
_NAMED = re.compile(r"\A\W*(?:[a-zA-Z]+\s){0,3}[a-zA-Z]+\s*=\s*")
"""``x = 7``, ``Total turns = 7``: what is given a name is for its domain to read."""
_DEGREES = re.compile(r"\^?\s*\{?\s*\\circ\s*\}?|°")
_SET = re.compile(r"\\(?:text|mathrm|mathbf|textbf)\b|\\?circ\b|\\left\b|\\right\b|\\d?frac\b")
_AROUND = word_set(
    "statement conclusion claim option choice answer the a an degrees degree units unit dollars"
    " percent is"
)
_SCALES = word_set("cents cent pairs pair radians dozens dozen")
"""Units that make another number of one that has none."""
_SIDES = word_set("left right up down north south east west")
"""Words behind a number that say which of its things are meant: ``2 left``."""
_TURNS = re.compile(r"(?i)\b(?:left|right|total)(?= turns?\b)")
"""Of which turns a number is: where one answer does not say, the domain of mazes looks itself."""
_SHORTER = (
    (re.compile(r"(?<=\w)(?:\{,\}|,)(?=\d{3}(?!\d))"), ""),
    (re.compile("³"), "^3"),
    (re.compile("²"), "^2"),
    (_TURNS, ""),
    (re.compile(r"(?i),? (?:in (?:total|all)|altogether|overall|combined)\b"), ""),
    (re.compile(r"(?i)\b(?:a total of|in(?= \d{4}\b)) "), ""),
)
"""What one of two statements may have beside the answer, and other signs for the same."""
_TELLS = re.compile(
    r"(?i)(?:so |thus |therefore )?the (?:final )?(?:answer|result|total|sum|count|remainder|value)"
    r" (?:is|equals|comes to) (?P<n>\$? ?\d[\d.,/]*(?: [a-z]+)?)[.\s]*"
)
"""``The total is 72 clips``"""
_BESIDE = re.compile(
    r"(?P<said>.*[^\W_])(?: \((?P<given>[^()]*)\)"
    r"| ?(?:≈|\\approx) ?(?P<about>-?\d+(?:\.\d+)?))[\s.]*"
)
"""An answer with what it comes from, or is about: ``72 clips (48 + 24)``, ``1/3 ≈ 0.333``."""
_FIRST = re.compile(r"\$? ?-?\d[\d.,/]*")
_ON_GROUNDS = re.compile(
    r"(?i)by (?:modus (?:ponens|tollens)|transitivity|definition|the rules?|(?:rule|premise)s? \d+)"
)
_NEAR = Fraction(1, 100)
"""How far apart, as a part of itself, a value and what it is about may be."""
_VARIABLE = re.compile(r"\b([a-zA-Z]) ?(?:=|∈|\\in\b)")
_VALUES = re.compile(r"(?i)\b[a-z] ?(?:=|∈|\\in\b) ?|[\\{}$ ]|[a-z]=")
_AND = re.compile(r",| ?\b(?:and|or)\b ?|;")


def alike(one: str, other: str) -> bool:
    """Whether two answers are one. Arithmetic has to be the same, numbers worth the same."""
    kinds, others = _TURNS.findall(one.lower()), _TURNS.findall(other.lower())
    if kinds and others and kinds != others:
        return False
    return _alike(one, other) or _alike(shortened(one), shortened(other))


def shortened(text: str) -> str:
    """An answer without what may stand beside it, in plain signs."""
    if told := _TELLS.fullmatch(text):
        text = told["n"].rstrip(".,")
    for pattern, plain in _SHORTER:
        text = pattern.sub(plain, text)
    beside = _BESIDE.fullmatch(text)
    if beside and _is_of(beside["said"], beside["given"], beside["about"]):
        text = beside["said"]
    text = text.strip(" .*")
    return str(NUMBERS.get(text.lower(), text))


def _is_of(said: str, given: str | None, about: str | None) -> bool:
    """Whether what stands beside an answer is a calculation that comes to it, a rule that gives it,
    or a number close to it."""
    if given and _ON_GROUNDS.fullmatch(given):
        return True
    first = _FIRST.match(said)
    worth, other = worth_of(first[0] if first else said), worth_of(given or about or "")
    if worth is None or other is None:
        return False
    return worth == other if given else abs(worth - other) <= abs(worth) * _NEAR


def _same_values(one: str, other: str) -> bool:
    """Whether both list the same values: ``{2, 3}``, ``x = 2 and x = 3``."""
    if any("(" in each or "[" in each for each in (one, other)):
        return False
    if len({*_VARIABLE.findall(one), *_VARIABLE.findall(other)}) > 1:
        return False
    listed = [[_VALUES.sub("", said) for said in _AND.split(each)] for each in (one, other)]
    return len(listed[0]) > 1 and listed[0] == listed[1] and all(map(_is_number, listed[0]))


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace("/", "", 1).replace(".", "", 1).isdigit()


def _alike(one: str, other: str) -> bool:
    if _same_values(one, other):
        return True
    if not (_operators(one) and _operators(other)) and is_worth(one, other):
        return True
    if not (A_LETTER.search(one) or A_LETTER.search(other)):
        return _same_ends(one, other) and not {*_sides(one)}.isdisjoint(_sides(other))
    if not A_LETTER.search(one) and _operators(one) and _operators(other):
        return not {*_sides(one)}.isdisjoint(_sides(LETTERS.sub("", other)))
    return same_option(one, other) or _says(one, other)


def same_option(one: str, other: str) -> bool:
    """Whether both name the same option; what one says of it is for its domain to read."""
    found = [_OPTION.fullmatch(each.strip(" *_.")) for each in (one, other)]
    return all(found) and len({each["letter"] for each in found if each}) == 1


def _says(one: str, other: str) -> bool:
    """Whether one says what the other says, in this order, and no more than words around it."""
    short, long = sorted((_plain(each) for each in (one, other)), key=len)
    said, again = _words(short), _words(long)
    if said == again:
        return _operators(short) == _operators(long) and _same_ends(short, long)
    for place in range(len(again) - len(said) + 1) if said else ():
        if again[place : place + len(said)] == said:
            before, behind = again[:place], again[place + len(said) :]
            return _is_around(before, behind, said, long)
    return False


def _is_around(before: list[str], behind: list[str], said: list[str], whole: str) -> bool:
    """Whether the words around an answer only say what it counts, or call it one."""
    if not _SCALES.isdisjoint(behind):
        return False
    odd = any(sign in whole for sign in "¬~±") or "sqrt" in whole
    if odd or any(one[0].isdigit() for one in (*before, *behind)):
        return False
    counts = said[-1][0].isdigit() and _SIDES.isdisjoint(behind)
    if counts and things(behind) == len(behind):
        behind = []
    return {*before, *behind} <= _AROUND


def _plain(text: str) -> str:
    """An answer without the name that it is given, and without the sign of degrees."""
    return _DEGREES.sub(" degrees", _NAMED.sub("", text))


def _words(text: str) -> list[str]:
    return _WORD.findall(_SET.sub(" ", lowered(text)))


def _same_ends(one: str, other: str) -> bool:
    """Whether the brackets around several values are the same, where both answers have some."""
    ends = [_ENDS.match(each) if "," in each else None for each in (one, other)]
    found = [each.groups() for each in ends if each]
    return len(found) < 2 or found[0] == found[1]


def _sides(text: str) -> list[str]:
    """What stands on the sides of the equals signs of arithmetic."""
    sides = (_LOOSE.sub("", side) for side in text.translate(_SIGNS).split("="))
    return [_ENCLOSED.sub(r"\1", side) for side in sides]


def _operators(text: str) -> list[str]:
    return _OPERATORS.findall(text.translate(_SIGNS))
