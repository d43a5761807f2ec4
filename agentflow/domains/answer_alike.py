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

from agentflow.domains.remark_sums import is_worth
from agentflow.domains.spelling import NUMBERS, lowered, word_set
from agentflow.tools.quantities import things

_LETTER = re.compile(r"[^\W\d_]")
_LETTERS = re.compile(r"[^\W\d_]+")
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
_OPTION = re.compile(
    r"[(\[]?(?P<letter>[A-J])(?:[)\].:]+.*| \([^()]*\))?|[^()]*\((?P<behind>[A-J])\)", re.DOTALL
)
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
"""Of what the domain of mazes looks at itself."""
_SHORTER = (
    (re.compile(r"(?<=\w)(?:\{,\}|,)(?=\d{3}(?!\d))"), ""),
    (re.compile("³"), "^3"),
    (re.compile("²"), "^2"),
    (re.compile(r"\s*(?:≈|\\approx\b).*", re.DOTALL), ""),
    (
        re.compile(
            r"(?<=[^\W_]) \((?:(?:(?i:about|approximately|by|from|given)\b|[≈=])"
            r"(?![^()]*\b(?:not|no|never|wrong|false|\w+n['’]t)\b)[^()]*|[NS][EW]"
            r"|\d[\d\s.,+*/×–-]*)\)[\s.]*\Z"
        ),
        "",
    ),
    (_TURNS, ""),
    (re.compile(r"(?i),? (?:in (?:total|all)|altogether|overall|combined)\b"), ""),
    (re.compile(r"(?i)\b(?:a total of|in(?= \d{4}\b)) "), ""),
    (re.compile(r"(?i)(?<=[^\W_]) (?:per|every|each|an?) (?:\w+)(?=[\s.]*\Z)"), ""),
)
"""What one of two statements may have beside the answer, and other signs for the same."""
_TELLS = re.compile(
    r"(?P<before>[A-Z][\w'’ -]{1,80}?|[a-z] is) (?:\$ ?)?(?P<n>\d[\d.,/]*)"
    r"(?:[ °][^\d]{0,60})?[.\s]*"
)
"""A sentence that tells one number: ``Natalia sold 72 clips``."""
_TELLS_NOT = re.compile(
    r"(?i)\b(?:not|no|never|none|nobody|\w+n['’]t|cannot|less|more|than|fewer|under|over|about|around"
    r"|almost|nearly|at (?:least|most)|half|twice|double|triple|except|before|after|without|instead"
    r"|rather|another|other|wrong|opposite|reverse|minus|negative|squared|cubed|plus|times|would"
    r"|could|might|may|if|unless|said|says?|thinks?|claims?|guess\w*|first|initially|once|only|hundred"
    r"|thousand|million|billion|dozen|pi|root|percent|cents?|radians?|pairs?)\b"
)
_VALUES = re.compile(r"(?i)\b[a-z] ?(?:=|∈|\\in\b) ?|[\\{}$ ]|[a-z]=")
_AND = re.compile(r",| ?\b(?:and|or)\b ?|;")


def alike(one: str, other: str) -> bool:
    """Whether two answers are one. Arithmetic has to be the same, numbers worth the same."""
    return _alike(one, other) or _alike(_shortened(one), _shortened(other))


def _shortened(text: str) -> str:
    """An answer without what may stand beside it, in plain signs."""
    if told := _TELLS.fullmatch(text):
        text = text if _TELLS_NOT.search(text) else told["n"].rstrip(".,")
    for pattern, plain in _SHORTER:
        text = pattern.sub(plain, text)
    text = text.strip(" .*")
    return str(NUMBERS.get(text.lower(), text))


def _same_values(one: str, other: str) -> bool:
    """Whether both list the same values: ``{2, 3}``, ``x = 2 and x = 3``."""
    if any("(" in each or "[" in each for each in (one, other)):
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
    if not (_LETTER.search(one) or _LETTER.search(other)):
        return _same_ends(one, other) and not {*_sides(one)}.isdisjoint(_sides(other))
    if not _LETTER.search(one) and _operators(one) and _operators(other):
        return not {*_sides(one)}.isdisjoint(_sides(_LETTERS.sub("", other)))
    return _same_option(one, other) or _says(one, other)


def _same_option(one: str, other: str) -> bool:
    """Whether both name the same option; what one says of it is for its domain to read."""
    found = [_OPTION.fullmatch(each.strip(" *_.")) for each in (one, other)]
    return all(found) and len({each["letter"] or each["behind"] for each in found if each}) == 1


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
