"""What a line may state, told at a glance: most lines are settled without reading every word."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator

from agentflow.domains.math.doubt import UNSURE, unsure
from agentflow.domains.math.notation import says
from agentflow.domains.spelling import lowered

MAX_LINE = 20_000
"""Longer lines are no reasoning; nothing is read in them."""

_WORKED = re.compile(
    r"(?i)[-+*/×÷·−%]|\b(?:x|percent|times|plus|minus|divided|multiplied|sum|product|adding|added"
    r"|squared|cubed|power|root|factorial|half|quarters?|thirds?|fourths?|fifths?|tenths?)\b"
)
_SEEMS = re.compile(
    r"(?<![\w.\\{}^_+*/(=-])(?<![-+*/=(] )\d[\d.,]*\s*(?:[-+*/×÷·−%^]|\\times|\\cdot|\\div)"
    r"\s*\(?\d[\d.,()+\-*/×÷·−%^ ]*=\s*-?\$?\d[\d.,]*+(?!\w|\s*[-+*/^_\\({×·÷]|\s?[a-zA-Z]\b)"
)
"""A calculation and its result, numbers only."""
_PROSE = re.compile(r"(?<![\\\w])[a-zA-Z]{3,}")
SENTENCE = re.compile(r"(?<=[.?;])\s+(?=\D)|(?<=!)\s+(?=[A-Z])|\n")  # 5! is a factorial
_RELATION = re.compile(
    r"(?:=(?![=>])|\\(?:approx|approxeq|simeq|giving|equalling)(?![a-zA-Z]))"
    r"(?=\s*(?:[-\w({\[\\]|\.\d))"
)
"""An equality sign before what may be an expression."""
_LEFT_ENDS = (*"0123456789", ")", "]", "}", "%", "!")
_ALONE = re.compile(
    r"(?:^|[,;:.]|\b(?:if|so|and|let|then|that|where|when|with|is|have|get|for|since|value|into))"
    r"\s+[^\W\d_]$"
)
"""A variable with nothing before it: what it equals is no claim."""


def may_state(line: str) -> bool:
    """Whether a line has what says that something equals something."""
    if "=" in line or "≈" in line or "approx" in line:
        return True
    return says(line) and _WORKED.search(line) is not None


def may_claim(text: str, low: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a text begin and end in which an equality sign may stand in a claim:
    there is an expression on either side, and the sentence states things. Most lines have none.

    Args:
        low: The text in small letters.
    """
    starts: list[int] = []
    end = 0
    for sign in _RELATION.finditer(text):
        place = sign.start()
        if place < end:
            continue
        before = text[max(0, place - 30) : place].rstrip()
        letter = before[-1:] if before[-1:].isalpha() else ""
        if not (letter or before.endswith(_LEFT_ENDS)) or (letter and _ALONE.search(before)):
            continue
        starts = starts or [0, *(match.end() for match in SENTENCE.finditer(text)), len(text) + 1]
        number = bisect(starts, place)
        if letter and not before[-2:-1].isalpha() and text.find(letter, place, starts[number]) < 0:
            continue  # a variable's value
        end = starts[number]
        if not unsure(low, starts[number - 1], end):
            yield starts[number - 1], end


def seems_to_claim(line: str) -> bool:
    """Whether the line seems to state what a calculation with numbers gives."""
    if len(line) > MAX_LINE or "=" not in line or not _SEEMS.search(line):
        return False
    return not (UNSURE.search(lowered(line)) or line.lstrip().startswith("|"))


def is_prose(line: str) -> bool:
    """Whether the line is mainly words, and does not begin with an equation."""
    head, sign, _ = line.partition("=")
    return len(_PROSE.findall(line)) >= 3 and not (sign and not _PROSE.search(head))


def introduces_doubt(line: str) -> bool:
    """Whether the line introduces what may be false: a check, an assumption (``Check x = 3:``)."""
    if ":" not in line or len(line) > MAX_LINE or not line.rstrip(" \n\r\t*$").endswith(":"):
        return False
    return bool(UNSURE.search(lowered(SENTENCE.split(line.strip())[-1])))
