"""Rules of directions: what one is, and what turning it round, or adding it to itself, gives.

Northeast means further north and further east
The opposite of Northwest is Southeast
Twice northeast is northeast
If X is northeast of Y, then Y is southwest of X
"""

from __future__ import annotations

import re

from agentflow.domains.spatialmap.canonical import D, consists_of, halves, opposite, ways
from agentflow.domains.spatialmap.claims import N
from agentflow.domains.spatialmap.context import Context
from agentflow.domains.spatialmap.layout import lined_up
from agentflow.domains.spatialmap.placing import AT, Told
from agentflow.domains.spelling import word_set

_TURNS = word_set("""
    opposite opposites reverse reversed reverses reversing reversal inverse inverses inverting
    converse counterpart mirror image flipping flips turning turned turns round around becomes
""")
_MEANS = word_set("means mean requires require implies imply if when to being must has needs count")
_WORDS = (
    _TURNS
    | _MEANS
    | word_set("""
    moving going heading travelling walking move moves step steps twice again times one
    a an the to of and then is are gives give keeps keep leaves lead leads leading takes take us you
    still remains remain stays stay further more in direction directions always makes make yields
    another plus followed by combined with results result into something object place it net else
    any relation relations overall combining continuing only just on top after be have simply both
    than that as lie lying exactly other each transitive
""")
)
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
    return [] if _holds(text) else None


def _holds(text: str) -> bool:
    """Whether a sentence truly says what a direction is, or what turning it round gives."""
    said, words = ways(text), set(re.findall(r"[a-z]+", text))
    if (back := _BACK.fullmatch(text)) and len(said) == 2:
        crossed = (back["a"], back["b"]) == (back["d"], back["c"])
        return crossed and opposite(said[0]) == said[1]
    plain = _TIMES.sub(" ", text) if len(set(said)) == 1 else text
    if not consists_of(plain, _WORDS, "+=,-<>.") or len(re.findall(N, text)) > 1:
        return False
    if words & _TURNS or "<->" in text:
        return len(said) == 2 and opposite(said[0]) == said[1]
    if "transitive" in words or (len(said) > 1 and len(set(said)) == 1):
        return len(set(said)) <= 1
    if len(said) != 3 or not (words & _MEANS or ways(text[0]) or "+" in text):
        return False
    whole = next((way for way in said if not lined_up(way)), "")
    return bool(whole) and sorted(one for one in said if one != whole) == sorted(halves(whole))
