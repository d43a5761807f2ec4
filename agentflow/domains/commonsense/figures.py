"""Whether the years, ages and amounts of a reply agree with what it says of them.

135 is greater than 140                                      no
formed in 1918, seven years after the war ended in 1901      no: seventeen
born in 1832, so in 1865 she was 33 years old                yes

Where the numbers come from cannot be checked; what is said of them together can.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from agentflow.domains import spelling
from agentflow.domains.sentence_ends import sentence_end
from agentflow.tools.quantities import NUMBER_WORDS

_SENTENCE = sentence_end(".!?", r";\s*")
_MAX = 4_000
_YEAR = r"(?<![\d,.$-])(?P<{}>1\d{{3}}|20\d\d|[3-9]\d\d)(?![\d%]|,\d|\.\d)"
_YEARS = re.compile(_YEAR.format("year"))
_ANCIENT = re.compile(r"\b(?:bce?|b\.c)\b", re.IGNORECASE)
_WORDS = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_COUNT = rf"(?:\d{{1,4}}|(?:{_WORDS})(?:-(?:{_WORDS}))?)"
_ABOUT = (
    r"about|around|roughly|approximately|nearly|almost|some|over|under|more than|less than"
    r"|at least|close to|well over|just over|just under|barely|a little over"
)
_SPAN = re.compile(
    rf"(?P<about>\b(?:{_ABOUT}) )?(?:\b(?P<n>{_COUNT}|an?|half a|a full) (?:full |whole )?)"
    r"(?P<unit>year|decade|centur)(?:s|y|ies)?\b(?! old)"
    r"(?= (?:before|after|later|earlier|apart|prior|afterwards?|beforehand|between|too)\b)",
    re.IGNORECASE,
)
_UNITS = {"year": 1, "decade": 10, "centur": 100}
_BEFORE = re.compile(r"\bbefore\b(?! (?:and|or|which|that)\b)")
_LONG_AFTER = re.compile(r"\b(?:years?|decades?|century|centuries|long|well|shortly|just) after\b")
_BORN = re.compile(rf"\bborn (?:(?:on|in|around|about|c\.) )?[^.;]{{0,40}}?{_YEAR.format('year')}")
_AGE = re.compile(
    r"\b(?:was|is|were|been?|turned|aged?(?: of)?|at)"
    rf" (?P<about>(?:{_ABOUT}|only|just|already) )?"
    rf"(?P<age>{_COUNT})(?= years old|[,.;]|$| (?:and|when|in)\b)"
)
_AMOUNT = r"(?P<{}>\d[\d,]*(?:\.\d+)?)"
_MORE = "greater|larger|more|higher|bigger|taller|longer|heavier|wider|older|deeper|faster"
_LESS = "less|smaller|fewer|lower|shorter|lighter|narrower|younger|shallower|slower"
_COMPARES = re.compile(
    rf"(?<![\d.,]){_AMOUNT.format('one')}(?: [a-z]+){{0,2}}? (?:(?:is|are|was|were|being) (?:\w+ )?"
    rf"(?:(?P<more>{_MORE})|(?P<less>{_LESS})) than|(?P<above>exceeds?))(?: the)?"
    rf" {_AMOUNT.format('other')}"
)
_SUPPOSED = re.compile(r"\b(?:not|if|whether)\b|n't\b|\?")
_DENIED = re.compile(
    r"(?: ?[<>] ?[\d.,]*\d)* (?:is|are|was|would be)(?: clearly| also)?"
    r"(?: not (?:correct|right|true|so|the case|satisfied)| (?:incorrect|false|wrong|untrue))\b"
)
"""What behind a comparison says that it does not hold."""
_SIGNED = re.compile(
    rf"(?<![\d.,]){_AMOUNT.format('one')} ?(?P<sign>[<>]) ?(?={_AMOUNT.format('other')}(?![\w%]))"
)
_HAS = re.compile(
    r"(?P<name>[^\d,.;:]{2,60}?)(?: (?:covers?|has|have|is|are|was|were|weighs?|measures?|stands?"
    rf"|spans?|holds?|lies|rises))?(?: (?:an? (?:area|height|length|population) of|{_ABOUT}|only"
    rf"|just|up to))* {_AMOUNT.format('n')} (?P<unit>(?:square |cubic )?[a-z]+)"
)
_IS_MORE = re.compile(
    r"(?P<name>(?:[\w'’-]+ ){1,5}?)(?:is|are|was|were) (?:(?:much|far|clearly|by far|also|still"
    rf"|the|slightly|a lot|therefore) )*(?:(?P<more>{_MORE})|(?P<less>{_LESS}))\b"
    r"(?! (?:part|number|cit))"
)
_CLAUSE = re.compile(r",? (?:and|while|but|whereas|so|since|because|therefore|thus|as)\b,? |[,:] ")


def wrong(text: str) -> bool:
    """Whether a reply says something of its own years, ages or amounts that they do not bear
    out."""
    text = spelling.plain(text).replace("**", "")
    if len(text) > _MAX or not re.search(r"\d", text):
        return False
    sentences = [one for one in _SENTENCE.split(text) if one.strip()]
    if any(_compares_wrong(one) for one in sentences) or _sizes_wrong(sentences):
        return True
    if _ANCIENT.search(text):
        return False
    return _ages_wrong(text) or any(_years_wrong(one) for one in sentences)


def _amount(said: str) -> float:
    return float(said.replace(",", ""))


def _counted(said: str) -> int:
    """What digits, or words below a hundred, say."""
    parts = (NUMBER_WORDS.get(part) or 0 for part in said.lower().split("-"))
    return int(said) if said.isdecimal() else int(sum(parts))


def _compares_wrong(sentence: str) -> bool:
    """Whether two numbers are said to stand in an order in which they do not."""
    low = sentence.lower()
    for found in (*_COMPARES.finditer(low), *_SIGNED.finditer(low)):
        if _SUPPOSED.search(low[: found.end()]) or _DENIED.match(low, found.end("other")):
            continue
        told = found.groupdict()
        more = bool(told.get("more") or told.get("above") or told.get("sign") == ">")
        one, other = _amount(found["one"]), _amount(found["other"])
        if not (one > other if more else one < other):
            return True
    return False


def _years_wrong(sentence: str) -> bool:
    """Whether two years of a sentence are further apart, or nearer, than it says, or the other way
    round."""
    years = [int(found["year"]) for found in _YEARS.finditer(sentence)]
    if len(years) < 2:
        return False
    gaps = {abs(one - other) for one, other in combinations(years, 2)}
    for found in _SPAN.finditer(sentence):
        said = (found["n"] or "").lower()
        whole = 0.5 if said == "half a" else 1 if said in ("a", "an", "a full") else _counted(said)
        told = whole * _UNITS[found["unit"].lower()]
        exact = found["unit"].lower() == "year" and not found["about"]
        slack = 1 if exact else max(2, (0.5 if found["about"] else 0.35) * told)
        if told and min(abs(gap - told) for gap in gaps) > slack:
            return True
    if len(years) != 2:
        return False
    places = [found.span() for found in _YEARS.finditer(sentence)]
    between = sentence[places[0][1] : places[1][0]].lower()
    if _LONG_AFTER.search(between):
        return years[0] < years[1]
    return _BEFORE.search(between) is not None and years[0] > years[1]


def _ages_wrong(text: str) -> bool:
    """Whether somebody who alone is said to be born in a year has another age than follows in a
    sentence with one other year."""
    born = {int(found["year"]) for found in _BORN.finditer(text)}
    for sentence in _SENTENCE.split(text) if len(born) == 1 else ():
        years = {int(found["year"]) for found in _YEARS.finditer(sentence)} - born
        for found in _AGE.finditer(sentence) if len(years) == 1 else ():
            gap, age = min(years) - min(born), _counted(found["age"])
            exact = (found["about"] or "just").strip() in ("only", "just", "already")
            slack = 0 if exact else 2
            if gap > 0 and not gap - 1 - slack <= age <= gap + slack:
                return True
    return False


def _sizes_wrong(sentences: list[str]) -> bool:
    """Whether the one of two things is called the larger that by its number is the smaller."""
    sizes: dict[str, tuple[float, str]] = {}
    for name, size, unit in _sizes(sentences):
        sizes.setdefault(name, (size, unit))
    if len(sizes) != 2 or len({unit for _, unit in sizes.values()}) != 1:
        return False
    (one, (first, _)), (other, (second, _)) = sizes.items()
    for sentence in sentences:
        for clause in _CLAUSE.split(sentence.lower()):
            found = _IS_MORE.search(clause)
            if found is None or re.search(r"\bnot\b|n't\b|\bif\b|\bthan \d", clause):
                continue
            named = _key(found["name"])
            if (first == second) or named not in (one, other):
                continue
            than = re.match(r" than ([^,;.]+)", clause[found.end() :])
            if than and {one, other}.isdisjoint(map(_key, than[1].split())):
                continue
            larger = one if first > second else other
            if (named == larger) != bool(found["more"]):
                return True
    return False


def _sizes(sentences: list[str]) -> Iterator[tuple[str, float, str]]:
    """What is said to be how large: (the last word of its name, the number, its unit)."""
    for sentence in sentences:
        for clause in re.split(r",? (?:and|while|but|whereas|so)\b,? |[:] ", sentence):
            if (found := _HAS.match(clause.lower())) and (name := _key(found["name"])):
                yield name, _amount(found["n"]), found["unit"].split()[0].rstrip("s")


def _key(name: str) -> str:
    """What stands for a name: its last word."""
    words = re.findall(r"[^\W\d_]+", name)
    return words[-1].removesuffix("s") if words else ""
