"""Sentences that say where objects are, in forms that models write, with *it* and *they*.

Mill and Dock are both northeast of it        two claims, of what was spoken of last
Mill: Pier is southwest of it, so northeast   of Mill, which the line is about
None of them is to the Northeast of Pier      that no object at all is
Mill is north of Pier, which is north of Dock
No object is exactly to the East              of what is asked
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace

from agentflow.domains.spatialmap.canonical import D, opposite, ways
from agentflow.domains.spatialmap.claims import N, number
from agentflow.domains.spatialmap.context import Context
from agentflow.domains.spatialmap.layout import Claim, lined_up
from agentflow.domains.spatialmap.wording import count_of

ONE = rf"(?:the )?(?:object |place )?{N}"
LIST = rf"(?:both |all(?: of)? )?{ONE}(?:(?:,? and |, ){ONE})*"
_IT = r"(?:it|this|this object|this one|that|that one|this place)"
_THEY = (
    r"(?:(?:both|all|each|(?:all )?(?:of )?(?:the |these |those )?(?:other |remaining )?"
    r"(?:two|three|four|five|six|[2-6]))(?: of (?:them|these|those|the objects))?"
    r"(?: (?:objects|options|places|choices|candidates))?"
    r"|they|them|these|those|these objects|the others)"
)
REST = (
    r"(?:everything else|all else|(?:(?:all|both|each)(?: of)? )?(?:the )?(?:rest|others)"
    r"|(?:(?:all|both|each)(?: of)? )?(?:the )?(?:every )?(?:other|remaining)"
    r" (?:(?:two|three|four|five|six|[2-6])(?= ?[,:])"
    r"|(?:\w+ )?(?:objects?|options?|places?|ones?|candidates|choices)))"
)
NP = rf"(?:{LIST}|{_IT}|{_THEY}|{REST}(?:[,:]? {LIST},?)?)"
BE = r"(?:is|are|being|comes?)(?: both| all| each)?"
HOW = r"(?:exactly |directly |due |strictly |further |both |somewhere )*"
WAY = rf"{D}(?: (?:and|but) (?:to the )?(?:further )?{D})?"
AT = r"(?:(?:to|in|on|at|towards?) )?(?:the )?"
OF = (
    r"(?: side| direction| quadrant)? (?:of|from|than|relative to|compared (?:to|with)"
    r"|with respect to|as seen from) "
)
PLACE = rf"{AT}{HOW}{AT}{WAY}{OF}{NP}"
BARE = rf"{AT}{HOW}{AT}{WAY}(?: side| direction)?(?: of(?= ?$))?"
WHERE = rf"(?:{PLACE}|{BARE})"
_MAP = (
    r"(?:(?:the )?(?:map|description|text|statement|sentence|fact)s? (?:\w+ly )?"
    r"(?:puts?|places?|has|have|gives?|locates?|lists?|shows?) )"
)
THAT = r"(?:that (?:is|are) |which (?:is|are) |lying |standing )?"
Told = list[Claim] | None
Reading = Callable[[re.Match[str], Context], Told]
Forms = tuple[tuple[re.Pattern[str], Reading], ...]
"""Clauses, and what each of them claims."""


def reader(forms: Forms) -> Callable[[str, Context], Told]:
    """What reads a clause in canonical spelling: its claims, or None where it has none of the
    forms."""

    def read(text: str, now: Context) -> Told:
        for form, reading in forms:
            if (found := form.fullmatch(text)) and (told := reading(found, now)) is not None:
                return told
        return None

    return read


def numbers_in(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(number(one) for one in re.findall(N, text)))


def who_of(text: str, now: Context) -> tuple[int, ...]:
    """The objects that stand before a verb."""
    names = numbers_in(text)
    if names and re.match(REST, text):
        return names if set(names) in map(set, _groups(now)) else ()
    if names:
        return names
    if re.fullmatch(_IT, text):
        one = next((at for at in (now.topic, now.subject, now.head) if at is not None), None)
        return () if one is None else (one,)
    if several := _SEVERAL.search(text):
        return _as_many(count_of(several["k"]), text, now)
    if re.fullmatch(REST, text) and text != "the others":
        asked = set() if now.asked["kind"] == "direction" else {now.asked["of"], *now.inside()}
        options = now.options if re.search("option|choice|candidate", text) else ()
        return tuple(one for one in options or range(len(now.objects)) if one not in asked)
    return now.listed if len(now.listed) > 1 else ()


def _groups(now: Context) -> list[Collection[int]]:
    """What the others may be: those of which nothing, or not what is asked for, is known."""
    rest = [one for one in range(len(now.objects)) if one != now.asked["of"]]
    told = {name for one in now.claims if one.of == now.asked["of"] for name in one.objects}
    inside = now.inside()
    groups = [[one for one in group if one not in inside] for group in (now.options, rest)]
    return [*groups, [one for one in rest if one not in told]]


def _as_many(count: int, text: str, now: Context) -> tuple[int, ...]:
    """``all three``: so many objects as were just listed, placed, or are there beside one."""
    rest = [one for one in range(len(now.objects)) if one != now.asked["of"]]
    inside = now.inside()
    placed_of = dict.fromkeys(
        name
        for one in now.claims
        if one.of == now.asked["of"] and one.kind != "out"
        for name in one.objects
    )
    others = [[one for one in group if one not in inside] for group in (now.options, rest)]
    groups: list[Collection[int]] = [now.listed, inside, placed_of, *others, rest]
    if re.search(r"\b(?:other|remaining|options|choices|candidates)\b", text):
        groups = [*others]
    return next((tuple(group) for group in groups if len(group) == count), ())


_SEVERAL = re.compile(r"\b(?P<k>two|three|four|five|six|2|3|4|5|6)\b")


def whom_of(text: str, subjects: tuple[int, ...], now: Context) -> tuple[int, ...]:
    """The objects relative to which something is."""
    if names := numbers_in(text):
        return names
    if re.search(rf"(?:{REST})$", text):
        return tuple(one for one in range(len(now.objects)) if one not in subjects)
    if not re.search(rf"\b{_IT}$", text):
        asked = tuple(now.asked[one] for one in ("object", "of") if one in now.asked)
        return next((some for some in (now.listed, asked) if len(some) > 1), ())
    for one in (now.topic, now.of, now.subject, now.asked["of"]):
        if one is not None and one not in subjects:
            return (one,)
    return ()


def _bare(subjects: tuple[int, ...], now: Context) -> tuple[int, ...]:
    """Relative to what something is of which is only said: ``Mill is to the northeast``."""
    of = now.asked["of"] if now.head is None or now.head in subjects else now.head
    of = now.of if of in subjects and now.of is not None else of
    return () if of in subjects else (of,)


STRICT = re.compile(r"\b(?:exactly|directly|due|strictly)\b")


def placed(subjects: tuple[int, ...], where: str, now: Context, denied: bool = False) -> Told:
    """The claims that objects are somewhere."""
    said = ways(where)
    tail = re.search(rf"{OF}(?P<np>{NP})$", where)
    of = whom_of(tail["np"], subjects, now) if tail else _bare(subjects, now)
    if not subjects or not of or set(subjects) & set(of):
        return None
    strict = STRICT.search(where) is not None
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
        if denied or not all(map(lined_up, said)) or not crossing(said):
            return None
        return [Claim("further", way, b, (a,)) for way in said]
    (way,) = said
    exact = strict or not lined_up(way) or (way, b) == (now.asked.get("direction"), now.asked["of"])
    if exact:
        return [Claim("out" if denied else "in", way, b, (a,))]
    return [Claim("further", opposite(way) if denied else way, b, (a,))]


def crossing(said: list[str]) -> bool:
    return said[0] not in (said[1], opposite(said[1]))


def is_placed(found: re.Match[str], now: Context) -> Told:
    """``A and B are northeast of C and southeast of D``"""
    denied, who = bool(found.groupdict().get("no")), who_of(found["who"], now)
    if re.fullmatch(_IT, found["who"]) and set(who) & {*numbers_in(found["where"])}:
        who = () if now.of is None else (now.of,)
    if re.match("both", found["who"]) and set(who) & {*numbers_in(found["where"])}:
        subjects = [one.objects[0] for one in now.claims if one.objects]
        last = tuple(dict.fromkeys(subjects))[-2:]  # of a chain: those before its end
        who = last if len(last) == 2 else ()
    if re.fullmatch(REST, found["who"]):
        who = tuple(one for one in who if one not in numbers_in(found["where"]))
    return _placed_all(who, found["where"], now, denied)


def _related(found: re.Match[str], now: Context) -> Told:
    """``All neighbours with a stated relation - A and B - are southeast of it``"""
    who, of = set(numbers_in(found["who"])), now.asked["of"]
    near = {b if a == of else a for a, _, b in now.relations if of in (a, b)}
    return placed(tuple(sorted(who)), found["where"], now) if who == near else None


def _placed_all(subjects: tuple[int, ...], places: str, now: Context, no: bool = False) -> Told:
    """The claims that objects are at each of some places."""
    told = list[Claim]()
    wheres = [places] if re.fullmatch(WHERE, places) else _SPLIT.split(places)
    for where in wheres:
        denied = no or where.startswith("not ")
        if (one := placed(subjects, where.removeprefix("not "), now, denied)) is None:
            return None
        told += one
    return told


_SPLIT = re.compile(rf"(?:, and |, but | and | but |, |; )(?=(?:not )?{WHERE}(?:$|,| and| but|;))")


def _so(found: re.Match[str], now: Context) -> Told:
    """``so is A``, ``the same holds for A``: of what was said last of another"""
    told = list[Claim]()
    for who in numbers_in(found["who"]):
        last = next(
            (
                one
                for one in reversed(now.claims)
                if one.kind in ("in", "further", "out") and who not in (one.of, *one.objects)
            ),
            None,
        )
        if last is None:
            return None
        told.append(replace(last, objects=(who,)))
    return told


def _which(found: re.Match[str], now: Context) -> Told:
    """``which is northeast of C``, of what was named last"""
    named, asked = now.of if now.spoken or now.topic is None else now.topic, now.asked
    if asked["kind"] == "object" and (named is None or named in numbers_in(found["where"])):
        named = now.objects.index(now.form)
    return None if named is None else _placed_all((named,), found["where"], now)


def _headed(found: re.Match[str], now: Context) -> Told:
    """A place alone, on a line with an object, or under a headline with one."""
    spoken = now.subject if now.spoken else None
    one = next((at for at in (now.topic, spoken, now.head) if at is not None), None)
    if one is None:
        return None
    kept, now.head = now.head, None if one == now.head else now.head
    told = placed((one,), found["where"], now, bool(found.groupdict().get("no")))
    now.head = kept
    return told


def _from_there(found: re.Match[str], now: Context) -> Told:
    """``from B, A is in the opposite direction``, of what was said of B as seen from A"""
    who, of = number(found["who"]), number(found["of"]) if found["of"] else None
    told = list[Claim]()
    for one in now.claims:
        if one.kind in ("in", "further") and one.of == who and of in (None, *one.objects):
            told.append(
                replace(one, direction=opposite(one.direction), of=one.objects[0], objects=(who,))
            )
    return told or None


_AND = r"(?:, and |, but | and | but |, |; )"
_FORMS: Forms = tuple(
    (re.compile(form), reading)
    for form, reading in (
        (
            rf"{_MAP}?(?P<who>{NP})(?: {BE}|(?: as(?: being)?)?)(?P<no> not)? "
            rf"(?P<where>{WHERE}(?:{_AND}(?:not )?{WHERE})*)",
            is_placed,
        ),
        (
            rf"(?P<who>{LIST}) ?(?::|->|=|\||,| -|\()?(?: it is)? ?"
            rf"(?P<where>{WHERE}(?:{_AND}(?:not )?{WHERE})*)\)?",
            is_placed,
        ),
        (rf"(?P<no>not) (?P<where>{PLACE}) ?(?::|=|are|is) ?(?P<who>{LIST})", is_placed),
        (
            r"(?:all|both|each)(?: of)? (?:its|the|these) (?:\w+ )?(?:neighbou?rs|objects|places)"
            r" (?:with|that have|having) an? (?:\w+ )?relation(?: to it)?(?: -|,|:) "
            rf"(?P<who>{LIST})(?: -|,)? {BE} (?P<where>{WHERE})",
            _related,
        ),
        (rf"(?P<no>not )?(?P<where>{WHERE})", _headed),
        (
            r"(?:(?:(?:looking|going|seen|viewed|as seen) )?(?:from|relative to)"
            rf" (?P<of>{ONE}),? )?"
            rf"(?P<who>{ONE}) is (?:(?:in|on) )?the (?:opposite|reverse|other)"
            r" (?:direction|way|side)",
            _from_there,
        ),
        (rf"which {BE} (?P<where>{PLACE}(?:{_AND}(?:not )?{PLACE})*)", _which),
        (
            r"(?:so (?:is|are|does|do)|(?:and )?(?:the )?(?:same|likewise|similarly|ditto)"
            r"(?: (?:thing|reasoning|argument|logic))?"
            r"(?: (?:holds|applies|goes|is true|can be said|works))?,? (?:for|to|of|with)"
            rf"(?: the)?) (?P<who>{LIST})",
            _so,
        ),
    )
)

read = reader(_FORMS)
