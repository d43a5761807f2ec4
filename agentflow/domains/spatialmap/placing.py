"""Sentences that say where objects are, in forms that models write, with *it* and *they*.

Mill and Dock are both northeast of it        two claims, of what was spoken of last
Mill: Pier is southwest of it, so northeast   of Mill, which the line is about
None of them is to the Northeast of Pier      that no object at all is
Mill is north of Pier, which is north of Dock
No object is exactly to the East              of what is asked
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from agentflow.domains.spatialmap.canonical import D, opposite, ways
from agentflow.domains.spatialmap.claims import N, number
from agentflow.domains.spatialmap.context import Context
from agentflow.domains.spatialmap.layout import Claim, lined_up
from agentflow.domains.spatialmap.wording import COUNT, count_of

ONE = rf"(?:the )?(?:object |place )?{N}"
LIST = rf"(?:both |all(?: of)? )?{ONE}(?:(?:,? and |, ){ONE})*"
_IT = r"(?:it|this|this object|this one|that|that one|this place)"
_THEY = (
    r"(?:(?:both|all|each|two|all three)(?: of (?:them|these|those))?|they|them|these|those"
    r"|these objects|these two|the two|the other two|the others)"
)
NP = rf"(?:{LIST}|{_IT}|{_THEY})"
BE = r"(?:is|are|being|comes?)(?: both| all| each)?"
HOW = r"(?:exactly |directly |due |strictly |further |both |somewhere )*"
WAY = rf"{D}(?: (?:and|but) (?:to the )?(?:further )?{D})?"
AT = r"(?:(?:to|in|on|at|towards?) )?(?:the )?"
_OF = (
    r"(?: side| direction| quadrant)? (?:of|from|than|relative to|compared (?:to|with)"
    r"|with respect to|as seen from) "
)
PLACE = rf"{AT}{HOW}{AT}{WAY}{_OF}{NP}"
BARE = rf"{AT}{HOW}{AT}{WAY}(?: side| direction)?(?: of(?= ?$))?"
_WHERE = rf"(?:{PLACE}|{BARE})"
_NONE = (
    r"(?:none(?: of (?:them|these|those|the (?:\w+ )?(?:objects|options|places)))?|nothing"
    r"|no(?: such)? (?:object|place|one)s?|zero objects|0 objects|not a single object)"
)
_NO_OTHER = (
    r"(?:no other (?:object|place|option|one)s?|nothing else|none of the (?:others"
    r"|other (?:\w+ )?(?:objects|places|options|ones))|no others?)"
)
_REST = (
    r"(?:everything else|all else|all the rest|the rest|(?:all )?(?:the )?(?:others"
    r"|(?:other|remaining) (?:\w+ )?(?:ones|objects|options|places)))"
)
_MAP = (
    r"(?:(?:the )?(?:map|description|text|statement|sentence|fact)s? (?:\w+ly )?"
    r"(?:puts?|places?|has|have|gives?|locates?|lists?|shows?) )"
)
_THAT = r"(?:that (?:is|are) |which (?:is|are) |lying |standing )?"


Told = list[Claim] | None
Reading = Callable[[re.Match[str], Context], Told]


def read(text: str, now: Context) -> Told:
    """The claims of a clause in canonical spelling; None where it has none of the forms."""
    for form, reading in _FORMS:
        if (found := form.fullmatch(text)) and (told := reading(found, now)) is not None:
            return told
    return None


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(number(one) for one in re.findall(N, text)))


def _who(text: str, now: Context) -> tuple[int, ...]:
    """The objects that stand before a verb."""
    if names := _numbers(text):
        return names
    if re.fullmatch(_IT, text):
        one = next((at for at in (now.topic, now.subject, now.head) if at is not None), None)
        return () if one is None else (one,)
    return now.listed if len(now.listed) > 1 else ()


def _whom(text: str, subjects: tuple[int, ...], now: Context) -> tuple[int, ...]:
    """The objects relative to which something is."""
    if names := _numbers(text):
        return names
    if not re.search(rf"\b{_IT}$", text):
        return now.listed if len(now.listed) > 1 else ()
    for one in (now.topic, now.of, now.subject, now.asked["of"]):
        if one is not None and one not in subjects:
            return (one,)
    return ()


def _bare(subjects: tuple[int, ...], now: Context) -> tuple[int, ...]:
    """Relative to what something is of which is only said: ``Mill is to the northeast``."""
    asked = now.asked
    if now.head is not None and now.head not in subjects:
        return (now.head,)
    fits = asked["kind"] != "direction" or subjects == (asked["object"],)
    return (asked["of"],) if fits and asked["of"] not in subjects else ()


_STRICT = re.compile(r"\b(?:exactly|directly|due|strictly)\b")


def placed(
    subjects: tuple[int, ...], where: str, now: Context, denied: bool = False, last: bool = True
) -> Told:
    """The claims that objects are somewhere."""
    said = ways(where)
    tail = re.search(rf"{_OF}(?P<np>{NP})$", where)
    of = _whom(tail["np"], subjects, now) if tail else _bare(subjects, now)
    if not subjects or not of or set(subjects) & set(of):
        return None
    strict = _STRICT.search(where) is not None
    told = list[Claim]()
    for a in subjects:
        for b in of:
            one = _claims(a, said, b, strict, denied, now)
            if one is None:
                return None
            told += one
    return told


def _claims(a: int, said: list[str], b: int, strict: bool, denied: bool, now: Context) -> Told:
    """North is said of what is just further north, too, unless it is what is asked for."""
    if len(said) == 2:
        if denied or not all(map(lined_up, said)) or not _crossing(said):
            return None
        return [Claim("further", way, b, (a,)) for way in said]
    (way,) = said
    exact = strict or not lined_up(way) or (way, b) == (now.asked.get("direction"), now.asked["of"])
    if exact:
        return [Claim("out" if denied else "in", way, b, (a,))]
    return [Claim("further", opposite(way) if denied else way, b, (a,))]


def _crossing(said: list[str]) -> bool:
    return said[0] not in (said[1], opposite(said[1]))


def _is(found: re.Match[str], now: Context) -> Told:
    """``A and B are northeast of C and southeast of D``"""
    subjects = _who(found["who"], now)
    told = list[Claim]()
    one_place = re.fullmatch(_WHERE, found["where"])
    wheres = [found["where"]] if one_place else _SPLIT.split(found["where"])
    for where in wheres:
        denied = bool(found.groupdict().get("no")) or where.startswith("not ")
        if (one := placed(subjects, where.removeprefix("not "), now, denied)) is None:
            return None
        told += one
    return told


_SPLIT = re.compile(rf"(?:, and |, but | and | but |, |; )(?=(?:not )?{_WHERE}(?:$|,| and| but|;))")


def _neither(found: re.Match[str], now: Context) -> Told:
    """``A is neither north nor east of C``"""
    subjects, told = _who(found["who"], now), list[Claim]()
    for way in (found["one"], found["two"]):
        one = placed(subjects, f"{way}{found['of'] or ''}", now, denied=True)
        if one is None:
            return None
        told += one
    return told


def _chain(found: re.Match[str], now: Context) -> Told:
    """``A is northeast of B, which is northeast of C``"""
    told, subjects = list[Claim](), _who(found["who"], now)
    for where in re.split(_WHICH, found["where"]):
        if (one := placed(subjects, where, now)) is None:
            return None
        told += one
        subjects = (one[-1].of,)
    return told


_WHICH = r"(?:,? which is(?: both)? | ?-> ?)"


def _only(found: re.Match[str], now: Context) -> Told:
    """``Only A and B are northeast of C``"""
    return _all(_who(found["who"], now), found["where"], now)


def _all(inside: tuple[int, ...], where: str, now: Context) -> Told:
    """That just these objects are somewhere."""
    said = ways(where)
    tail = re.search(rf"{_OF}(?P<np>{NP})$", where)
    of = _whom(tail["np"], inside, now) if tail else (now.asked["of"],)
    if len(said) == 2 and all(map(lined_up, said)) and _crossing(said):
        said = [_joined(said)]
    if len(said) != 1 or len(of) != 1 or of[0] in inside:
        return None
    strict = _STRICT.search(where) or (said[0], of[0]) == (
        now.asked.get("direction"),
        now.asked["of"],
    )
    if lined_up(said[0]) and not strict:
        rest = [one for one in range(len(now.objects)) if one not in inside and one != of[0]]
        back = opposite(said[0])
        return [
            *(Claim("further", said[0], of[0], (one,)) for one in inside),
            *(Claim("further", back, of[0], (one,)) for one in rest),
        ]
    return [Claim("all", said[0], of[0], tuple(sorted(inside)))]


def _joined(said: list[str]) -> str:
    north, east = sorted(said, key=lambda way: way in ("East", "West"))
    return f"{north}{east.lower()}"


def _none(found: re.Match[str], now: Context) -> Told:
    return _all((), found["where"], now)


def _others(found: re.Match[str], now: Context) -> Told:
    return _all(now.inside(), found["where"], now)


def _elsewhere(found: re.Match[str], now: Context) -> Told:
    """That no other object is where it is asked for."""
    if now.asked["kind"] == "direction":
        return None
    return [Claim("all", now.asked["direction"], now.asked["of"], now.inside())]


def _remaining(found: re.Match[str], now: Context) -> Told:
    """``The others, A and B, are northeast of C``"""
    names, inside = _numbers(found["who"]), now.inside()
    rest = {one for one in range(len(now.objects)) if one not in inside and one != now.asked["of"]}
    return _is(found, now) if set(names) == rest and not set(names) & set(inside) else None


def _count(found: re.Match[str], now: Context) -> Told:
    """``There are two objects northeast of C: A and B``"""
    said, names = count_of(found["k"]), _numbers(found["names"] or "")
    if names and len(names) != said:
        return None
    if names:
        return _all(names, found["where"], now)
    told = _all((), found["where"], now)
    return told and [Claim("count", told[0].direction, told[0].of, count=said)]


def _number(found: re.Match[str], now: Context) -> Told:
    """``Count for southeast = 2``"""
    told = _all((), found["where"], now)
    return told and [Claim("count", told[0].direction, told[0].of, count=count_of(found["k"]))]


def _so(found: re.Match[str], now: Context) -> Told:
    """``so is A``, of what was said last"""
    last = now.claims[-1] if now.claims else None
    who = _numbers(found["who"])
    if last is None or last.kind not in ("in", "further") or last.of in who:
        return None
    return [replace(last, objects=(one,)) for one in who]


def _of_others(found: re.Match[str], now: Context) -> Told:
    """``of A``, of where something was said to be last"""
    last, of = (now.claims[-1] if now.claims else None), _numbers(found["of"])
    if last is None or not now.spoken or last.kind not in ("in", "further"):
        return None
    return None if set(last.objects) & set(of) else [replace(last, of=one) for one in of]


def _which(found: re.Match[str], now: Context) -> Told:
    """``which is northeast of C``, of what was named last"""
    return None if now.of is None else placed((now.of,), found["where"], now)


def _qualify(found: re.Match[str], now: Context) -> Told:
    """``Two objects qualify: A and B``, ``two of them are southeast``"""
    names, asked = _numbers(found["names"] or ""), now.asked
    where = found.groupdict().get("where")
    if asked["kind"] == "direction" or (names and len(names) != count_of(found["k"])):
        return None
    told = (
        _all(names, where, now) if where else [Claim("all", asked["direction"], asked["of"], names)]
    )
    if names or told is None or len(told) != 1:
        return told if names else None
    return [Claim("count", told[0].direction, told[0].of, count=count_of(found["k"]))]


def _same(found: re.Match[str], now: Context) -> Told:
    """``Both go in the same direction``"""
    last = [one.direction for one in now.claims[-2:] if one.kind == "in"]
    return [] if len(last) == 2 and last[0] == last[1] else None


def _these(found: re.Match[str], now: Context) -> Told:
    """All objects of some place; ``the object`` there is that which was asked for."""
    if re.match(r"(?:the )?object ", found[0]):
        return placed(_numbers(found["names"]), found["where"], now)
    return _all(_numbers(found["names"]), found["where"], now)


def _tagged(found: re.Match[str], now: Context) -> Told:
    """``A: southeast, so no``: whether the object of a line is one of those asked for."""
    who = _who(found["who"], now) if found["who"] else _who("it", now)
    if not who or now.asked["kind"] == "direction" or now.asked["of"] in who:
        return None
    way, of = now.asked["direction"], now.asked["of"]
    if _YES.fullmatch(found["said"]):
        return [Claim("in", way, of, (one,)) for one in who]
    return [Claim("out", way, of, (one,)) for one in who]


_NO_TAG = (
    r"(?:no|✗|✘|❌|× ?|x|(?:does|do|is|are) not|(?:does|do|is|are"
    r"|did) not (?:count(?:ed)?|match|qualify|fit|included"
    r"|a match|what (?:we|is) (?:want|need|asked for)(?:ed)?)|not (?:a match|counted|included"
    r"|this one|it|what we want)|excluded|ruled out|(?:we )?(?:exclude|eliminate)d?)"
)
_YES_TAG = (
    r"(?:yes|(?:is|are) (?:one|another)(?: of them| such object| match)?|✓|✔|✅|☑"
    r"|counts?|match(?:es)?|qualif(?:y|ies)|fits?|satisf(?:y"
    r"|ies) (?:this|it|both|the condition|that)|(?:is|are) (?:counted|included"
    r"|a match)|counted|included|a match|(?:this is )?(?:our|the) match|match found)"
)
_YES = re.compile(_YES_TAG)
_OBJECTS = r"(?:(?:the |all )*objects? )"
_FORMS: tuple[tuple[re.Pattern[str], Reading], ...] = tuple(
    (re.compile(form), reading)
    for form, reading in (
        (rf"only (?P<who>{NP}) {BE} (?P<where>{_WHERE})", _only),
        (
            rf"(?P<who>{NP}) {BE} the (?:only|one|sole|single)(?: and only)?"
            rf"(?: (?:other )?(?:object|one|place|option)s?)? {_THAT}(?P<where>{_WHERE})",
            _only,
        ),
        (
            rf"the only (?:object|one|place|option)s? {_THAT}(?P<where>{PLACE}) (?:is|are) "
            rf"(?P<who>{LIST})",
            _only,
        ),
        (
            rf"(?:{_NO_OTHER} (?:fits?|match(?:es)?|qualif(?:y|ies)|counts?|works?|does|do|is|are)"
            rf"|{_REST} (?:is|are) (?:all )?(?:elsewhere|in (?:an)?(?:other|different) directions?"
            r"|not|not there|out))",
            _elsewhere,
        ),
        (rf"{_REST},? \(?(?P<who>{LIST})\)?,? {BE} (?P<where>{_WHERE})", _remaining),
        (rf"{_NONE} {BE} (?P<where>{_WHERE})", _none),
        (rf"there (?:is|are) (?:{_NONE}) {_THAT}(?P<where>{PLACE})", _none),
        (rf"(?:there (?:is|are) )?{_NO_OTHER} (?:{BE} )?{_THAT}(?P<where>{_WHERE})", _others),
        (rf"(?P<who>{NP}) {BE} (?P<where>{_WHERE}(?:{_WHICH}{PLACE})+)", _chain),
        (rf"(?P<who>{LIST}) ?(?:-> ?|: )(?P<where>{PLACE}(?:{_WHICH}{PLACE})+)", _chain),
        (
            rf"(?P<who>{NP}) {BE}(?P<no> not)? (?P<where>{_WHERE}"
            rf"(?:(?:, and |, but | and | but |, |; )(?:not )?{_WHERE})*)",
            _is,
        ),
        (
            rf"(?P<who>{NP}) {BE} neither (?P<one>{D}) nor (?P<two>{D})(?P<of>{_OF}{NP})?",
            _neither,
        ),
        (rf"(?P<no>not) (?P<where>{PLACE}) ?(?::|=|are|is) ?(?P<who>{LIST})", _is),
        (rf"neither (?P<who>{ONE} nor {ONE})(?P<no>) {BE} (?P<where>{_WHERE})", _is),
        (rf"{_MAP}(?P<who>{NP})(?: as(?: being)?)? (?P<where>{_WHERE})", _is),
        (
            rf"(?P<who>{LIST})(?: ?(?::|->|=|\||,| -) ?(?:it is )?| ?\(| )(?P<where>{_WHERE}"
            rf"(?:(?: and | but |, )(?:not )?{_WHERE})*)\)?",
            _is,
        ),
        (rf"(?P<where>{PLACE})(?P<who>)", lambda found, now: _headed(found, now)),
        (rf"(?P<where>{BARE})(?P<who>)", lambda found, now: _headed(found, now)),
        (
            rf"(?:there (?:is|are) )?(?:exactly |only |just )?(?P<k>{COUNT}) (?:objects?|places?) "
            rf"(?:{BE} )?{_THAT}(?P<where>{PLACE})(?::? ?\(?(?P<names>{LIST})\)?)?",
            _count,
        ),
        (
            rf"{_OBJECTS}?(?:{BE} )?{_THAT}(?P<where>{PLACE})"
            rf"(?:,? (?:we (?:find|have|see|get)|(?:there )?(?:is|are)):?|:) (?P<names>{LIST})",
            _these,
        ),
        (
            r"(?:the )?(?:total |final )?(?:count|number)(?: of (?:objects|places))?"
            rf"(?: (?:that (?:are|is) |which are )?(?:for|of)?(?P<where> ?(?:{PLACE}|{BARE})))"
            rf" ?(?:is|=|:|->|equals) ?(?P<k>{COUNT})(?: objects?)?",
            _number,
        ),
        (rf"of (?P<of>{LIST})", _of_others),
        (rf"which {BE} (?P<where>{PLACE})", _which),
        (rf"so (?:is|are|does|do) (?P<who>{LIST})", _so),
        (rf"(?P<who>{LIST}) (?:is|are),? ?(?:as well|too)?", _so),
        (
            rf"(?P<k>{COUNT}) (?:of (?:them|these|those|the objects)"
            rf"|objects?) {BE} (?P<where>{_WHERE})"
            rf"(?:: (?P<names>{LIST}))?",
            _qualify,
        ),
        (
            rf"(?:only |exactly |just )?(?P<k>{COUNT})(?: (?:objects?|places?"
            rf"|of (?:them|these|those|the objects)))?"
            rf" (?:{_YES_TAG})(?:: (?P<names>{LIST}))?",
            _qualify,
        ),
        (
            r"(?:both|they|these|the two)(?: of them)?(?: (?:relations?|steps?|facts|statements))?"
            r" (?:go|point|lead|are|move|have|share|give|say)(?: in| to)? the same direction",
            _same,
        ),
        (
            rf"(?:(?P<who>{LIST}) ?[:|-]? ?)?(?:it |this |that )?(?P<said>{_YES_TAG}|{_NO_TAG})",
            _tagged,
        ),
    )
)


def _headed(found: re.Match[str], now: Context) -> Told:
    """A place alone, on a line with an object, or under a headline with one."""
    spoken = now.subject if now.spoken else None
    one = next((at for at in (now.topic, spoken, now.head) if at is not None), None)
    if one is None:
        return None
    kept, now.head = now.head, None if one == now.head else now.head
    told = placed((one,), found["where"], now)
    now.head = kept
    return told
