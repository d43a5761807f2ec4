"""Rules of directions: what one is, and what turning it round, or adding it to itself, gives.

Northeast means further north and further east
The opposite of Northwest is Southeast
Twice northeast is northeast
If X is northeast of Y, then Y is southwest of X
"""

from __future__ import annotations

import re

from agentflow.domains.spatialmap.canonical import (
    D,
    consists_of,
    forms,
    halves,
    is_one,
    opposite,
    ways,
)
from agentflow.domains.spatialmap.claims import N, sign
from agentflow.domains.spatialmap.context import Context
from agentflow.domains.spatialmap.layout import DIRECTIONS, lined_up
from agentflow.domains.spatialmap.placing import AT, Told

_TURNS = forms("""
    around becomes converse counterpart flips image inverse inverting mirror opposite reverse
    round turns
""")
_MEANS = forms("if to has mean must when being count imply needs implies require")
_WORDS = (
    _TURNS
    | _MEANS
    | forms("""
    a after again always an and another would any are be both by combined continuing direction each
    else exactly followed further give going have heading in into is it just keep lead leaves
    lie lying make more move moving net object of on one only other overall place plus relation
    remain result simply something stay step still take than that the then times to top
    transitive travelling twice us walking with yields you
""")
)
_IN_LINE = _WORDS | forms("for would exactly directly due strictly is with as")
_LEVEL = re.compile(
    r"\b(?:level with|at the same (?:height|level|latitude|y(?:[ -]coordinate)?)"
    r"|(?:on|in) the same (?:row|latitude|horizontal(?: line)?))"
)
_ABOVE = re.compile(
    r"\b(?:at the same (?:longitude|x(?:[ -]coordinate)?)"
    r"|(?:on|in) the same (?:column|longitude|vertical(?: line)?))"
)
"""Where what is exactly in line is."""
_TIMES = re.compile(r"\b(?:twice|two|three)\b")
_THING = (
    rf"(?:the first|the second|the other|an? (?:object|place)|something|one|it|a|b|x|y|p|q|{N})"
)
_BACK = re.compile(
    rf"if (?P<a>{_THING}) is {AT}{D} of (?P<b>{_THING}),? (?:then )?"
    rf"(?P<c>{_THING}) is (?:in the opposite direction,? which is )?{AT}{D} of (?P<d>{_THING})"
)


def read(text: str, now: Context) -> Told:
    """No claims where a clause in canonical spelling truly says what a direction is; else None."""
    return [] if _holds(text, now.asked["of"]) else None


def _holds(text: str, of: int) -> bool:
    """Whether a sentence truly says what a direction is, or what turning it round gives."""
    said, words = ways(text), set(re.findall(r"[a-z]+", text))
    if re.fullmatch(rf"{D} is not (?:(?:the same (?:thing )?as|equal to|identical to) )?{D}", text):
        return said[0] != said[1]
    if re.fullmatch(rf"{D} (?:stays|remains) {D}", text):
        return False  # of what is turned round
    if (back := _BACK.fullmatch(text)) and len(said) == 2:
        crossed = (back["a"], back["b"]) == (back["d"], back["c"])
        return crossed and opposite(said[0]) == said[1]
    if (line := _LEVEL.search(text) or _ABOVE.search(text)) is not None:
        axis = 1 if line.re is _LEVEL else 0
        rest = text.replace(line[0], " ", 1)
        in_line = len(said) == 1 and lined_up(said[0]) and DIRECTIONS[said[0]][axis] == 0
        asked = {*re.findall(N, text)} <= {sign(of)}
        return in_line and asked and consists_of(rest, _IN_LINE, ",")
    plain = _TIMES.sub(" ", text) if len(set(said)) == 1 else text
    if not consists_of(plain, _WORDS, "+=,-<>.") or len(re.findall(N, text)) > 1:
        return False
    if any(is_one(word, _TURNS) for word in words) or "<->" in text:
        return len(said) == 2 and opposite(said[0]) == said[1]
    if "transitive" in text or (len(said) > 1 and len(set(said)) == 1):
        return len(set(said)) <= 1
    if len(said) == 2 and re.search(r"\b(?:must|has to|have to|needs?|requires?)\b", text):
        return said[1] != said[0] and said[1] in halves(said[0])
    if len(said) != 3 or not (
        any(is_one(word, _MEANS) for word in words) or ways(text[0]) or "+" in text
    ):
        return False
    whole = next((way for way in said if not lined_up(way)), "")
    return bool(whole) and sorted(one for one in said if one != whole) == sorted(halves(whole))
