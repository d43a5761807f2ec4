"""The sentences of a reply of Game of 24, with signs for what they say in words.

Subtract 9 from 13 to get 4.         (13 - 9) = 4
Multiplying the two sevens gives 49. (7 * 7) = 49
Half of 48 is 24.                    (48 / 2) = 24
24 can be written as 4 × 6.          24 = 4 * 6
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from agentflow.domains.game24 import reading
from agentflow.domains.spelling import NUMBERS, lowered

NUMBER = r"(?<![\d.])(?:-?\d+(?:\.\d+)?|\(\d+/0*[1-9]\d*\)|\d+/0*[1-9]\d*)(?![.\d]*\d)"
NUMERAL = re.compile(r"-?\d+(?:\.\d+|/0*[1-9]\d*)?")
AND = r"(?:,? and |, ?| or )"
_ARTICLE = (
    r"(?:(?:the|an?|my|our|one|both|just|only|its|that|this|another)"
    r" (?:other |remaining |given |original |last |lone |leftover |extra |spare |second |first "
    r"|third |fourth |outer |inner )*)?"
)
ITEM = rf"(?:{_ARTICLE}{NUMBER})"
ITEMS = rf"(?:{ITEM}(?:{AND}{ITEM})*)(?! ?[-+*/=≈^(] ?[-\d(])"
"""``3``, ``the 2 and the 5``: numbers that no sign stands behind."""

SIGNS = {"add": "+", "sum": "+", "tot": "+", "plu": "+", "tog": "+", "giv": "+", "mak": "+",
         "sub": "-", "tak": "-", "rem": "-", "dif": "-", "min": "-", "mul": "*", "pro": "*",
         "tim": "*", "div": "/", "quo": "/", "rat": "/"}  # fmt: skip
"""The beginnings of the names of operations, and their signs."""
_LEFT_OPEN = re.compile(r"(?<=[\d)]) ?[-+*/] ?(?:\.\.\.|…|_+|\?|something|$)")
_SMALL = {word: number for word, number in NUMBERS.items() if 0 < number < 14}
_PLURALS = {f"{word}{'es' if word == 'six' else 's'}": n for word, n in _SMALL.items()}
_COPIES = re.compile(
    r"\b(?:(?P<all>the|all(?: of)?(?: the)?)|(?:both|(?:all |the |both )?(?P<count>two|three|four"
    r"|pair))(?: of)?(?: the)?(?: given)?) "
    rf"(?:(?P<digits>\d+)'?s|(?P<word>{'|'.join(_PLURALS)}))\b"
)
"""``both 3s``, ``the two sevens``."""
_SOME_OF = re.compile(
    r"\b(?:one|another|either)(?: of)?(?: the| my| our)?(?: given)?(?: two| three| four)? "
    rf"(?:(?P<digits>\d+)'?s|(?P<word>{'|'.join(_PLURALS)}))\b"
)
_TIMES = re.compile(
    rf"(?<!the )(?<!ing )(?<!both )\b(?P<count>{'|'.join(_SMALL)})"
    rf" (?:(?P<digits>\d+)'?s|(?P<word>{'|'.join(_PLURALS)}))"
    r"(?= (?:is|are|makes?|gives?|equals?|totals?|come to|add up to) (?:exactly )?\d)"
)
_ONE_OTHER = re.compile(
    r"\b(?:one|an?|the first) (?P<n>\d+) (?P<joint>by|from|and|to|with|plus|minus|times"
    r"|divided by) (?:the|another) (?:other|second)?(?: one| (?P=n))?(?! ?\d)"
)
_WORD = re.compile(
    rf"(?P<before>\b(?:an?|one|times|plus|minus|by|from|to|is|of|or) )?"
    rf"\b(?P<word>{'|'.join(_SMALL)})\b(?! \d)"
    rf"(?P<first>(?= (?:plus|minus|times) (?:\d|{'|'.join(_SMALL)})))?"
    r"(?P<end>(?=[,.:;]|$| to | gives))?(?!['’ -](?!(?:is|gives|makes|equals|leaves)\b"
    rf"|(?:plus|minus|times) (?:\d|that|this|it\b|{'|'.join(_SMALL)}))"
    r"(?:more|less|half\b|third\b|quarter\b|\w+s\b|of\b|s\b|time|way))"
)
"""A number in words; a small one may count things."""
_PART = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8}
_PARTS = re.compile(
    rf"\b(?:an?|one)[ -](?P<part>{'|'.join(_PART)})\b"
    r"(?: of (?:the )?(?P<whole>\d+)(?= |,|$)|(?! of))"
)
_FRACTION = re.compile(r"\(\((-?\d+(?:\.\d+)?)\)/\((\d+(?:\.\d+)?)\)\)")
_NUMBERED = re.compile(
    r"(?i)\A[\W_]*\d{1,2}[.)](?: +|\Z)|\b(?:option|case|attempt|method|approach|way|idea"
    r"|try) [a-e]\b[-:.) ]*|\b(?:step|solution|option|way|method|equation|operation"
    r"|attempt)s? ?(?:#?\d{1,2}\b\)?|\(\d{1,2}\)) ?[-:.)]?|\b(?:try|trial|approach|idea"
    r"|candidate) ?[#(]?\d{1,2}\)? ?[:.)]"
)
_MARKUP = re.compile(
    r"</?answer>|\\(?:boxed|text(?:bf|it|rm)?|math(?:bf|rm)|quad|qquad|left|right|displaystyle|big"
    r"|Big|checkmark|therefore|hline)\b|\\(?:begin|end)\{[a-z]+\*?\}(?:\{[lcr|]+\})?"
    r"|(?<=[a-z]:)\*{1,2}(?=\s)|\\[()\[\],;! ]|[\[\]{}$`\"]|```\w*|\\\\|&|^\s*#+"
    r"|[✓✅✔☑☺🎉👍😊🙂\ufe0f]"
    r"|\\(?=\(|\)|$)"
)
_DASH = re.compile(r"(?<=[^\W\d_]) ?— ?|(?<=[^\W\d_]{2}) [-–] (?=[\d(])|— ?(?=[^\W\d_])")
"""What stands between clauses, and is no minus."""
_SPELLINGS = [
    (re.compile(pattern), spelled)
    for pattern, spelled in (
        (r"^\s*>+(?= )", " "),
        (r"(?<![\d.)])(\d+)²", r"(\1 * \1)"),
        (r"\\[dt]?frac ?(\d) ?(\d)(?!\d)", r"(\1/\2)"),
        (r"\\approx", "≈"),
        (r"\\(?:Long)?(?:rightarrow|Rightarrow|implies|to )", "->"),
        (r"\\l?dots", "..."),
    )
]
"""What :func:`reading.plain` leaves as it is."""
_NOT = re.compile(r"\b(\w+?)n't\b|\b(can)not\b")
_IRREGULAR = {"ca": "can", "wo": "will"}
_BRACES = re.compile(r"(?<![a-zA-Z])\{([^{}]*\d[^{}]*[-+*/][^{}]*)\}")
"""Braces that are the brackets of an operation, and no LaTeX."""
_MAX_BRACES = 4
_ARROW = re.compile(r" ?(?:->|=>|⇒|→|⟹) ?")


def unmarked(sentence: str) -> str:
    """A sentence in small letters and plain signs, without markup and the number of its item."""
    for pattern, spelled in _SPELLINGS:
        sentence = pattern.sub(spelled, sentence)
    said = reading.with_fractions(reading.plain(_DASH.sub(" ; ", sentence)))
    for _ in range(_MAX_BRACES if "{" in said else 0):  # from the inside out
        said = _BRACES.sub(r"(\1)", said)
    said = _MARKUP.sub(" ", said)
    said = _ARROW.sub(" ⇒ ", _NUMBERED.sub(" ", _FRACTION.sub(r"(\1/\2)", said)))
    return _NOT.sub(_negated, " ".join(lowered(said).split()).strip(" .*_-;"))


def _negated(found: re.Match[str]) -> str:
    verb = found[1] or found[2]
    return f"{_IRREGULAR.get(verb, verb)} not"


def with_digits(said: str, own: Counter[Fraction]) -> str:
    """A sentence with digits for its numbers in words.

    Args:
        said: What :func:`unmarked` gives.
        own: The numbers of the problem: ``both 3s`` are its own.
    """
    said = _TIMES.sub(_product, _SOME_OF.sub(_one, _LEFT_OPEN.sub(" ", said)))
    said = _PARTS.sub(_part, _WORD.sub(_digits, _COPIES.sub(_copies(own), said)))
    return _ONE_OTHER.sub(lambda found: _pair(found, own), said)


def numbers(listed: str) -> list[Fraction]:
    """The numbers of a list."""
    return [Fraction(one) for one in NUMERAL.findall(listed)]


def number(written: str) -> Fraction:
    """The first number of a list."""
    return numbers(written)[0]


def _product(found: re.Match[str]) -> str:
    return f"({_SMALL[found['count']]} * {found['digits'] or _PLURALS[found['word']]})"


def _one(found: re.Match[str]) -> str:
    return f"one {found['digits'] or _PLURALS[found['word']]}"


def _pair(found: re.Match[str], own: Counter[Fraction]) -> str:
    there = own[Fraction(found["n"])] > 1
    return f"{found['n']} {found['joint']} {found['n']}" if there else found[0]


def _copies(own: Counter[Fraction]) -> Callable[[re.Match[str]], str]:
    def listed(found: re.Match[str]) -> str:
        number = int(found["digits"] or _PLURALS[found["word"]])
        there = own[Fraction(number)]
        count = there if found["all"] else _SMALL.get(found["count"] or "pair", 2)
        return " and ".join([str(number)] * count) if 1 < count <= there else found[0]

    return listed


def _digits(found: re.Match[str]) -> str:
    before, number = found["before"] or "", NUMBERS[found["word"]]
    operand = before and (found["end"] is not None or before not in ("to ", "is ", "of ", "or "))
    operand = operand or found["first"] is not None
    return f"{before}{number}" if number > 4 or operand else found[0]


def _part(found: re.Match[str]) -> str:
    part = _PART[found["part"]]
    return f"({found['whole']} / {part})" if found["whole"] else f"1/{part}"
