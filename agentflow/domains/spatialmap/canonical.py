"""Sentences in the one spelling in which their forms are read.

Pier's located up and to the right of the Mill too   Pier is \\uf004 of Mill
Pier isn't north-east of Mill                        Pier is not \\uf004 of Mill
Pier = (2, 1)                                        Pier = ⟨2/1⟩
"""

from __future__ import annotations

import re

from agentflow.domains.spatialmap.layout import DIRECTIONS
from agentflow.domains.spatialmap.wording import direction_of
from agentflow.domains.spelling import stem, word_set

_FIRST = 0xF000
_WAYS = tuple(DIRECTIONS)
D = f"[{chr(_FIRST)}-{chr(_FIRST + len(_WAYS) - 1)}]"
"""A direction, which is one character."""
_AXES = {"x": ("west", "east"), "y": ("south", "north")}
_DIRECTION = re.compile(
    r"\b(?P<d>(?:north|south)[ -]?(?:east|west)|north|south|east|west|[ns][ew])"
    r"(?:ern|erly|wards?)?\b"
)
_MOST = re.compile(r"\b(north|south|east|west)(?:ern)?most\b")
_SCREEN = {"up": "north", "above": "north", "down": "south", "below": "south"} | {
    "right": "east",
    "left": "west",
}
_ON_SCREEN = re.compile(
    r"\b(?:(?:up(?:ward)?|down(?:ward)?) and (?:to the )?(?:right|left)"
    r"|(?:above|below) and to the (?:right|left)|to the (?:right|left)) of\b|\b(?:above|below)\b"
    r"(?= (?:the )?[\ue000-\uefff])"
)
"""Directions as on a screen."""
_ON_AXIS = re.compile(
    r"\b(?:an? )?(?:(?P<less>smaller|lower|lesser|less)|larger|greater|bigger|higher)"
    r" (?P<axis>[xy])(?:[ -](?:coordinate|value|position))?\b"
)
"""Directions as numbers: ``a larger x``"""
_FILLERS = re.compile(
    r",? \b(?:also|therefore|thus|hence|then|too|itself|themselves|clearly|likewise|again|indeed"
    r"|as well|in turn|still|obviously|consequently|similarly|accordingly|of course|actually|now"
    r"|in fact|evidently|namely|located|situated|positioned|placed|found|shown|overall"
    r"|even|conversely|on the other hand|as required|as needed|as wanted|(?:on|in) (?:the|this) map"
    r"|strictly speaking"
    r"|here"
    r"|in total|altogether|for the same reason|by the same (?:reasoning|logic|argument|token)"
    r"|in (?:exactly )?the same way|without any (?:\w+ )?(?:inference|reversal|steps?|reasoning)"
    r"|without (?:inference|further ado)|by transitivity|transitively|together"
    r"|according to the (?:map|text|description)|as (?:given|stated|listed|described)"
    r"|but how far [\uf000-\uf007] is open"
    r"|regardless|in any case|either way|definitely|certainly|necessarily|as a result)\b"
    r"(?= |$|[,.:;)])"
)
"""Words that add nothing to where something is."""
_SPELLINGS = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (r"\b(it|that|there|which|this)'s\b", r"\1 is"),
        (r"\b(is|are|does|do)n't\b", r"\1 not"),
        (r"\b(?:cannot|can't|can not) be\b", "is not"),
        (r"\b(none|nothing|no(?: other)? \w+)((?: of [\w ]+?)?) (?:can|could) be\b", r"\1\2 is"),
        (rf"(?:furthest|farthest)(?: to the)? ({D})(?: \w+)?(?: of all)?$", r"\1 of all others"),
        (r"\b(?:must|has to|have to|needs to|has got to|will) be\b", "is"),
        (
            r"\b(is|are) (?:(?:both|all|each) )?(?:\w+ly )?(?:described|stated|given|listed"
            r"|said|known|recorded|reported) (?:as being|to be|to lie|as lying|as)\b",
            r"\1",
        ),
        (
            r"^ (?:\w+ly )?(?:described|stated|given|listed|said|known|recorded|reported)"
            r" (?:as being|to be|to lie|as lying|as)\b",
            "",
        ),
        (r"\b(?:lies|sits|stands|(?:falls|ends up|goes)(?= [a-z ]*[\uf000-\uf007]))\b", "is"),
        (r"\b(?:lie|sit|stand|fall)\b", "are"),
        (r"\b(?:farther|more)\b(?= [\uf000-\uf007])", "further"),
        (r"\b(?:to|in|on|at) its ([\uf000-\uf007])", r"\1 of it"),
        (r" \((and (?:also )?of (?:the )?[\ue000-\ue0ff])\)", r" \1"),
        (r",? and (?:also )?of (?=(?:the )?[\ue000-\ue0ff])", " and "),
        (rf"\b(?:has|have) (?={D}(?: and {D})? than\b)", "is "),
        (r"([\uf000-\uf007]) ?\( ?([\ue000-\ue0ff]) ?\)", r"\1 of \2"),
        (r" & ", " and "),
        (r",? as well as ", " and "),
        (r"([\ue000-\ue0ff]), (?=(?:is|are)\b)", r"\1 "),
        (r"\s+", " "),
    )
)
_POINT = re.compile(r"\( ?(-?\d{1,4}(?:\.\d{1,4})?) ?, ?(-?\d{1,4}(?:\.\d{1,4})?) ?\)")
_MINUS = re.compile(r"(?<=[(, ])[−–](?=\d)")


def points(text: str) -> str:
    """A text in which no coordinates have a comma or a parenthesis."""
    return _POINT.sub(r"⟨\1/\2⟩", _MINUS.sub("-", text))


def canonical(text: str) -> str:
    """A clause in small letters, each direction one character, without what adds nothing."""
    text = _ON_SCREEN.sub(_turned, text.lower())
    text = _MOST.sub(r"furthest \1", text)
    text = _ON_AXIS.sub(lambda one: _AXES[one["axis"]][not one["less"]], text)
    text = _DIRECTION.sub(lambda found: _sign(direction_of(found["d"])), text)
    text = _FILLERS.sub("", f" {text}")
    for pattern, plain in _SPELLINGS:
        text = pattern.sub(plain, text)
    return text.strip(" ,")


def ways(text: str) -> list[str]:
    """The directions in a text of :func:`canonical`."""
    return [_WAYS[ord(sign) - _FIRST] for sign in re.findall(D, text)]


def shape(text: str) -> str:
    """Where names (``n``) and directions (``d``) stand in a text of :func:`canonical`."""
    return "".join("d" if re.match(D, one) else "n" for one in re.findall(r"[\ue000-\uf8ff]", text))


def forms(listed: str) -> frozenset[str]:
    """The words of a list, and the stems of those that are long enough to have one."""
    words = word_set(listed)
    return words | {f"{stem(word)}-" for word in words if len(word) > 3}


def is_one(word: str, known: frozenset[str]) -> bool:
    """Whether a list has a word: ``says`` where ``say`` is, ``counting`` by its stem."""
    return bool({word, word.removesuffix("s")} & known) or (
        len(word) > 4 and f"{stem(word)}-" in known
    )


def consists_of(text: str, known: frozenset[str], signs: str = "") -> bool:
    """Whether a text of :func:`canonical` has no words and signs beside names and directions but
    known ones."""
    rest = re.sub(r"[\ue000-\uf8ff\s]", " ", text)
    for sign in signs:
        rest = rest.replace(sign, " ")
    return all(is_one(word, known) for word in rest.split())


def _sign(direction: str) -> str:
    return chr(_FIRST + _WAYS.index(direction))


def opposite(direction: str) -> str:
    """The direction from there back."""
    x, y = DIRECTIONS[direction]
    return next(way for way, signs in DIRECTIONS.items() if signs == (-x, -y))


def halves(direction: str) -> list[str]:
    """The directions that make up a diagonal one; the direction itself for any other."""
    x, y = DIRECTIONS[direction]
    parts = [(0, y), (x, 0)] if x and y else [(x, y)]
    return [way for way, signs in DIRECTIONS.items() if signs in parts]


def _turned(found: re.Match[str]) -> str:
    said = re.findall(r"(?:up|down|above|below|right|left)", found[0])
    return f"{''.join(_SCREEN[one] for one in said)} of"
