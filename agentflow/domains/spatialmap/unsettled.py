"""What a reply says that the map leaves open, which has to be so.

Mill is north of Pier, but could be east or west of it
Whether Mill is east or west of Pier cannot be determined
Its east-west position is not determined
"""

from __future__ import annotations

import re

from agentflow.domains.spatialmap.canonical import D, halves, opposite, ways
from agentflow.domains.spatialmap.context import Context
from agentflow.domains.spatialmap.layout import Claim, lined_up
from agentflow.domains.spatialmap.placing import AT, NP, OF, ONE, Told, who_of, whom_of

_UNKNOWN = (
    r"(?:(?:(?:is|are|remains?|stays?) )?(?:(?:left )?open|unknown|unclear|uncertain|undetermined"
    r"|unspecified|ambiguous|not (?:fully |uniquely |exactly )?(?:determined|known|given|clear"
    r"|specified|stated|fixed|certain|said|decided))|(?:(?:cannot|can not|can't|is not) (?:be )?"
    r"(?:\w+ )?(?:determined|told|known|decided|inferred|deduced)))(?: from the (?:map|text))?"
)
_WE = (
    r"(?:(?:we|one|i) (?:cannot|can not|can't|do not|don't)(?: \w+ly)? (?:know|tell|determine|say"
    r"|decide|infer)|(?:the map|the text|it) (?:does not|doesn't) (?:say|tell|state|specify"
    r"|determine|fix|tell us))"
)
_OR = (
    rf"(?P<ways>{AT}(?:further )?{D}(?:{OF}{ONE})?(?:,? or {AT}(?:further )?{D})+)(?P<of>{OF}{NP})?"
)
_EITHER = re.compile(
    rf"(?:but |it |and )*(?:(?P<who>{ONE}|it|this|which) )?(?:could|may|might"
    rf"|can)(?: still)?(?: be)?"
    rf"(?: located)?(?: either)? {_OR}"
)
_WHETHER = re.compile(
    rf"(?:{_WE} )?(?:whether|if) (?P<who>{ONE}|it|this)(?: is)?(?: either)? {_OR}(?: {_UNKNOWN})?"
)
_POSITION = re.compile(
    rf"(?:{_WE} )?(?:(?P<who>{ONE})'s|its|the)(?: exact| precise)? "
    rf"(?P<ways>(?:{D} ?[-/ ] ?{D})?) ?(?:position|direction|location|relation|placement|order)"
    rf"(?: (?:relative|compared) (?:to|with) (?P<np>{NP}))?(?: {_UNKNOWN})?"
)


def read(text: str, now: Context) -> Told:
    """The claims of a clause in canonical spelling; None where it has none of the forms."""
    if found := _EITHER.fullmatch(text) or _WHETHER.fullmatch(text):
        if found.re is _WHETHER and not (re.match(_WE, text) or re.search(rf"{_UNKNOWN}$", text)):
            return None
        pair = _pair(found["who"] or "it", found["of"], now)
        return None if pair is None else _either(ways(found["ways"]), *pair)
    if found := _POSITION.fullmatch(text):
        if not (re.match(_WE, text) or re.search(rf"{_UNKNOWN}$", text)):
            return None
        pair = _pair(found["who"] or "it", found["np"] and f" of {found['np']}", now)
        said = ways(found["ways"])
        if pair is None or (said and opposite(said[0]) != said[1]):
            return None
        return _either(said, *pair) if said else [Claim("open", "", pair[1], (pair[0],))]
    return None


def _pair(who: str, of: str | None, now: Context) -> tuple[int, int] | None:
    subjects = who_of("it" if who in ("which", "its") else who, now)
    if len(subjects) != 1:
        return None
    last = now.claims[-1] if now.claims else None
    spoken = last.of if last and now.spoken and last.objects == subjects else now.asked["of"]
    beside = whom_of(of, subjects, now) if of else (spoken,)
    return (subjects[0], beside[0]) if len(beside) == 1 and beside[0] not in subjects else None


def _either(said: list[str], who: int, of: int) -> list[Claim]:
    """That each of two directions is open, and what they have in common is not."""
    shared = set(halves(said[0])) if not lined_up(said[0]) else set[str]()
    for way in said[1:]:
        shared &= set(halves(way)) if not lined_up(way) else set()
    return [
        *(Claim("further", way, of, (who,)) for way in sorted(shared)),
        *(Claim("open", way, of, (who,)) for way in said),
    ]
