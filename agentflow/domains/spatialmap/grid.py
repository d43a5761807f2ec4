"""Coordinates that a reply gives to objects, and ways that it goes from one to the next.

Put Mill at (0, 0) and Pier at (1, 2)         fits all that the map says of the two
Pier has positive x and negative y            Pier is further east than what is at (0, 0)
From Mill, go north to Pier, then west to Dock
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations
from typing import Any

from agentflow.domains.spatialmap.canonical import D, ways
from agentflow.domains.spatialmap.claims import N, number
from agentflow.domains.spatialmap.context import Context
from agentflow.domains.spatialmap.layout import DIRECTIONS, Claim, lined_up
from agentflow.domains.spatialmap.placing import ONE, Told

MOVE = (
    r"(?:mov(?:e|es|ing)|go(?:es|ing)?|(?:head|travel|walk|point)(?:s|l?ing)?|step(?:s|ping)?"
    r"|continu(?:e|es|ing))"
)
_POINT = r"⟨-?[\d.]+/-?[\d.]+⟩"
_VERB = r"(?:be|is|are|goes|lies|sits?|stands?|gets?|go|has|live)"
_AT = (
    rf"(?: ?(?:(?:might|may|can|could|would|will|then) )?{_VERB}? ?(?:placed |put )?"
    r"(?:at|=|:|to|->)? ?(?:the origin,? ?|the point |coordinates )?(?:with coordinates )?)"
)
_PLACE = (
    r"(?:(?:we |i |let us |let's )?(?:set up|use|consider|introduce|imagine|draw|take) (?:a "
    r"|an |the )?"
    r"(?:2d |simple |\(x, y\) )?(?:coordinate system|coordinates|coordinate grid|grid|axes),? "
    r"(?:with|where|so that|and) |)(?:(?:so |then |and )?(?:we |i |let us |lets "
    r"|let's )?(?:can |could |may |might )?"
    r"(?:let|place|put|set|fix|draw|assign|choose|say|take|with|give|suppose)? ?)?"
)
_DRAWN = re.compile(
    rf"{_PLACE}{ONE}{_AT}{_POINT}(?:(?:,? and|,|;)? {ONE}{_AT}{_POINT})*(?: for example| say)?"
)
_IT = re.compile(
    r"(?:(?:say|e\.g\.|for example|for instance|perhaps|maybe|so|which|and|that is"
    r"|i\.e\.) ?,? ?)*"
    rf"{_PLACE}(?:it|this)?{_AT}(?P<at>{_POINT})(?:,? (?:say|for example|for instance))?"
)
_ORIGIN = re.compile(
    rf"{_PLACE}(?P<who>{ONE})(?: (?:be|sit|is|are|stand|lie|as|to be))?"
    r"(?: at| in| on| as)? the (?:origin|center|centre)(?: of the (?:grid|map|plane))?"
)
_AXIS = r"[xy](?:[ -](?:coordinate|value|component|difference|part|axis))?"
_SIGNED = (
    rf"(?:(?:a |the |its )*(?:positive|negative) {_AXIS}"
    rf"|(?:a |the |its )*{_AXIS}s?(?: (?:is|being|=))? ?(?:positive|negative|[<>] ?0))"
)
_SIGNS = re.compile(
    rf"(?:(?:relative to|(?:as )?(?:seen |measured )?from) (?:{_POINT}|the origin),? )?"
    rf"(?:(?P<who>{ONE}|(?:the point )?(?P<at>{_POINT})|it)(?: then)? ?(?:has|with|:|'s)? ?)?"
    rf"{_SIGNED}(?:(?:,? and|,) {_SIGNED})*"
)
_ARROWS = re.compile(rf"{ONE}(?: ?(?:\\\\xrightarrow|-+) ?[\[(]? ?{D} ?[\])]? ?(?:-*>)? ?{ONE})+")
_LABELLED = re.compile(rf"{ONE} ?-> ?{ONE} ?[(:,] ?(?P<way>{D}) ?\)?")
_REACHES = re.compile(
    rf"(?:(?:if|when) )?(?:(?:we|you"
    rf"|one) )?{MOVE} (?P<way>{D})(?: again)?(?: from (?P<a>{ONE}))?,? "
    r"(?:then )?(?:(?:we|you|one) )?(?:reach(?:es)?|gets? to|arrives? at|ends? up at|finds?) "
    rf"(?P<b>{ONE})"
)
_VECTOR = re.compile(
    rf"(?:the )?(?:vector|displacement|difference) from (?P<a>{ONE}) to (?P<b>{ONE})"
    rf" (?:is|=) (?P<at>{_POINT})"
)
_BOTH = re.compile(
    r"(?:its )?(?:both |the )?(?:coordinates|x and y(?: coordinates)?"
    r"|(?P<axis>[xy])(?:[ -]coordinate)?)"
    r" (?P<how>increases?|decreases?|grows?|shrinks?|goes up|go up|goes down|go down"
    r"|gets? (?:larger|smaller|bigger))"
)
_MORE = re.compile(
    rf"(?:(?P<who>{ONE})'s|its|the|has a|with a) ?(?P<axis>[xy])(?:[ -](?:coordinate|value))?"
    r" (?:is )?(?P<how>larger|greater|bigger|higher|smaller|lower|less)"
    rf"(?: than (?:that of )?(?P<of>{ONE}|its|it)(?:'s)?)?"
)
_FROM = re.compile(
    rf"(?:(?:to (?:get|go|move|walk|travel)|(?:by )?(?:start|going|starting|begin|beginning"
    rf"|walking|moving)) )(?:out )?(?:from|at) (?P<a>{ONE})(?: to (?P<b>{ONE}))?"
    rf"|(?:from|at) (?P<c>{ONE})"
)
_STEP = re.compile(
    rf"(?:(?:first|then|next|and|finally|again|we|you|one|to|from there) )*(?:{MOVE} )?"
    rf"(?:(?:to (?:the )?)?(?P<way>{D})(?: again)?(?: once more)?) "
    rf"(?:to|(?:to |and )?(?:reach(?:es)?|gets? to|arrives? at)) (?P<b>{ONE})"
)


def read(data: dict[str, Any], text: str, now: Context) -> Told:
    """The claims of a clause in canonical spelling; None where it has none of the forms, or gives
    coordinates that the map denies."""
    for form, reading in _FORMS:
        if found := form.fullmatch(text):
            return reading(data, found, now)
    return None


def toward(way: str, a: int, b: int) -> list[Claim]:
    """That ``a`` is in a direction of ``b``."""
    return [Claim("further" if lined_up(way) else "in", way, b, (a,))]


def _point(text: str) -> tuple[float, float]:
    x, y = text.strip("⟨⟩").split("/")
    return float(x), float(y)


def _drawn(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    """Coordinates, which have to fit all that the map says of the objects that have any."""
    for one, at in re.findall(rf"({N}){_AT}({_POINT})", found[0]):
        if now.points.setdefault(number(one), _point(at)) != _point(at):
            return None
        now.subject = number(one)
    return _fitting(data, now)


def _it(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    one = next((at for at in (now.topic, now.subject) if at is not None), None)
    if one is None or now.points.setdefault(one, _point(found["at"])) != _point(found["at"]):
        return None
    return _fitting(data, now)


def _origin(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    if now.points.setdefault(number(found["who"]), (0.0, 0.0)) != (0.0, 0.0):
        return None
    now.subject = number(found["who"])
    return _fitting(data, now)


def _fitting(data: dict[str, Any], now: Context) -> Told:
    for a, way, b in data["relations"]:
        if (
            a in now.points
            and b in now.points
            and _way(now.points[a], now.points[b]) != DIRECTIONS[way]
        ):
            return None
    if any(one == other for one, other in combinations(now.points.values(), 2)):
        return None
    return []


def _way(one: tuple[float, float], other: tuple[float, float]) -> tuple[int, int]:
    x, y = (a - b for a, b in zip(one, other, strict=True))
    return (x > 0) - (x < 0), (y > 0) - (y < 0)


def _signs(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    """``it has positive x and negative y``: beside what is at the origin"""
    origin = next((one for one, at in now.points.items() if at == (0, 0)), None)
    who = next((one for one in (now.topic, now.subject) if one is not None), None)
    if found["at"]:
        at = _point(found["at"])
        who = next((one for one, where in now.points.items() if where == at), None)
    elif found["who"] and (names := re.findall(N, found["who"])):
        who = number(names[0])
    if who is None or origin is None or who == origin:
        return None
    told = list[Claim]()
    for sign in re.finditer(_SIGNED, found[0]):
        axis = "x" if re.search(r"\bx", sign[0]) else "y"
        more = re.search(r"positive|>", sign[0]) is not None
        told += toward(_along(axis, more), who, origin)
    return told


def _arrows(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    """``A --northeast--> B --northeast--> C``"""
    names = [number(one) for one in re.findall(N, found[0])]
    steps = zip(ways(found[0]), names, names[1:], strict=False)
    return [claim for way, a, b in steps if a != b for claim in toward(way, b, a)]


def _labelled(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    """``A -> B (northeast)``"""
    a, b = (number(one) for one in re.findall(N, found[0]))
    return toward(ways(found["way"])[0], b, a) if a != b else None


def _reaches(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    """``If you go northeast from A, you reach B``"""
    now.at = number(found["a"]) if found["a"] else now.at
    return _step(data, found, now)


def _vector(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    a, b = (now.points.get(number(found[one])) for one in "ab")
    if a is None or b is None:
        return None
    return [] if (b[0] - a[0], b[1] - a[1]) == _point(found["at"]) else None


def _both(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    """``both coordinates increase``, on the way that is told"""
    if now.trip is None:
        return None
    a, b = now.trip
    more = re.search("incr|grow|up|larger|bigger", found["how"]) is not None
    return [claim for axis in found["axis"] or "xy" for claim in toward(_along(axis, more), b, a)]


def _along(axis: str, more: bool) -> str:
    return (("West", "East") if axis == "x" else ("South", "North"))[more]


def _more(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    """``its x-coordinate is larger than Pier's``"""
    who = number(found["who"]) if found["who"] else now.subject
    of = number(found["of"]) if re.search(N, found["of"] or "") else now.of
    if who is None or of is None or who == of:
        return None
    more = found["how"] in ("larger", "greater", "bigger", "higher")
    return toward(_along(found["axis"], more), who, of)


def _from(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    now.at = number(found["a"] or found["c"])
    now.trip = (now.at, number(found["b"])) if found["b"] else None
    return [] if not found["b"] or number(found["b"]) != now.at else None


def _step(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    """``then north to Pier``, from where the way has got to"""
    at, to = now.at, number(found["b"])
    if at is None or at == to:
        return None
    now.at = to
    (way,) = ways(found["way"])
    return toward(way, to, at)


_FORMS: tuple[
    tuple[re.Pattern[str], Callable[[dict[str, Any], re.Match[str], Context], Told]], ...
] = (
    (_DRAWN, _drawn),
    (_ORIGIN, _origin),
    (_IT, _it),
    (_SIGNS, _signs),
    (_ARROWS, _arrows),
    (_LABELLED, _labelled),
    (_REACHES, _reaches),
    (_VECTOR, _vector),
    (_BOTH, _both),
    (_MORE, _more),
    (_FROM, _from),
    (_STEP, _step),
)
