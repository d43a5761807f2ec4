"""Orders, ways and coordinates in which a reply draws a map, and what it says of the map's text.

From west to east: Mill, Pier, Dock          each one further east than the one before
Going from Mill to Pier, we move north       Pier is further north than Mill
No statement mentions both Mill and Pier     is looked up
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from agentflow.domains.spatialmap.canonical import D, opposite, ways
from agentflow.domains.spatialmap.claims import N, number
from agentflow.domains.spatialmap.context import Context
from agentflow.domains.spatialmap.grid import MOVE, toward
from agentflow.domains.spatialmap.layout import Claim, lined_up
from agentflow.domains.spatialmap.placing import BE, LIST, ONE, Told
from agentflow.domains.spatialmap.wording import COUNT, count_of

_STATEMENT = (
    r"(?:(?:direct|single|explicit|given) )?(?:statement|sentence|relation|relationship|fact|clue"
    r"|premise|information|line|entry|link|comparison|mention)s?"
)
_RELATES = (
    r"(?:(?:that |which |directly |explicitly )*(?:relat(?:es?|ing)|mention(?:s|ing)?"
    r"|connect(?:s|ing)?"
    r"|link(?:s|ing)?|compar(?:es?|ing)|between|about|on|for|involv(?:es?|ing)|contain(?:s|ing)?"
    r"|of|with|names?|concern(?:s|ing)?|are about|is about|refer(?:s|ring)? to|relevant to)"
    r"(?: directly)?)"
)
_PAIR = rf"(?:both )?{ONE} (?:and|to|with) {ONE}"
_GIVEN = (
    r"(?: (?:is )?(?:given|stated|provided|directly|explicitly|available|in the (?:map|text)))*"
)
_UNRELATED = re.compile(
    r"(?:the map|the text|it) does not (?:\w+ly )?(?:say|state|tell(?: us)?|give)(?: \w+ly)? "
    rf"(?:where|how|in which direction) {ONE}(?: is| lies)? (?:relative|in relation"
    rf"|compared) to {ONE}(?: is)?|"
    rf"(?:(?:there is |the (?:map|text) (?:has|gives"
    rf"|contains) )?no {_STATEMENT} {_RELATES} {_PAIR}{_GIVEN}"
    rf"|(?:the map|the text|it) does not (?:\w+ly )?(?:relate|mention|connect|link|compare"
    rf"|say how"
    rf"|say where|state how|state where|tell how|tell where"
    rf"|give)(?: the {_STATEMENT} (?:between|of))?"
    rf" {_PAIR}(?: (?:are|is) related| directly| together| in one sentence)*"
    rf"|{_PAIR} are not (?:\w+ly )?(?:related|compared|linked|connected|mentioned together)"
    r"(?: directly| to each other| in the map)*)"
)
_MENTIONS = re.compile(
    rf"(?:there (?:are|is) )?(?:only |just "
    rf"|exactly )?(?P<k>{COUNT}) {_STATEMENT} {_RELATES} (?P<names>{ONE})"
)
_SEVERAL = re.compile(
    rf"(?P<names>{ONE}) (?:is mentioned|appears|occurs|comes up|is named) in "
    rf"(?:several|multiple|(?:only |just )?(?P<k>{COUNT})) (?:of the )?{_STATEMENT}"
)
_RELATED = re.compile(
    rf"(?P<names>{LIST}) (?:is|are) (?:both |all "
    rf"|each )?(?:\w+ly )?related to (?P<of>{ONE})(?: directly)?"
)
_COMPASS = re.compile(
    rf"(?:[a-z ,]*\b(?:with|where|so that) )?{D}(?: is| being| pointing)? up(?:wards?)?,? and {D}"
    r"(?: is| being| pointing)?(?: to the)? right"
)
_DIAGONAL = re.compile(
    rf"(?:(?:the map|it) (?:speaks?|uses?|gives?|mentions?|contains?|has|talks?|knows?|states?) "
    rf"(?:only )?(?:of |about |in )?(?:only )?"
    rf"|all (?:the )?(?:\w+ )?{_STATEMENT} (?:are|use|name|give) (?:only )?)"
    r"(?:diagonal|intercardinal|ordinal)(?: (?:directions?|relations?|relationships?"
    r"|ones))?(?: only)?"
    rf"(?: ?\(?{D}, {D}, {D},? (?:and|or) {D}\)?)?"
)
_OBJECTS = re.compile(
    rf"(?:there (?:are|is) )?(?:only |just )?(?P<k>{COUNT}) (?:other )?objects? "
    rf"(?:besides|apart from|other than|except|aside from) (?P<of>{ONE})"
    rf"(?:(?:,| -|:)? (?P<names>{LIST}))?"
)
_ALL_OBJECTS = re.compile(
    rf"(?:the (?:\w+ )?objects (?:are|on the map are|are these)?:?"
    rf"|(?:there are )?(?P<k>{COUNT}) objects:?) ?(?P<names>{LIST})"
)
_AXIS = (
    r"(?:[- ](?:axis|coordinate|direction))?(?: (?:growing|increasing|increases?"
    r"|grows|points?|pointing"
    r"|runs|running|measures|be|is|being|=|for|to|towards?|the|how far|positive))*"
)
_ORDERED = re.compile(
    rf"(?:(?:ordering|sorting|arranging|listing|reading|going|ordered|sorted|the order) )?"
    rf"(?:them |the objects |all objects )?from (?P<one>{D}) to (?P<other>{D}),?"
    rf"(?: (?:the )?(?:(?:{COUNT}) )?(?:objects|places) (?:come|are|stand|appear|follow)"
    r"(?: in (?:this|the following|the) order)?|(?:,? (?:the order|this) is"
    r"|,? we (?:have|get)|,? it is))?"
    rf"(?::| -|,)? ?(?P<names>{ONE}(?: ?(?:,? then|,? and|,|->|<) ?{ONE})+)"
)
_ROW = re.compile(
    rf"(?P<names>{ONE}(?:(?: ?(?:<|->|,) ?){ONE})+),?"
    rf" ?\(?(?:from |in order from )?(?P<one>{D}) ?(?:to|->) ?(?P<other>{D})\)?"
)
_AXES = re.compile(
    r"(?:(?:let|with|where|take|using|say) )?(?:\(x ?, ?y\)(?: be)?(?: the)?(?: coordinates)?"
    r"(?: of (?:an|each|every|the) objects?)?,?(?: with| where)? ?)?(?:the )?"
    rf"x{_AXIS} ?(?P<x>{D}),? (?:and )?(?:the )?y{_AXIS} ?(?P<y>{D})"
)
_LATER = re.compile(
    r"(?:everything|all|all objects|every object|all the objects|the objects|those|each object) "
    rf"(?:(?:that (?:comes|stands|is) |listed )?(?:behind|after|later than|following) "
    rf"|(?:that )?follow(?:s|ing)? )"
    rf"(?P<of>{ONE})(?: in (?:this|the) (?:order|list|chain|row))? {BE} (?:to |in )?(?:the )?"
    rf"(?P<way>{D})(?: of (?:it|(?P<same>{ONE})))?"
)
_WENT = re.compile(
    rf"(?:(?:when |by )?(?:going|moving|walking|travell?ing|heading)|to (?:get|go|move"
    rf"|walk|travel)|{MOVE})? ?"
    rf"from (?P<a>{ONE}) to (?P<b>{ONE}),?(?: (?:we|you|one|i|it)(?: must| have to"
    rf"| need to| would| has to)?"
    rf"(?: first)? {MOVE}| (?:means|is|requires|takes us|leads"
    rf"|brings us)(?: {MOVE})?|:"
    rf"| is)? (?:to )?(?:the )?(?:both )?(?P<way>{D}(?:,? (?:and|then"
    rf"|and then) (?:to the )?{D})?)"
    rf"(?:,? (?:through|via|past|passing) (?P<via>{ONE}))?"
)
_PATH = re.compile(
    rf"(?:the )?(?:whole |entire )?(?:path|chain|way|route|sequence"
    rf"|order)?:? ?(?P<names>{ONE}(?: ?-> ?{ONE})+)"
    rf"(?::|,)?(?: (?:always|only|all|each time))?(?: (?:goes|leads|points|runs|is"
    rf"|moves))?(?: in the direction)? ?(?:to (?:the )?)?(?P<way>{D})(?: each time| throughout)?"
)
_BETWEEN = re.compile(
    rf"(?P<x>{ONE}) {BE} (?:directly |somewhere "
    rf"|exactly )?(?:in )?between (?:(?P<a>{ONE}) and (?P<b>{ONE})|them|these|these two|the two)"
)
_REACHED = re.compile(
    rf"(?:starting )?from (?P<a>{ONE}),? (?:we |you "
    rf"|one )?(?:{MOVE} )?(?:to (?:the )?)?(?P<way>{D}) "
    rf"(?:to|(?:to |and )?(?:reach(?:es)?|gets? to|arrives? at|finds?)) (?P<b>{ONE})"
)
_REST = (
    r"(?:(?:all )?(?:of )?(?:the |our )?(?:(?:other|remaining|rest of the|rest|given|whole) ?)*"
    r"(?:information|statements?|sentences?|relations?|facts?|map|text|description|clues?)?)"
)
_CONSISTENT = re.compile(
    r"(?:this|it|that|which|everything|the answer|this answer|the result"
    r"|all of this) (?:is|fits|agrees"
    rf"|remains|matches)(?: (?:fully|also|well|perfectly))?(?: (?:consistent"
    rf"|compatible|in agreement"
    rf"|in line))?(?: with)? {_REST}"
    r"|(?:nothing|no (?:other )?(?:statement|sentence|relation|fact|part)|none of (?:the|these) "
    rf"(?:other )?(?:statements|sentences|relations|facts))(?: (?:here|else|in the map"
    rf"|on the map|given))* "
    r"(?:conflicts?|contradicts?|speaks against|is at odds|disagrees?|clashes"
    r"|clash)(?: with)? ?(?:it|this|that)?"
)


def read(data: dict[str, Any], text: str, now: Context) -> Told:
    """The claims of a clause in canonical spelling; None where it has none of the forms or says
    something false of the map's text."""
    for form, reading in _FORMS:
        if found := form.fullmatch(text):
            return reading(data, found, now)
    return None


def _numbers(text: str) -> list[int]:
    return [number(one) for one in re.findall(N, text)]


def _unrelated(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    pair = set(_numbers(found[0]))
    related = any({a, b} == pair for a, _, b in data["relations"])
    return None if related or len(pair) < 2 else []


def _mentions(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    one = number(found["names"])
    held = sum(one in (a, b) for a, _, b in data["relations"])
    return [] if count_of(found["k"]) == held else None


def _several(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    one = number(found["names"])
    held = sum(one in (a, b) for a, _, b in data["relations"])
    return [] if held == (count_of(found["k"]) if found["k"] else max(held, 2)) else None


def _related(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    of = number(found["of"])
    beside = {frozenset((a, b)) for a, _, b in data["relations"]}
    return [] if all(frozenset((one, of)) in beside for one in _numbers(found["names"])) else None


def _compass(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    return [] if ways(found[0]) == ["North", "East"] else None


def _diagonal(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    said = ways(found[0])
    listed = len(set(said)) == len(said) and not any(map(lined_up, said))
    return [] if listed and not any(lined_up(way) for _, way, _ in data["relations"]) else None


def _objects(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    of, names = number(found["of"]), _numbers(found["names"] or "")
    others = len(data["objects"]) - 1
    if count_of(found["k"]) != others or (names and (len(names) != others or of in names)):
        return None
    now.listed = tuple(dict.fromkeys(names))
    return [] if len(now.listed) == len(names) else None


def _all_objects(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    names = set(_numbers(found["names"]))
    counted = found["k"] is None or count_of(found["k"]) == len(names)
    return [] if counted and len(names) == len(data["objects"]) else None


def _ordered(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    (one,), (way,) = ways(found["one"]), ways(found["other"])
    names = _numbers(found["names"])
    if opposite(one) != way:
        return None
    now.order = (way, tuple(names))
    return [claim for a, b in pairwise(names) for claim in toward(way, b, a)]


def _row(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    """``A < B < C (south to north)``"""
    (one,), (way,) = ways(found["one"]), ways(found["other"])
    names = _numbers(found["names"])
    if opposite(one) != way:
        return None
    return [claim for a, b in pairwise(names) for claim in toward(way, b, a)]


def _path(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    """``A -> B -> C goes southeast``"""
    (way,) = ways(found["way"])
    return [claim for a, b in pairwise(_numbers(found["names"])) for claim in toward(way, b, a)]


def _between(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    """``X is between A and B``: the direction from one to the other goes on behind it."""
    if now.asked["kind"] != "direction" and not found["a"]:
        return None
    asked = (now.asked["of"], now.asked.get("object", 0))
    a, b = (number(found["a"]), number(found["b"])) if found["a"] else asked
    x = number(found["x"])
    for one, way, other in data["relations"]:
        if {one, other} == {x, a}:
            toward = way if one == x else opposite(way)
            return [Claim("in", toward, x, (b,))] if b not in (x, a) else None
    return None


def _later(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    of, (way,) = number(found["of"]), ways(found["way"])
    ordered, names = now.order
    if way != ordered or of not in names or (found["same"] and number(found["same"]) != of):
        return None
    return [claim for a in names[names.index(of) + 1 :] for claim in toward(way, a, of)]


def _went(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    a, b = number(found["a"]), number(found["b"])
    said = ways(found["way"])
    if a == b or (
        len(said) > 1 and (said[0] in (said[1], opposite(said[1])) or not all(map(lined_up, said)))
    ):
        return None
    way, now.at = [(a, b)], b
    if found.groupdict().get("via"):
        between = number(found["via"])
        way = [(a, between), (between, b)]
        if between in (a, b):
            return None
    return [claim for a, b in way for one in said for claim in toward(one, b, a)]


def _axes(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    """``x grows to the east and y to the north``"""
    return [] if ways(found[0]) == ["East", "North"] else None


def _consistent(data: dict[str, Any], found: re.Match[str], now: Context) -> Told:
    """A map that contradicts itself is no problem, and what is said has to follow from it."""
    return []


_FORMS: tuple[
    tuple[re.Pattern[str], Callable[[dict[str, Any], re.Match[str], Context], Told]], ...
] = (
    (_UNRELATED, _unrelated),
    (_MENTIONS, _mentions),
    (_DIAGONAL, _diagonal),
    (_OBJECTS, _objects),
    (_ALL_OBJECTS, _all_objects),
    (_ORDERED, _ordered),
    (_RELATED, _related),
    (_COMPASS, _compass),
    (_ROW, _row),
    (_BETWEEN, _between),
    (_PATH, _path),
    (_SEVERAL, _several),
    (_AXES, _axes),
    (_LATER, _later),
    (_WENT, _went),
    (_REACHED, _went),
    (_CONSISTENT, _consistent),
)
