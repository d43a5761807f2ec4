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
NP = rf"(?:{LIST}|{_IT}|{_THEY})"
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


def read(text: str, now: Context) -> Told:
    """The claims of a clause in canonical spelling; None where it has none of the forms."""
    for form, reading in _FORMS:
        if (found := form.fullmatch(text)) and (told := reading(found, now)) is not None:
            return told
    return None


def numbers_in(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(number(one) for one in re.findall(N, text)))


def who_of(text: str, now: Context) -> tuple[int, ...]:
    """The objects that stand before a verb."""
    if names := numbers_in(text):
        return names
    if re.fullmatch(_IT, text):
        one = next((at for at in (now.topic, now.subject, now.head) if at is not None), None)
        return () if one is None else (one,)
    if several := _SEVERAL.search(text):
        return _as_many(count_of(several["k"]), text, now)
    return now.listed if len(now.listed) > 1 else ()


def _as_many(count: int, text: str, now: Context) -> tuple[int, ...]:
    """``all three``: so many objects as were just listed, placed, or are there beside one."""
    of = now.asked["of"]
    met = dict.fromkeys(name for one in now.claims for name in one.objects if one.kind != "out")
    placed_of = dict.fromkeys(
        name
        for one in now.claims
        if one.kind in ("in", "further", "all") and one.of == of
        for name in one.objects
    )
    rest = [one for one in range(len(now.objects)) if one != of]
    inside = set(now.inside())
    others = [one for one in rest if one not in inside]
    options = [one for one in now.options if one not in inside]
    first = [options] if re.search(r"\b(?:options|choices|candidates)\b", text) else []
    if re.search(r"\b(?:other|remaining)\b", text):
        first = first or [options, others]
    for group in first or (now.listed, now.inside(), placed_of, met, others, options, rest):
        if len(group) == count:
            return tuple(group)
    return ()


_SEVERAL = re.compile(r"\b(?P<k>two|three|four|five|six|2|3|4|5|6)\b")


def whom_of(text: str, subjects: tuple[int, ...], now: Context) -> tuple[int, ...]:
    """The objects relative to which something is."""
    if names := numbers_in(text):
        return names
    if not re.search(rf"\b{_IT}$", text):
        return now.listed if len(now.listed) > 1 else ()
    for one in (now.topic, now.of, now.subject, now.asked["of"]):
        if one is not None and one not in subjects:
            return (one,)
    return ()


def _bare(subjects: tuple[int, ...], now: Context) -> tuple[int, ...]:
    """Relative to what something is of which is only said: ``Mill is to the northeast``."""
    of = now.asked["of"] if now.head is None or now.head in subjects else now.head
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
    subjects = who_of(found["who"], now)
    told = list[Claim]()
    one_place = re.fullmatch(WHERE, found["where"])
    wheres = [found["where"]] if one_place else _SPLIT.split(found["where"])
    for where in wheres:
        denied = bool(found.groupdict().get("no")) or where.startswith("not ")
        if (one := placed(subjects, where.removeprefix("not "), now, denied)) is None:
            return None
        told += one
    return told


_SPLIT = re.compile(rf"(?:, and |, but | and | but |, |; )(?=(?:not )?{WHERE}(?:$|,| and| but|;))")


def _neither(found: re.Match[str], now: Context) -> Told:
    """``A is neither north nor east of C``"""
    subjects, told = who_of(found["who"], now), list[Claim]()
    for way in (found["one"], found["two"]):
        one = placed(subjects, f"{way}{found['of'] or ''}", now, denied=True)
        if one is None:
            return None
        told += one
    return told


def _chain(found: re.Match[str], now: Context) -> Told:
    """``A is northeast of B, which is northeast of C``"""
    told, subjects = list[Claim](), who_of(found["who"], now)
    for where in re.split(_WHICH, found["where"]):
        if (one := placed(subjects, where, now)) is None:
            return None
        told += one
        subjects = (one[-1].of,)
    return told


_WHICH = r"(?:,? which is(?: both)? | ?-> ?)"


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


def _of_others(found: re.Match[str], now: Context) -> Told:
    """``of A``, of where something was said to be last"""
    last, of = (now.claims[-1] if now.claims else None), numbers_in(found["of"])
    if last is None or not now.spoken or last.kind not in ("in", "further"):
        return None
    return None if set(last.objects) & set(of) else [replace(last, of=one) for one in of]


def _which(found: re.Match[str], now: Context) -> Told:
    """``which is northeast of C``, of what was named last"""
    named, asked = now.of, now.asked
    if asked["kind"] == "object" and (named is None or named in numbers_in(found["where"])):
        named = now.objects.index(now.form)
    return None if named is None else placed((named,), found["where"], now)


def _opposite(found: re.Match[str], now: Context) -> Told:
    """``They are on opposite sides of A``: what was said of both, or of one of them"""
    names, of = numbers_in(found["who"]), numbers_in(found["of"] or "")
    last = [one for one in now.claims if one.kind == "in"][-2:]
    if len(names) == 1 and not of:
        return [] if last and names[0] in (last[-1].of, *last[-1].objects) else None
    if len(last) < 2 or (of and {one.of for one in last} != set(of)):
        return None
    return [] if opposite(last[0].direction) == last[1].direction else None


def _same(found: re.Match[str], now: Context) -> Told:
    """``Both go in the same direction``"""
    last = [one.direction for one in now.claims[-2:] if one.kind == "in"]
    return [] if len(last) == 2 and last[0] == last[1] else None


_FORMS: tuple[tuple[re.Pattern[str], Reading], ...] = tuple(
    (re.compile(form), reading)
    for form, reading in (
        (rf"(?P<who>{NP}) {BE} (?P<where>{WHERE}(?:{_WHICH}{PLACE})+)", _chain),
        (rf"(?P<who>{LIST}) ?(?:-> ?|: )(?P<where>{PLACE}(?:{_WHICH}{PLACE})+)", _chain),
        (
            rf"(?P<who>{NP}) {BE}(?P<no> not)? (?P<where>{WHERE}"
            rf"(?:(?:, and |, but | and | but |, |; )(?:not )?{WHERE})*)",
            is_placed,
        ),
        (
            rf"(?P<who>{NP}) {BE} neither (?P<one>{D}) nor (?P<two>{D})(?P<of>{OF}{NP})?",
            _neither,
        ),
        (rf"(?P<no>not) (?P<where>{PLACE}) ?(?::|=|are|is) ?(?P<who>{LIST})", is_placed),
        (rf"neither (?P<who>{ONE} nor {ONE})(?P<no>) {BE} (?P<where>{WHERE})", is_placed),
        (rf"{_MAP}(?P<who>{NP})(?: as(?: being)?)? (?P<where>{WHERE})", is_placed),
        (
            rf"(?P<who>{LIST})(?: ?(?::|->|=|\||,| -) ?(?:it is )?| ?\(| )(?P<where>{WHERE}"
            rf"(?:(?: and | but |, )(?:not )?{WHERE})*)\)?",
            is_placed,
        ),
        (rf"(?P<where>{PLACE})(?P<who>)", lambda found, now: _headed(found, now)),
        (rf"(?P<no>not )(?P<where>{WHERE})(?P<who>)", lambda found, now: _headed(found, now)),
        (
            rf"(?:(?:the )?(?:reverse|opposite|inverse|converse"
            rf"|flip side) of )?(?P<who>{ONE}) being "
            rf"(?P<where>{PLACE})",
            is_placed,
        ),
        (
            rf"(?P<who>{LIST}|they|both|the two)(?: of them)? (?:is"
            rf"|are) on (?:the )?opposite sides?"
            rf"(?: of (?P<of>{ONE}))?",
            _opposite,
        ),
        (rf"(?P<where>{BARE})(?P<who>)", lambda found, now: _headed(found, now)),
        (rf"of (?P<of>{LIST})", _of_others),
        (rf"which {BE} (?P<where>{PLACE})", _which),
        (
            rf"(?:so (?:is|are|does|do)|(?:and )?(?:the )?(?:same|likewise|similarly|ditto)"
            rf"(?: thing)?(?: (?:reasoning|argument|logic))?"
            rf"(?: (?:holds|applies|goes|is true|can be said|works))?,? (?:for|to|of|with)"
            rf"(?: the)?) (?P<who>{LIST})",
            _so,
        ),
        (rf"(?P<who>{LIST}) (?:is|are),? ?(?:as well|too)?", _so),
        (
            r"(?:both|they|these|the two)(?: of them)?(?: (?:relations?|steps?|facts|statements"
            r"|relationships|moves|directions|sentences))?"
            r" (?:go|point|lead|are|move|have|share|give|say|agree)(?: in| to| on)? "
            r"(?:exactly )?the same(?: (?:direction|way))?",
            _same,
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
    told = placed((one,), found["where"], now, bool(found.groupdict().get("no")))
    now.head = kept
    return told
