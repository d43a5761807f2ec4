"""What began and ended when, and what a reply says of two things that overlap or do not.

Bach died in 1750 and Beethoven was born in 1770, so they never met.       agrees
Bach died in 1750 and Beethoven was born in 1740, so they never met.       does not follow
"""

from __future__ import annotations

import re
from typing import NamedTuple

from agentflow.domains import spelling
from agentflow.domains.sentence_ends import sentence_end

_BEGINS = (
    r"born|founded|formed|established|built|invented|created|introduced|started|began|opened"
    r"|launched|set up|released|published|patented|discovered|came out"
)
_ENDS = (
    r"died|killed|assassinated|broke up|split up|disbanded|dissolved|ended|passed away|closed"
    r"|lived until|executed|extinct|collapsed|abolished"
)
_EVENT = re.compile(
    rf"(?P<who>[^\d]{{2,60}}?) (?:(?:was|were|had|been|already|is|only|went|officially) )*"
    rf"(?:(?P<begins>{_BEGINS})|(?P<ends>{_ENDS}))\b[^\d]{{0,40}}?(?:\d{{1,2}}, )?"
    r"(?P<year>1\d{3}|20\d\d|[3-9]\d\d)(?![\d%]|,\d|\.\d)"
)
_SPLIT = sentence_end(".!?", r";\s*", r",? (?:and|while|but|whereas)\b,? ")
_LIFE = r"overlap\w*|met\b|meet\b|contemporar\w+|coincide\w*|crossed? paths"
_APART = re.compile(
    rf"\b(?:not|never|no|n't)(?: \w+){{0,3}}? (?:{_LIFE})|n't (?:have )?(?:{_LIFE})"
    r"|\b(?:already|long|been|was|were) dead\b|\bdead by\b|\bmissed each other\b"
    r"|\bbefore \w+ was born"
)
_TOGETHER = re.compile(
    r"\b(?:overlapped|contemporar(?:y|ies)|could(?: well| easily)? have met|coincided"
    r"|at the same time|(?:was|were)(?: still)? alive)\b"
)
_DEAD_BY = re.compile(
    r"(?P<who>[A-Z][\w' -]{1,40}?) (?:was|had been|was already|had already been) (?:long )?dead"
    r" (?:by the time|when|before) (?P<other>[A-Z][\w' -]{1,40}?) was born"
)
_DENIES = re.compile(r"\b(?:not|never|no)\b|n't\b")


class _Event(NamedTuple):
    who: str
    ends: bool
    year: int


def parted(clause: str) -> bool | None:
    """Whether a clause says that two lives did not overlap (True), that they did (False), or
    neither."""
    low = spelling.plain(clause).lower()
    if _APART.search(low):
        return True
    if _TOGETHER.search(low):
        return _DENIES.search(low) is not None
    return None


def at_odds(text: str) -> bool:
    """Whether a reply says of the one end and the one beginning in it what their years deny."""
    text = spelling.plain(text).replace("**", "")
    if len(text) > 4_000 or re.search(r"(?i)\b(?:bce?|b\.c)\b", text):
        return False
    events = list(_events(text))
    ends = [one for one in events if one.ends]
    begins = [one for one in events if not one.ends]
    if len(ends) != 1 or len(begins) != 1 or _same(ends[0].who, begins[0].who):
        return False
    gap = ends[0].year - begins[0].year
    said = {parted(one) for one in re.split(r"(?<=[.!?;,])\s+|\n+", text)} - {None}
    if (True in said and gap > 0) or (False in said and gap < 0):
        return True
    found = _DEAD_BY.search(text)
    return found is not None and gap < 0 and _same(found["who"], begins[0].who)


def _events(text: str) -> list[_Event]:
    found = (_EVENT.search(clause) for clause in _SPLIT.split(text))
    return [_Event(one["who"], bool(one["ends"]), int(one["year"])) for one in found if one]


def _same(one: str, other: str) -> bool:
    """Whether two names share a word with a capital."""
    names = [
        set(re.findall(r"[A-Z]\w+", each)) - {"The", "He", "She", "It"} for each in (one, other)
    ]
    return bool(names[0] & names[1])
