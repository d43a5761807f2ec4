"""Remarks beside the claims: on options by their letters, totals, and the sentences of the map.

so A and B are out                      where neither is the answer
that makes two objects: Mill, Pier      where that is the answer
the fourth sentence says ...            is looked up
"""

from __future__ import annotations

import re
from dataclasses import replace

from agentflow.domains.spatialmap.canonical import consists_of, forms, ways
from agentflow.domains.spatialmap.claims import NAMES, WHO, N, number, sign
from agentflow.domains.spatialmap.context import Context
from agentflow.domains.spatialmap.layout import Claim
from agentflow.domains.spatialmap.problem import stated
from agentflow.domains.spatialmap.wording import COUNT, count_of
from agentflow.domains.spelling import ORDINALS

SUPPOSED = re.compile(rf"{WHO} is (?:in|on) the map|the map puts no two objects in line")
"""What is so on every map: its directions are strict."""
STATED = re.compile(r"(?:statement|sentence)s? #?\d+(?= ?(?::|says|states|tells us|$))")
"""A sentence of the map that is said to follow, by its number in whatever list."""
ANY = -1
"""Any sentence of the map."""
ORDINAL = re.compile(
    rf"(?:the )?(?:(?P<k>\d{{1,2}})(?:st|nd|rd|th)|(?P<word>{'|'.join(ORDINALS)}|last|final))"
    r"(?: of the (?:map's )?(?:sentences|statements|facts|relations|relationships|lines)"
    r"| (?:sentence|statement|fact|relation|relationship|line)"
    r"(?: (?:of|in|on) the (?:map|text|list|description))?)"
)
"""The number of a sentence that is given behind it."""
CITES = re.compile(
    r"(?:(?P<surely>(?:(?:which|that|this|it) is )?(?:(?:also|exactly|just|precisely) )*(?:what|as)"
    r" (?:(?:clearly|directly) )?(?:says?|states?|tells us|shows?|gives?|has it|puts it)"
    r"(?: (?:directly|outright|explicitly))?)"
    r"|(?:from|by|see|in|(?:as )?(?:given|stated|told|said)(?: (?:in|by))?)?)"
)
"""What says, with the sentence's number, that it is where the last claim stands."""
THE_ONE = re.compile(
    rf"(?:this|that|which|(?P<who>{WHO})) is (?:just |exactly |precisely )?"
    r"(?:the \w+|what) (?:that |which )?"
    r"(?:(?:we|i) (?:need|want|look for|are looking for)|(?:is|was) asked(?: for)?)(?: here)?"
)
"""What says that it is the answer which was just said."""
_TOTALS = forms("""
    a all altogether are can count exactly final find fit for found get gives have hence here i
    identify in it just leaves makes match me namely number object of ones only places qualify
    qualifying see so such tally that the then there therefore these they this thus total us we
    which with yields
""")
_VERDICT = re.compile(
    r"(?:(?i:so|thus|therefore|hence|in short),? )?(?P<alone>(?i:only|just) )?"
    r"(?:(?:that|this|which) (?:rules out|eliminates|excludes) )?"
    r"(?P<letters>(?:(?:options?|choices?|and|,) ?|[A-J]\b ?)+)"
    r"(?:(?:is|are|can be|must be|would be)(?: thus| therefore| also)? )?"
    r"(?:(?P<yes>right|correct|it|the (?:(?P<only>only|single|sole)|right|correct|one)"
    r"(?: (?:one|option|answer|choice|candidate|object|place))?(?: left| remaining"
    r"|(?: that| which|,)? (?:fits|works|matches|qualifies|remains"
    r"|is (?:right|correct|left|there)))?"
    r"|(?:fits|works|matches|qualifies|remains)(?: the (?:map|description|question))?)"
    r"|(?P<no>out|wrong|incorrect|eliminated|ruled out|excluded|not (?:it|correct|right)))"
)


def place(ordinal: re.Match[str], now: Context) -> int:
    """The number of a sentence of the map."""
    if ordinal["k"]:
        return int(ordinal["k"])
    last = ordinal["word"] in ("last", "final")
    return len(now.relations) + 1 if last else ORDINALS.index(ordinal["word"]) + 1


def cited(now: Context, place: int) -> list[Claim]:
    """What the sentence of a number says; the first object may have a sentence, too."""
    kept = now.relations if place == ANY else now.relations[max(0, place - 2) : place]
    return [Claim("in", way, b, (a,)) for a, way, b in kept]


def ruled(piece: str, now: Context) -> list[Claim] | None:
    """What is said of options by their letters: ``so A and B are out``"""
    if (found := _VERDICT.fullmatch(piece)) is None:
        return None
    said = [now.data["letters"].get(one) for one in re.findall(r"\b[A-J]\b", found["letters"])]
    if not said or None in said or any((one == now.form) != bool(found["yes"]) for one in said):
        return None
    meant = now.data["letters"].values() if found["only"] or found["alone"] else said
    others = [one for one in meant if one != now.form and now.asked["kind"] == "object"]
    return [replace(stated(now.data, one), kind="out") for one in others if one]


def total(text: str, now: Context) -> list[Claim] | None:
    """How many objects there are that are asked for, and which: ``that makes two: A and B``"""
    listed = re.search(rf"{NAMES.pattern}\)?$", text)
    rest = text.replace(listed[0], " ", 1) if listed else text
    counts = re.findall(rf"\b(?:{COUNT})\b", rest)
    rest = re.sub(rf"\b(?:{COUNT})\b", " ", rest)
    if now.asked["kind"] != "count" or not consists_of(rest, _TOTALS, ",:()="):
        return None
    names = sorted({number(one) for one in re.findall(N, listed[0])} if listed else ())
    asked = now.asked
    elsewhere = {*ways(rest)} - {asked["direction"]} or {*re.findall(N, rest)} - {sign(asked["of"])}
    if asked["of"] in names or len(counts) > 1 or not (counts or names) or elsewhere:
        return None
    if any(str(count_of(one)) != now.form for one in counts) or (
        names and len(names) != int(now.form)
    ):
        return None
    return [Claim("all", asked["direction"], asked["of"], tuple(names))] if names else []
