"""Sentences that say which objects, and how many, are somewhere, in forms that models write.

Only Mill and Dock are northeast of Pier      these and no others
None of them is to the Northeast of Pier      that no object at all is
Two of them are southeast: Mill and Dock
Mill: southeast, so it counts                 whether it is one of those asked for
"""

from __future__ import annotations

import re

from agentflow.domains.spatialmap.canonical import halves, opposite, ways
from agentflow.domains.spatialmap.context import Context
from agentflow.domains.spatialmap.layout import DIRECTIONS, Claim, lined_up
from agentflow.domains.spatialmap.placing import (
    BE,
    LIST,
    NP,
    OF,
    ONE,
    PLACE,
    REST,
    STRICT,
    THAT,
    WHERE,
    Forms,
    Told,
    numbers_in,
    placed,
    reader,
    who_of,
    whom_of,
)
from agentflow.domains.spatialmap.wording import COUNT, count_of

_NONE = (
    r"(?:none(?: of (?:them|these|those|the (?:(?!other|remaining|rest)\w+ )?"
    r"(?:objects|options|places)))?|nothing"
    r"|no(?: such)? (?:object|place|one)s?|zero objects|0 objects|not a single object)"
)
_NO_OTHER = (
    r"(?:no other (?:object|place|option|one)s?|nothing else|none of the (?:others"
    r"|(?:other|remaining|rest of the) (?:\w+ )?(?:objects|places|options|ones))|no others?)"
)


def _only(found: re.Match[str], now: Context) -> Told:
    """``Only A and B are northeast of C``"""
    if found.groupdict().get("options"):
        if found["k"] and count_of(found["k"]) != len(now.data["letters"]):
            return None
        return _only_fits(found, now) if _is_asked(found["where"], now) else None
    return _all(who_of(found["who"], now), found["where"], now)


def _all(inside: tuple[int, ...], where: str, now: Context) -> Told:
    """That just these objects are somewhere."""
    said = [way for way in DIRECTIONS if sorted(halves(way)) == sorted(ways(where))] or ways(where)
    tail = re.search(rf"{OF}(?P<np>{NP})$", where)
    of = whom_of(tail["np"], inside, now) if tail else (now.asked["of"],)
    if len(said) != 1 or len(of) != 1 or of[0] in inside:
        return None
    asked = (said[0], of[0]) == (now.asked.get("direction"), now.asked["of"])
    if lined_up(said[0]) and not (asked or STRICT.search(where)):
        rest = [one for one in range(len(now.objects)) if one not in (*inside, *of)]
        back = opposite(said[0])  # north may be said of what is just further north, too
        told = [Claim("further", said[0], of[0], (one,)) for one in inside]
        return [*told, *(Claim("further", back, of[0], (one,)) for one in rest)]
    return [Claim("all", said[0], of[0], tuple(sorted(inside)))]


def _only_fits(found: re.Match[str], now: Context) -> Told:
    """``Only A fits``: of the options, where objects are to choose from; else of all."""
    inside = set(who_of(found["who"], now))
    if not inside or now.asked["kind"] == "direction" or now.asked["of"] in inside:
        return None
    way, of = now.asked["direction"], now.asked["of"]
    if not now.options:
        return [Claim("all", way, of, tuple(sorted(inside)))]
    rest = {*now.options} - inside - {of}
    told = [Claim("out", way, of, (one,)) for one in sorted(rest)]
    return [*told, *(Claim("in", way, of, (one,)) for one in sorted(inside))]


def _neither(found: re.Match[str], now: Context) -> Told:
    """``neither of them is northeast``, ``neither counts``: of two that were spoken of last"""
    if now.asked["kind"] == "direction":
        return None
    way, of = now.asked["direction"], now.asked["of"]
    last = list(dict.fromkeys(who for one in now.claims if one.of == of for who in one.objects))
    if found["several"]:
        two = who_of(f"all {found['several']}", now)
        return placed(two, found["where"], now, True) if found["where"] else None
    two = now.listed if len(now.listed) == 2 and of not in now.listed else tuple(last[-2:])
    if len(two) != 2:
        return None
    if found["where"]:
        return placed(two, found["where"], now, True)
    return [Claim("out", way, of, (one,)) for one in two]


def _is_asked(where: str | None, now: Context) -> bool:
    """Whether a place is that which is asked for."""
    if now.asked["kind"] == "direction":
        return False
    names = numbers_in(where or "")
    return not where or (
        ways(where) == [now.asked["direction"]] and names in ((), (now.asked["of"],))
    )


def _asks_of_one(found: re.Match[str], now: Context) -> Told:
    """``Is A there?``: what follows is said of it."""
    if not _is_asked(found["where"], now):
        return None
    (now.topic,) = (now.subject,) = numbers_in(found["who"])
    now.any = False
    return []


def _asks_of_any(found: re.Match[str], now: Context) -> Told:
    """``Could anything else be there?``: a *no* behind it says that no other is."""
    if not _is_asked(found["where"], now):
        return None
    now.any = True
    return []


def _none_fits(found: re.Match[str], now: Context) -> Told:
    """``none does``, of what is asked for"""
    if now.asked["kind"] == "direction":
        return None
    return [Claim("all", now.asked["direction"], now.asked["of"])]


def _wrong(found: re.Match[str], now: Context) -> Told:
    """``it is on the wrong side vertically``: further to the other side than is asked for"""
    who = who_of(found["who"] or "it", now)
    if not who or now.asked["kind"] == "direction" or now.asked["of"] in who:
        return None
    way, of = now.asked["direction"], now.asked["of"]
    if found["axis"] is None:
        return [Claim("out", way, of, (one,)) for one in who]
    up, across = "vertical" in found["axis"], "horizontal" in found["axis"]
    parts = [one for one in halves(way) if not (across if DIRECTIONS[one][0] == 0 else up)]
    if lined_up(way) or not parts:
        return None
    return [Claim("further", opposite(part), of, (one,)) for one in who for part in parts]


def _none(found: re.Match[str], now: Context) -> Told:
    return _all((), found["where"], now)


def _others(found: re.Match[str], now: Context) -> Told:
    told = _all(now.inside(), found["where"], now)
    if told and told[0].kind == "all":
        return _no_other(found[0], told[0].direction, told[0].of, now)
    return told


def _elsewhere(found: re.Match[str], now: Context) -> Told:
    """That no other object is where it is asked for."""
    if now.asked["kind"] == "direction":
        return None
    return _no_other(found[0], now.asked["direction"], now.asked["of"], now)


_OF_OPTIONS = re.compile(r"\b(?:options?|choices?|candidates?)\b")


def _no_other(text: str, way: str, of: int, now: Context) -> list[Claim]:
    """That no other is there: no other option, where options are spoken of."""
    if now.options and _OF_OPTIONS.search(text):
        rest = (one for one in now.options if one not in now.inside() and one != of)
        return [Claim("out", way, of, (one,)) for one in rest]
    return [Claim("all", way, of, now.inside())]


def _count(found: re.Match[str], now: Context) -> Told:
    """``There are two objects northeast of C: A and B``"""
    said, names = count_of(found["k"]), numbers_in(found["names"] or "")
    if found["of"] and count_of(found["of"]) != len(now.objects) - 1:
        return None
    if names and len(names) != said:
        return None
    if names:
        return _all(names, found["where"], now)
    told = _all((), found["where"], now)
    if not told or told[0].kind != "all":
        return None
    return [Claim("count", told[0].direction, told[0].of, count=said)]


def _these(found: re.Match[str], now: Context) -> Told:
    """All objects of some place; ``the object`` there is that which was asked for."""
    if re.match(r"(?:the )?object ", found[0]):
        return placed(numbers_in(found["names"]), found["where"], now)
    return _all(numbers_in(found["names"]), found["where"], now)


def _tagged(found: re.Match[str], now: Context) -> Told:
    """``A: southeast, so no``: whether the object of a line is one of those asked for."""
    who = who_of(found["who"], now) if found["who"] else who_of("it", now)
    if not who or now.asked["kind"] == "direction" or now.asked["of"] in who:
        return None
    way, of = now.asked["direction"], now.asked["of"]
    if now.any and not found["who"]:
        no = re.fullmatch("no|(?:does|do|is|are) not", found["said"])
        return _no_other("", way, of, now) if no else None
    if _YES.fullmatch(found["said"]):
        return [Claim("in", way, of, (one,)) for one in who]
    return [Claim("out", way, of, (one,)) for one in who]


def _offered(found: re.Match[str], now: Context) -> Told:
    """``it is not one of the options``, of an object"""
    who = who_of(found["who"], now)
    fits = bool(now.options) and all((one in now.options) != bool(found["no"]) for one in who)
    return [] if who and fits else None


def _apart(found: re.Match[str], now: Context) -> Told:
    """``Objects that are elsewhere: A and B``"""
    if now.asked["kind"] == "direction":
        return None
    names = numbers_in(found["names"] or "")
    return [Claim("out", now.asked["direction"], now.asked["of"], (one,)) for one in names]


_FITS = r"(?:fits?|match(?:es)?|qualif(?:y|ies)|counts?|satisf(?:y|ies))"
_THIS = (
    r"(?: (?:this|that|it|both|them|the (?:condition|requirement|criterion|criteria|description)))?"
)
_NO_TAG = (
    rf"(?:no|✗|✘|❌|× ?|x|(?:does|do|is|are) not|(?:does|do|did) not {_FITS}{_THIS}"
    r"|(?:does|do) not (?:count(?:ed)?|what (?:we|is) (?:want|need|asked for)(?:ed)?)"
    r"|(?:is |are )?not (?:a match|counted|included|this one|it|what we want)"
    r"|(?:(?:can|must|should|may|is|are)(?: be)? )?(?:excluded|ruled out|discarded|eliminated"
    r"|dropped|dismissed|set aside|out)|(?:we )?(?:exclude|eliminate)d?)"
)
_YES_TAG = (
    rf"(?:yes|✓|✔|✅|☑|{_FITS}{_THIS}|(?:is|are) (?:one|another)(?: of them| such object| match)?"
    r"|(?:(?:is|are) )?(?:counted|included|a match)|(?:this is )?(?:our|the) match|match found)"
)
_YES = re.compile(_YES_TAG)
_ELSEWHERE = (
    rf"(?:{_NO_OTHER} (?:(?:does|do|is|are)|(?:(?:does|do) )?(?:{_FITS}|meets?|fulfils?)){_THIS}"
    rf"|{REST} (?:(?:do|does) not(?: {_FITS}{_THIS})?"
    r"|(?:is|are) (?:all )?(?:elsewhere|in (?:an)?(?:other|different) (?:directions?|places?"
    r"|quadrants?)|somewhere else|not|not there|out|ruled out|excluded|eliminated)))"
)
_AXIS = (
    r"(?:vertically|horizontally|(?:on|in|along|for) (?:both (?:axes|respects|ways|directions"
    r"|components|parts|counts)|the (?:vertical|horizontal)(?: axis| direction| component)?))"
)
_OBJECTS = r"(?:objects?|places?|options?|ones?|candidates?)"
_JUST = r"(?:only |just |exactly )?"
_FORMS: Forms = tuple(
    (re.compile(form), reading)
    for form, reading in (
        (rf"only (?P<who>{NP}) {BE} (?P<where>{WHERE})", _only),
        (
            rf"(?P<who>{NP}) {BE} the (?:only|one|sole|single)(?: and only)?"
            rf"(?: (?:other )?{_OBJECTS})?"
            rf"(?P<options> of (?:the|these|those|all)(?: (?:(?P<k>{COUNT})|\w+))?"
            rf" (?:options|choices|candidates))? {THAT}(?:as )?(?P<where>{WHERE})",
            _only,
        ),
        (_ELSEWHERE, _elsewhere),
        (rf"{_NONE} (?:(?:is|are|does|do)(?: so| there)?|{_FITS}{_THIS})", _none_fits),
        (
            rf"(?P<who>{NP}) (?:is|are)(?P<no> not)? (?:(?:one of|among|in|listed among|offered as)"
            r" )(?:the |these |an? |our )?(?:\w+ )?(?:options?|choices?|candidates?)"
            r"(?: (?:given|listed|offered))?",
            _offered,
        ),
        (
            rf"(?:the |all )*(?:other )?{_OBJECTS} (?:(?:that|which) )?(?:(?:are|is) )?(?:elsewhere"
            r"|somewhere else|not there|not counted|in other (?:directions|places|quadrants))"
            rf"(?: ?: (?P<names>{LIST}))?",
            _apart,
        ),
        (rf"only (?P<who>{NP}) {_YES_TAG}", _only_fits),
        (
            rf"(?:that|this|which) (?:only )?leaves (?:us with )?(?:only )?(?P<who>{LIST})",
            _only_fits,
        ),
        (rf"(?P<who>{LIST}) {BE} the (?:only|last) {_OBJECTS} (?:left|remaining)", _only_fits),
        (
            r"(?:neither(?: of (?:them|these|those|the two))?"
            r"|none of (?:the|these|those|all)"
            r" (?P<several>(?:other )?(?:two|three|four|five|six|[2-6])"
            rf"(?: (?:others|{_OBJECTS}))?))"
            rf" (?:(?:{BE}(?: there)?|does|{_FITS}{_THIS})"
            rf"|{BE} (?P<where>{WHERE}))",
            _neither,
        ),
        (
            rf"(?:and )?(?:is|does|can|could|might) (?P<who>{ONE})(?: (?:be|are))?"
            rf"(?: (?:there|(?P<where>{WHERE})))? ?\?",
            _asks_of_one,
        ),
        (
            rf"(?:but )?(?:(?:is|are) there|is|are|does|do|can|could|might) (?:any(?:thing|one)?"
            rf"(?: (?:of )?(?:the |these )?other {_OBJECTS})?)(?: else)?(?: (?:be|are|is))?"
            rf"(?: (?:there|(?P<where>{WHERE})))? ?\?",
            _asks_of_any,
        ),
        (
            rf"(?:(?P<who>{LIST}|it|this|that) )?(?:(?:is|are) )?(?:(?:on|in) )?(?:the )?wrong"
            rf"(?: (?:side|half|direction|way|quadrant))?(?: (?P<axis>{_AXIS}))?",
            _wrong,
        ),
        (rf"(?:there (?:is|are) )?{_NONE} (?:{BE} )?{THAT}(?P<where>{WHERE})", _none),
        (rf"(?:there (?:is|are) )?{_NO_OTHER} (?:{BE} )?{THAT}(?P<where>{WHERE})", _others),
        (
            rf"(?:there (?:is|are) )?{_JUST}(?P<k>{COUNT})"
            rf" (?:{_OBJECTS}|of (?:them|these|those|the (?:(?P<of>{COUNT}) )?(?:other )?objects))"
            rf" (?:{BE} )?{THAT}"
            rf"(?P<where>{WHERE})(?::? ?\(?(?P<names>{LIST})\)?)?",
            _count,
        ),
        (
            rf"(?:(?:the |all )*{_OBJECTS} )?(?:{BE} )?{THAT}(?P<where>{PLACE})"
            rf"(?:,? (?:we (?:find|have|see|get)|(?:there )?(?:is|are)):?|:) (?P<names>{LIST})",
            _these,
        ),
        (
            rf"(?:(?P<who>{LIST}|{REST}|they|th[eo]se(?: (?:two|three|four))?"
            rf"|all (?:two|three|four|five)"
            r"|both) ?[:|-]? ?)?"
            rf"(?:it |this |that )?(?P<said>{_YES_TAG}|{_NO_TAG})",
            _tagged,
        ),
    )
)

read = reader(_FORMS)
