"""Whether what stands beside an answer goes with it, whatever kind of answer it is.

    Answer: A=1, B=2            above <answer>A=2, B=1</answer>: another one
    noremopyk is the answer.    the same of a word
    So OUT is 1.                above <answer>0</answer>: what it concludes is another number
    It does not follow.         above <answer>Yes</answer>

Only what has the form of the answer, word for word, can be another one.
"""

from __future__ import annotations

import re
from fractions import Fraction

from agentflow.domains import arithmetic
from agentflow.domains.answers.alike import alike
from agentflow.domains.answers.doubt import SECOND_THOUGHTS, TAKEN_BACK
from agentflow.domains.gym.opposed import judged_otherwise
from agentflow.domains.spelling import NUMBERS, lowered

_SO = r"(?:(?:so|thus|therefore|hence|finally|overall|in total)\b,? ?)"
_WHOSE = r"(?:(?:the|my|our) )?(?:(?:final|correct|right|only) )*"
_IS = r"(?:[:=]|(?:is|equals|must be|should be|has to be|will be)\b:?)"
_MARK = r"[\s>#*_$`\"'“]*"
_CALLED = (
    re.compile(rf"(?i){_MARK}{_SO}?{_WHOSE}(?:answer|solution)[*_]*\s*{_IS}{_MARK}(?P<said>\S.*)"),
    re.compile(r"[\s$*]*\\boxed\{(?P<said>.*)\}[\s$*.]*"),
    re.compile(
        rf"(?i){_MARK}{_SO}?(?P<said>\S.*?)[\s*_`\"”]+is {_WHOSE}(?:answer|solution)[\s.!*]*"
    ),
)
"""A line that calls something the answer."""
_CONCLUDED = re.compile(
    rf"(?i){_MARK}{_SO}?(?:{_WHOSE}(?:result|output|value)[*_]*\s*{_IS}|=)?{_MARK}(?P<said>\S.*)"
)
"""A line right beside an answer, which may be another one as it stands."""
_BEGINS_SO = re.compile(rf"(?i){_MARK}{_SO}")
_EQUALS = re.compile(r"=\s*\$?(-?\d[\d,]*(?:\.\d+)?(?:/\d+)?)(?![\d.]*\s*[-+*/^(=])")
_ENDS_EQUAL = re.compile(rf"{_EQUALS.pattern}\$?[\s.!*$✓✔✅]*\Z")
_CHECKS = re.compile(r"[✓✔✅]|\b(?:verif|check|substitut|plug)")
_COUNTS = NUMBERS | {"once": 1, "twice": 2, "thrice": 3}
_NUMBER = re.compile(
    r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:/\d+)?(?![\w])"
    rf"|\b(?:{'|'.join(word for word in _COUNTS if word != 'one')})\b"
)
_FINDS = re.compile(r"\b(?:appears?|occurs?|there (?:is|are)|comes? (?:up|to)|is found)\b")
_TOKEN = re.compile(r"[^\W_]+(?:\.\d+)?")
_AROUND = " \t\r\n*_`$.!\"'“”"


def contradicts(above: str, said: str, behind: str) -> bool:
    """Whether the lines above an answer, or behind it, give another one, and do not take it back.

    Args:
        above: The whole lines above the answer.
        behind: Those behind it.
    """
    lines, below = (
        [line for line in text.split("\n") if _TOKEN.search(line)] for text in (above, behind)
    )
    for line in reversed(lines):
        if TAKEN_BACK.search(line) or SECOND_THOUGHTS.search(line):
            break
        if _calls_another(line, said):
            return True
    if lines and (
        _is_another(lines[-1], said)
        or judged_otherwise(lines[-1:], said)
        or _comes_to_another(lines[-1], said, alone=len(lines) == 1)
    ):
        return True
    return any(_calls_another(line, said) or _is_another(line, said) for line in below)


def _calls_another(line: str, said: str) -> bool:
    """Whether a line calls something else of the form of an answer so."""
    found = (one.fullmatch(line) for one in _CALLED)
    return any(_rivals(one["said"], said) for one in found if one)


def _is_another(line: str, said: str) -> bool:
    """Whether a line is something else of the form of an answer, of several words; of numbers
    alone it may be a calculation."""
    found, shape = _CONCLUDED.fullmatch(line), _shape(said)
    if found is None or len(shape) < 2 or {*shape} == {"9"}:
        return False
    return _rivals(found["said"], said)


def _rivals(one: str, said: str) -> bool:
    """Whether two texts have the same form, and do not say the same."""
    if _shape(one) != _shape(said) or not _shape(said):
        return False
    sums = [arithmetic.parse(arithmetic.plain(text.strip(_AROUND))) for text in (one, said)]
    if None not in sums and len({arithmetic.value(sum_) for sum_ in sums if sum_}) == 1:
        return False
    return _squeezed(one) != _squeezed(said) and not alike(one.strip(_AROUND), said)


def _shape(text: str) -> list[str]:
    """Of what kind the words of a text are: numbers, words in capitals, other words."""
    words = _TOKEN.findall(re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text))
    return [
        "9" if any(map(str.isdigit, word)) else "A" if word.isupper() else "a" for word in words
    ]


def _squeezed(text: str) -> str:
    """A text without spaces and what may stand around it, in small letters."""
    apart = re.sub(r"(?<=\d),(?=\d{3}(?!\d))|,?\s+(?:and\s+)?|\s", " ", text.strip(_AROUND))
    return lowered(apart.replace(" ", "")).replace("'", '"')


def _comes_to_another(line: str, said: str, *, alone: bool) -> bool:
    """Whether the line right above an answer that is a number comes to something else.

    Args:
        alone: Whether nothing else stands above.
    """
    low, own = (
        re.sub(r"\\[dt]?frac\{(\d+)\}\{(\d+)\}", r"\1/\2", lowered(line)),
        said.strip(_AROUND),
    )
    sums = _ENDS_EQUAL.search(low) is not None
    results = sums and not _CHECKS.search(low)  # a check may come to what was given
    told = [_value(one) for one in (_EQUALS if results else _NUMBER).findall(low)]
    value = _value(own)
    if value is None or any(
        one is not None and arithmetic.agrees(own.replace(",", ""), one) for one in told
    ):
        return False
    top, _, bottom = own.partition("/")
    if bottom and {_value(top), _value(bottom)} <= {*told}:
        return False  # a fraction of what came out
    finds = alone and len(told) == 1 and _FINDS.search(low)
    return bool(told) and bool(sums or _BEGINS_SO.match(line) or finds)


def _value(said: str) -> Fraction | None:
    """The number that digits say, or a word."""
    if said in _COUNTS:
        return Fraction(_COUNTS[said])
    try:
        return Fraction(said.replace(",", ""))
    except (ValueError, ZeroDivisionError):
        return None
