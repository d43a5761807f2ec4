"""What leads up to a grid, or gives the reasons for it: deductions in the grid's own words.

Those are the words of its values and columns. A sentence that names some of them, and has else only
words of clues and deductions, says nothing of the grid as such. One that names none, or speaks of
the grid, may deny it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from agentflow.domains import answers, narration
from agentflow.domains.spelling import word_set
from agentflow.domains.zebra.claims import OF_CLUES, ORDINALS
from agentflow.domains.zebra.puzzle import plain, stem
from agentflow.domains.zebra.surroundings import OF_ANSWERS, beside

MAX = 6_000
"""Longer leads and reasons are not read."""

_OF_DEDUCTIONS = word_set("""
    according already also anyone assigned assignment because birthday bouquet clue color
    combination conclude condition confirm constraint determine drink each eat enjoy establish
    everyone everything favorite genre gets goes he her him his however implies indicates keep
    know known leave leaving left level like liked live living love loved loving match mean
    model month mother must no occupied option order other own owned owner phone place play
    possibility prefer put remain remaining residing right same satisfies say she since smoke
    spot state still style taken them type unique use used vacation which
""")
"""No word that turns a grid round, takes it back, or makes it depend on something."""
_CONDITIONS = frozenset(("if", "unless"))
_WORDS = {stem(word) for word in (OF_ANSWERS | OF_CLUES | _OF_DEDUCTIONS) - _CONDITIONS}
_SUBJECTS = frozenset(("clue", "condition", "constraint", "house"))
_NAMED = word_set("answer arrangement grid result solution table")
_GRIDS = _NAMED | {
    stem(word) for word in ("above", "all", "below", "following", "here", "it", "these", "this")
}
_DENY = word_set("""
    anywhere but cannot different either neither no nor not or other right than
""")
"""Words of clues that in a sentence about the grid may deny it."""
_COMMON = OF_CLUES | OF_ANSWERS | word_set("very super half dark light big small hot cold high low")
_END = re.compile(r"(?<=[.!?;])(?:\s|\\n)+|\\n|\n")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_BUNCH = re.compile(r"(\w+) arrangement\b")
"""``a carnations arrangement`` is one of flowers."""
_ORDINAL = rf"(?:(?:{'|'.join(ORDINALS)})|\d{{1,3}}(?:st|nd|rd|th))"
_HOUSE = (
    rf"house ?(?:number |no\.? |# ?)?\d{{1,3}}|{_ORDINAL} (?:house|position|one)"
    rf"|(?<=in the ){_ORDINAL}(?! \w)"
)
_VERB = re.compile(
    r"\b(?:is|are|drinks?|eats?|enjoys?|has|have|keeps?|likes?|loves?|owns?|prefers?|smokes?|with"
    r"|gets?|takes?|wants?|must)\b|^[\W]*(?::|=|→|->)"
)
"""What puts two values together that stand on both sides of it."""
_LEFT_RIGHT = re.compile(r"(?P<how>\w+ )?(?:to the )?(?P<side>left|right) of")
_BESIDE = re.compile(r"next to|adjacent|neighbou?r|beside")
_EXCLAIMS = re.compile(r"\W*(?:[A-Z]+ ?){1,5}\W*|\W*(?:[A-Za-z']+ ?){1,4}!\W*")
"""A line of a few words that stands for itself: ``Wrong!``, ``DO NOT SUBMIT``"""
_MIDDLE = re.compile(r"[^,;]* (?:is|lives|sits|stands)(?: not)?(?: \w+)? between (?:the |an? )?")
_OTHERWISE = re.compile(r"\b(?:apart|away|between|without|except|than|instead|unlike|both|each)\b")
_ORDER = re.compile(r"\border\b|\bleft to right\b|\bfrom (?:the )?left\b")
_DENIED = re.compile(r"\b(?:not|never)\b|n't\b|!=|≠")
_SO = re.compile(
    r"(?:(?:so|thus|hence|therefore|then|and|finally|now|because|since|as|which means(?: that)?"
    r"|clue \d{1,2} (?:says|means|tells us|implies)(?: that)?)\b[ ,:]*)*"
)
_CLAUSE = re.compile(r",\s+|,? (?=(?:so|thus|hence|therefore|then|which means) )")
_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
_ARTICLE = re.compile(r"^(?:an?|the) ")
_ONLY_MAY = re.compile(
    r"\b(?:if|unless|would|were|could|can|may|might|either|or|try|suppose|whether)\b"
)
_REFUTES = re.compile(
    r"\b(?:contradict|violat|conflict|impossib|fail|wrong|cannot|can't|not hold|but|however)"
)
_OF_ALL = re.compile(
    r"(?:all|both|each|every|everyone|everybody|everything|no|none|nobody|nothing|neither)\b"
)
_COUNTS = re.compile(
    rf"{_OF_ALL.pattern}|\b(?:alone|together|several|two|three|four|five|six|many|twice)\b"
)
"""What says how many a sentence is about; what stands in a grid is one value of one house."""
_ONE_OF_EACH = re.compile(
    r"\b(?:different|distinct|unique|exactly|one of|else|clues?|conditions?|constraints?|between"
    r"|apart)\b"
    r"|\bno (?:other|more|further)\b|\b(?:two|three|four|five|six) houses\b"
)
_SIGNS = re.compile(r"[A-Za-z0-9_\s.,:;'\"()\[\]*`=≠#/&?\\-]*")


def words(text: str) -> set[str]:
    """The words of a text in small letters, without plurals' endings; ``BookGenre`` is two."""
    said = re.sub(r"n't\b", " not", plain(text))
    return {stem(word.lower()) for word in _WORD.findall(said)}


def lead_up(text: str, cells: Iterable[list[str]]) -> bool:
    """Whether a paragraph above a grid, or the reasons beside it, say nothing against it.

    The last sentence must be understood, and so must any other that names nothing of the puzzle or
    that speaks of the grid.

    Args:
        cells: The column and the text of each cell.
    """
    if len(text) > MAX or not _SIGNS.fullmatch(plain(text)):
        return False
    own = words(" ".join(part for cell in cells for part in cell))
    text = _BUNCH.sub(lambda found: found[1] if words(found[1]) <= own else found[0], text)
    *before, last = list(_sentences(text)) or [""]
    return _understood(last, own) and all(
        _understood(one, own) or _of_the_puzzle(words(one), own) for one in before
    )


def houses(cells: Iterable[Sequence[Any]]) -> dict[str, set[int]]:
    """Where each text of a grid stands.

    Args:
        cells: The house, the column and the text of each cell.
    """
    found: dict[str, set[int]] = {}
    for house, _, text in cells:
        found.setdefault(_named(text), set()).add(house)
    return found


def at_odds(text: str, where: Mapping[str, set[int]]) -> bool:
    """Whether a text puts a value in another house than a grid does, or two values together that
    are apart there; what is only supposed or refuted does not count, nor what a later sentence puts
    right.

    Args:
        where: The :func:`houses` of the grid.
    """
    odd, under = dict[str, bool](), False
    text = _HYPHEN.sub("", plain(text).lower())
    for one, then in pairwise([*_sentences(text), ""]):
        under = answers.supposed(one, under)
        if under or _ONLY_MAY.search(_without(where, one)) or _REFUTES.search(f"{one} {then}"):
            continue
        odd |= _ordered(one, where) | _counted(one, where)
        clauses = _CLAUSE.split(one)
        if any(_named(clause) in where for clause in clauses):  # Ann, Bob and Cid are in ...
            clauses = [one]
        for clause in clauses:
            odd |= _placed(_SO.sub("", clause.strip(" .!*"), count=1), where)
            odd |= _between(clause, where)
    return any(odd.values())


def _items(text: str, where: Mapping[str, set[int]]) -> list[tuple[str | int, int, int]]:
    """The values of a grid that a text in small letters names, and the numbers of houses, with
    where each begins and ends."""
    called = {one: one for one in where if one} | _first_words(where)
    values = sorted(called, key=len, reverse=True)
    if not values:
        return []
    named = "|".join(rf"{re.escape(one)}(?=s?\b)" for one in values)
    found = list[tuple[str | int, int, int]]()
    for one in re.finditer(rf"\b(?:(?P<house>{_HOUSE})|(?P<value>{named}))", text):
        if one["house"]:
            words = one["house"].split()
            number = re.search(r"\d+", one["house"])
            found.append((int(number[0]) if number else ORDINALS.index(words[0]), *one.span()))
        else:
            found.append((called[one["value"]], *one.span()))
    return found


def _first_words(where: Mapping[str, set[int]]) -> dict[str, str]:
    """The first words of values of several (``bmw 3 series``), as far as no other value has them
    and they are no words of a clue."""
    firsts = [one.split()[0] for one in where if one]
    others = {word for one in where for word in one.split()[1:]} | _COMMON
    return {
        one.split()[0]: one
        for one in where
        if " " in one and firsts.count(one.split()[0]) == 1 and one.split()[0] not in others
    }


def _without(where: Mapping[str, set[int]], sentence: str) -> str:
    """A sentence without the values of a grid, which may be words of others: a month."""
    for _, begin, end in reversed(_items(sentence, where)):
        sentence = f"{sentence[:begin]} {sentence[end:]}"
    return sentence


def _between(clause: str, where: Mapping[str, set[int]]) -> dict[str, bool]:
    """Whether a value that is said to stand between two others does not: ``Bob is between Al and
    Eric``."""
    told = _items(clause, where)
    if len(told) != 3 or any(not isinstance(one, str) for one, *_ in told):
        return {}
    if not _MIDDLE.fullmatch(clause[told[0][2] : told[1][1]]):
        return {}
    middle, one, other = (where[str(value)] for value, *_ in told)
    stands = any(min(a, b) < m < max(a, b) for m in middle for a in one for b in other)
    denied = _DENIED.search(clause) is not None
    return {f"{told[0][0]} between": stands == denied}


def _ordered(sentence: str, where: Mapping[str, set[int]]) -> dict[str, bool]:
    """The same of a sentence that lists values from left to right."""
    told = [one for one, *_ in _items(sentence, where)]
    row = [one for one in told if isinstance(one, str)]
    houses = {house for standing in where.values() for house in standing}
    if (
        not _ORDER.search(sentence)
        or "(" in sentence
        or len(row) != len(told)
        or len(row) != len(houses) > 1
    ):
        return {}
    return {one: place not in where[one] for place, one in enumerate(row, 1)}


def _counted(sentence: str, where: Mapping[str, set[int]]) -> dict[str, bool]:
    """The same of a sentence that begins with a value, or with all, and says how many it is about:
    ``Peter is next to no one``, ``Everyone drinks milk``."""
    said = _SO.sub("", sentence.strip(" \t#>*_•+-"), count=1)
    told = [begin for one, begin, _ in _items(said, where) if isinstance(one, str)]
    begins = _OF_ALL.match(said) if told and told[0] else told
    counts = begins and _COUNTS.search(said) and not _ONE_OF_EACH.search(said)
    return {sentence: True} if counts else {}


def _placed(clause: str, where: Mapping[str, set[int]]) -> dict[str, bool]:
    """What a clause in small letters says of the values of a grid, with whether that is at odds
    with it."""
    told = _items(clause, where)
    values = [one for one, *_ in told if isinstance(one, str)]
    denied = _DENIED.search(clause) is not None
    if len(told) < 2 or _OTHERWISE.search(clause):
        return {}
    between = clause[told[0][2] : told[1][1]]
    side, beside_ = _LEFT_RIGHT.search(between), _BESIDE.search(clause)
    if len(told) == len(values) == 2:
        one, other = (where[value] for value in values)
        key = " and ".join(sorted(values))
        if side or beside_:
            far = {there - here for here in one for there in other}
            return {f"{key} beside": far.isdisjoint(_apart(side)) != denied}
        linked = _VERB.search(between) and " and " not in between
        return {f"{key} with": one.isdisjoint(other) != denied} if linked else {}
    pairs = list(zip(told[::2], told[1::2], strict=False))
    mixed = all(isinstance(one[0], str) != isinstance(other[0], str) for one, other in pairs)
    if side or beside_ or len(told) % 2 or not mixed or (denied and len(pairs) > 1):
        return {}
    odd = dict[str, bool]()
    for (first, *_), (second, *_) in pairs:
        value, house = (first, second) if isinstance(first, str) else (second, first)
        odd[str(value)] = (house not in where[str(value)]) != denied
    return odd


def _apart(side: re.Match[str] | None) -> set[int]:
    """By how many houses the second of two values stands behind the first."""
    if side is None:
        return {1, -1}
    steps = {1} if side["how"] in ("directly ", "immediately ") else set(range(1, 100))
    return steps if side["side"] == "left" else {-one for one in steps}


def _named(text: str) -> str:
    """How a value is written in a sentence."""
    plainly = _HYPHEN.sub("", plain(text).lower().replace("_", " ")).strip("->→= ")
    return _ARTICLE.sub("", " ".join(plainly.split()))


def ends(line: str) -> bool:
    """Whether a line ends a sentence, or is a step: the next one does not go on with it."""
    return line.rstrip(" \t\r\n*_`)\"'").endswith(".") or answers.step(line) is not None


def exclaims(line: str) -> bool:
    """Whether a line stands for itself, and may be about the answer below."""
    stands = _EXCLAIMS.fullmatch(line) is not None
    return stands and not (beside(line) or narration.only(line, ("ready",)))


def closed(line: str, then: str, *, apart: bool) -> bool:
    """Whether a line leads to nothing, and the one below, which announces, does not go on with it.

    Args:
        apart: Whether an empty line stands between them.
    """
    if ends(line):
        return True
    if exclaims(line):
        return False
    goes_on = then.lstrip(" \t#*_>•+-")[:1].islower()
    return apart and not goes_on and line.rstrip(" *_`")[-1:] not in (":", ",", ";", "-")


def _sentences(text: str) -> Iterator[str]:
    return (one for one in _END.split(text) if _WORD.search(one))


def _of_the_puzzle(said: set[str], own: set[str]) -> bool:
    return not said.isdisjoint(own | _SUBJECTS) and said.isdisjoint(_NAMED)


def _understood(sentence: str, own: set[str]) -> bool:
    said = words(answers.step(sentence) or sentence)
    if "?" in sentence:
        return False
    if said.isdisjoint(own - _SUBJECTS):
        return beside(sentence)
    numbers = {word for word in said if word.isdecimal()}
    if not said - own - numbers <= _WORDS:
        return False
    return said.isdisjoint(_GRIDS) or said.isdisjoint(_DENY - own)
