"""Short answers that say one amount, place in a row, span, or list, in other words.

3 months      three months          one amount
43 yards      43                    one, where the question is how many yards
$1.5 million  1,500,000 dollars     one amount
5 km          5 miles               nothing is told
3rd quarter   the third quarter     one place
1914-1918     from 1914 to 1918     one span
Ann and Bo    Bo and Ann            one list, where no order is asked for
"""

from __future__ import annotations

import re

from agentflow.domains import spelling
from agentflow.domains.commonsense.short_answers import short
from agentflow.tools.quantities import Number, read_number, same_quantity, singular

_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_TEENS = "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
_ORDINALS = {
    word: number for number, word in enumerate([*spelling.ORDINALS, *_TEENS.split()], 1)
} | {f"{tens[:-1]}ieth": 10 * number for number, tens in enumerate(_TENS, 2)}
_ORDINAL = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})[- ])?(?P<word>{'|'.join(_ORDINALS)})\b"
    r"|\b(?P<figures>\d+)(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
_SPAN = re.compile(r"(?:from )?(\d+) ?(?:to|until|through|[-–—]) ?(\d+)")
_JOINED = re.compile(r"(?<=\d)-(?=[a-z])")
"""``43-yard``"""
_CODE = re.compile(r"\D?0\d")
"""What begins with a nought that counts: the number of a house or of an agent."""
_ASKED = re.compile(
    r"\b(?:how (?:many|much)(?: (?:more|fewer|less|other|total|different))*|in(?: how many)?"
    r"|what (?:is|was) the (?:total )?number of|(?:what|which)) (?P<unit>[a-z]+(?: [a-z]+)?)"
)
"""What a question asks an amount of."""
_INITIALS = re.compile(r"(?<=\b[a-z]) (?=[a-z]\b)")
_AND = re.compile(r",? and |, ")
_IN_ORDER = re.compile(r"\b(?:order|rank\w*|respectively|sequence|then|before|after)\b")
_PERCENT = re.compile(r"\bpercent(?:age)?\b|%")


def same(question: str, one: str, other: str) -> bool:
    """Whether two answers say the same; that they do not does not tell them apart."""
    if _spelled(one) == _spelled(other) or _one_list(question.lower(), one, other):
        return True
    first, second = (spelling.plain(text).casefold().strip(" .") for text in (one, other))
    if _CODE.match(first) or _CODE.match(second):
        return False
    numbers = [read_number(_JOINED.sub(" ", text)) for text in (first, second)]
    if numbers[0] is None or numbers[1] is None:
        return False
    alone = [number for number in numbers if number and not (number.unit or number.percent)]
    measured = [number for number in numbers if number and (number.unit or number.percent)]
    if alone and measured and not _asks_for(question.lower(), measured[0]):
        return False
    if numbers[0].percent != numbers[1].percent and numbers[0].value != numbers[1].value:
        return False
    return same_quantity(numbers[0], numbers[1]) is True


def _spelled(text: str) -> str:
    """A text with its ordinals and its span in figures, and its initials in one word."""
    text = spelling.plain(text)
    if span := _SPAN.fullmatch(text.strip(" .").lower()):
        return f"{span[1]}-{span[2]}"
    said = _ORDINAL.sub(_figures, text)
    return _INITIALS.sub("", short(said) or said)


def _figures(found: re.Match[str]) -> str:
    if found["figures"]:
        return f"{found['figures']}th"
    tens, ones = (found["tens"] or "").lower(), _ORDINALS[found["word"].lower()]
    if tens and ones > 9:  # no number
        return found[0]
    return f"{(10 * (_TENS.index(tens) + 2) if tens else 0) + ones}th"


def _one_list(question: str, one: str, other: str) -> bool:
    """Whether two texts list the same names with an ``and`` before the last."""
    if not (" and " in one and " and " in other) or _IN_ORDER.search(question):
        return False
    parts = [sorted(short(part) or part for part in _AND.split(text)) for text in (one, other)]
    return parts[0] == parts[1] and not any(re.search(r"\d", part) for part in parts[0])


def _asks_for(question: str, number: Number) -> bool:
    """Whether a question names the unit in which it wants an amount."""
    if number.percent:
        return _PERCENT.search(question) is not None
    asked = [" ".join(map(singular, found["unit"].split())) for found in _ASKED.finditer(question)]
    unit = " ".join(map(singular, number.unit.split()))
    return any(f"{one} ".startswith(f"{unit} ") for one in asked)
