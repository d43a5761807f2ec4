"""What a text says beside its answer: where objects are, and which are counted."""

from __future__ import annotations

import re

from agentflow.domains import answers, conclusions
from agentflow.domains.spatialmap import wording

MAX_LINE = 600
_OF_PLACE = re.compile(
    rf"(?i)(?=.* (?:is|are|lies|lie|sits|stands) )(?=.*\b{wording.DIRECTION}\b).* of "
)
_CONCLUDES = re.compile(
    r"(?i)(?:the )?(?:final |only |right |correct )?"
    r"(?:verdict|result|object|direction|conclusion) is"
    r" (?!(?:verified|confirmed|checked|correct|right|consistent|unique)\b\W*\Z).*"
    rf"|.* it is|(?:.*\bdue )?{wording.DIRECTION}(?: is)?\b.*|this is the direction .*"
)
"""A clause behind an answer that says what it is, in whatever words."""
THESE_SO = re.compile(
    rf"(?i)(?:[^:()]{{0,80}}: )?(?:(?:so|thus|therefore|hence),? )?(?:there (?:are|is) )?"
    rf"(?P<said>(?:{wording.COUNT}) objects?)(?: that (?:is|are))?"
    rf"(?: (?:{wording.IN})?{wording.DIRECTION} of (?P<of>[^:()]{{1,80}}?))?"
    r"(?:: (?P<names>[^:()]{1,300})| \((?P<held>[^:()]{1,300})\))"
)
"""How many objects there are, and which: ``2 objects (B, C)``, ``Two objects: B and C``"""
_PLACED = re.compile(
    r"\W*(?:\d{1,3}[.)]\s+)?[\s*_|]*(?!(?i:[\w ]{0,20}answer|direction)\b)"
    r"(?P<name>[^\W\d_][^:–—→|*_\n]{0,60}?)[*_]*\s*"
    r"(?:[:–—→|]|[-=]>|\s-\s)[\s*_]*"
    rf"(?i:(?:{wording.IN})?{wording.DIRECTION})[\s*_|.✓✔✅]*"
)
"""An item of a list, or a row of a table: ``1. Pier – northeast``"""
LISTS, THESE = "lists: ", "these: "
"""What marks grounds that say where one object is, and which objects are counted."""
_MAX_LISTED = 60
_SEVERAL = re.compile(
    r"(?P<names>[A-Z][\w' -]{0,40}(?:, [A-Z][\w' -]{0,40}){0,9}(?:,? and )[A-Z][\w' -]{0,40}) are "
    rf"(?P<where>(?i:(?:{wording.IN})?{wording.DIRECTION}) of [^.,;:?!\n]+)"
)
_RELATIVE = re.compile(
    r"(?i)^(?:so |thus |therefore |hence )?(?P<a>.+?)(?:['’]s (?:position|direction|location))?"
    rf" relative to (?P<b>.+?) is (?:(?:in|to) the )?{wording.DIRECTION}$"
)
"""``The Cafe's position relative to The Bank is Northeast``"""
_LIES = re.compile(r"\b(?:is|lies|sits|stands|was|has been|moved)\b .*[A-Z]")


def beside(text: str) -> list[str]:
    """The clauses beside the answer that say where an object is."""
    text = _SEVERAL.sub(_one_by_one, text)
    told = map(turned, [*conclusions.clauses(text), *conclusions.behind(text)])
    found = [ground for ground in told if len(ground) <= MAX_LINE and _OF_PLACE.match(ground)]
    again = (one for one in conclusions.behind(text) if _CONCLUDES.fullmatch(one))
    return [*found, *(one for one in again if one not in found)]


def above(text: str) -> list[str]:
    """The clauses above the answer, and those beside and below that say not where an object is."""
    beside = [*filter(_LIES.search, conclusions.clauses(text)), *conclusions.behind(text)]
    beside = [one for one in beside if not _OF_PLACE.match(turned(one))]
    told = [*conclusions.above(text), *beside]
    return [f"{conclusions.ABOVE}{one}" for one in told if len(one) <= MAX_LINE]


def these(found: re.Match[str]) -> list[str]:
    """What :data:`THESE_SO` says of which objects there are."""
    return [
        f"{THESE}{(found.groupdict().get('names') or found['held']).strip(' .').replace(';', ',')}"
    ]


def listed(text: str) -> list[str]:
    """Where the lines above an answer that are nothing else say that an object is, and which
    objects the last of them counts."""
    before = text[: answers.begins(text)]
    lines = [line.strip() for line in before.split("\n")[:-1] if line.strip()][-_MAX_LISTED:]
    told = list[str]()
    for line in lines:
        pieces = [_PLACED.fullmatch(one) for one in (line, *re.split(r"[,;] ", line))]
        places = pieces[:1] if pieces[0] else pieces[1:]
        if all(places):
            told += [f"{LISTS}{one['name']}: {one['d']}" for one in places if one]
    last = lines[-1].rstrip(" .").replace("**", "") if lines else ""
    counted = THESE_SO.fullmatch(last)
    return [*told, *(these(counted) if counted and not counted["of"] else [])]


def turned(clause: str) -> str:
    """``A is to the North of B``, for ``A relative to B is North``."""
    return _RELATIVE.sub(r"\g<a> is to the \g<d> of \g<b>", clause)


def _one_by_one(found: re.Match[str]) -> str:
    """``A is north of C. B is north of C``, for ``A and B are north of C``."""
    names = re.split(r", and |, | and ", found["names"])
    return ". ".join(f"{name} is {found['where']}" for name in names)
