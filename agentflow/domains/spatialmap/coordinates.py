"""Coordinates that a reply gives to objects, and the signs that these have.

Put Mill at (0, 0) and Pier at (1, 2)        fits all that the map says of the two
Pier has positive x and negative y           it is further east than what is at (0, 0)
"""

from __future__ import annotations

import re
from itertools import combinations

from agentflow.domains.spatialmap.canonical import consists_of, forms, ways
from agentflow.domains.spatialmap.claims import N, number
from agentflow.domains.spatialmap.context import Context
from agentflow.domains.spatialmap.layout import DIRECTIONS
from agentflow.domains.spatialmap.placing import Told
from agentflow.domains.spatialmap.routes import toward

_WORDS = forms("""
    a an and are assign at axes be can choose component consider coordinate could draw e example
    fix for from g get give go goes grid has have i imagine in instance introduce it let lie may
    maybe might object on part perhaps place point put relative say seen set simple sit so stand
    system take that the then this to up us use value we where which will with would you
""")
_POINT = r"⟨-?[\d.]+/-?[\d.]+⟩"
_ORIGIN = re.compile(
    rf"(?:the )?(?:origin|cent(?:er|re) of the (?:grid|map|plane))(?:,? {_POINT})?"
)
_AXIS = r"(?P<axis{0}>[xy])(?:[ -](?:coordinate|value|component))?"
_SIGNED = re.compile(
    rf"(?:positive|negative) {_AXIS.format(1)}"
    rf"|{_AXIS.format(2)}(?: (?:is|being|=))? ?(?:positive|negative|[<>] ?0)"
)
_EAST, _NORTH = (chr(0xF000 + list(DIRECTIONS).index(way)) for way in ("East", "North"))
_AXES = re.compile(
    "".join(
        rf"{front}{axis}(?:[ -](?:axis|coordinate))?(?: \w+)?(?: to(?:wards?)?)?(?: the)? {way}"
        for axis, front, way in (
            ("x", "(?:(?:,? with)?(?: the)? |^)", _EAST),
            ("y", "(?:,| and|, and) (?:the )?", _NORTH),
        )
    )
)
"""The axes of all coordinates: ``with x to the east and y to the north``"""
_ALONG = {
    "x": ("West", "East"),
    "y": ("South", "North"),
    "right": ("", "East"),
    "up": ("", "North"),
}


def read(text: str, now: Context) -> Told:
    """The claims of a clause in canonical spelling; None where it has none of the forms, or gives
    coordinates that the map denies."""
    text = _AXES.sub("", _ORIGIN.sub("⟨0/0⟩", said := text))
    if said and not text:
        return []
    if ways(text) or not consists_of(
        _SIGNED.sub(" ", re.sub(_POINT, " ", text)), _WORDS, ",;:=->."
    ):
        return None
    return _signs(text, now) if _SIGNED.search(text) else _placed(text, now)


def _placed(text: str, now: Context) -> Told:
    """Coordinates, which have to fit all that the map says of the objects that have any."""
    who = next((one for one in (now.topic, now.subject) if one is not None), None)
    form = "".join("n" if one[0] != "⟨" else "p" for one in re.findall(rf"{N}|{_POINT}", text))
    if not re.fullmatch("(np)+|p", form) or who is None:
        return None
    for said in re.findall(rf"{N}|{_POINT}", text):
        if said[0] != "⟨":
            who = now.subject = number(said)
        elif now.points.setdefault(who, _point(said)) != _point(said):
            return None
    places = now.points
    for a, way, b in now.relations:
        if {a, b} <= set(places) and _signs_of(places[a], places[b]) != DIRECTIONS[way]:
            return None
    return None if any(a == b for a, b in combinations(places.values(), 2)) else []


def _signs(text: str, now: Context) -> Told:
    """``it has positive x and negative y``: beside what is at the origin"""
    origin = next((one for one, at in now.points.items() if at == (0, 0)), None)
    names = [number(one) for one in re.findall(N, text)]
    who = next((one for one in (*names, now.topic, now.subject) if one is not None), None)
    if len(names) > 1 or who is None or origin is None or who == origin:
        return None
    return [
        claim
        for sign in _SIGNED.finditer(text)
        for way in [_ALONG[sign["axis1"] or sign["axis2"]][bool(re.search("positive|>", sign[0]))]]
        for claim in toward(way, who, origin)
    ]


def _point(text: str) -> tuple[float, float]:
    x, y = text.strip("⟨⟩").split("/")
    return float(x), float(y)


def _signs_of(one: tuple[float, float], other: tuple[float, float]) -> tuple[int, int]:
    x, y = (a - b for a, b in zip(one, other, strict=True))
    return (x > 0) - (x < 0), (y > 0) - (y < 0)
