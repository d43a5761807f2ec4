"""What sentences say of a logic grid, as relations between values and houses.

A sentence is read only whole: it has one of the forms below, and each phrase in it is one that its
attribute is known to have (:mod:`agentflow.domains.zebra.wordings`). What cannot be read says
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from agentflow.domains import spelling
from agentflow.domains.spelling import NUMBERS, number, odd, word_set
from agentflow.domains.zebra.puzzle import Cell, Puzzle, plain, stem, tokens

_MAX_SENTENCE, _MAX_PHRASE = 300, 16

ORDINALS = ["zeroth", *spelling.ORDINALS[:10]]
"""Each at its number."""
_SIGNS = re.compile(r"(?:[^\W_]|[ ']|(?<=\w)-(?=\w))*")
"""The signs of a sentence that can be read."""
OF_CLUES = word_set("""
    a an and anywhere are at between both but by different directly does drinker drinks each either
    enjoys exactly favorite fifth first five four fourth from has have house houses if immediately
    in is it keeps least leftmost likes lives lover loves most named neither next nor not of one
    only or other owns people person prefers rightmost second seventh six sixth smoker smokes
    somewhere than that the their then there they third three to two unless uses who whose with
""")
"""Words of a clue, besides those of its values."""
_SIDES = re.compile(r"\b(?:left|right) of\b|\bfrom the (?:left|right)\b")

_HOUSE = (
    r"(?:in|at) (?:the )?(?:house (?:number |no\.? |# ?)?(?P<number>\d+)"
    rf"|(?:(?P<ordinal>{'|'.join(ORDINALS)})|(?P<digits>\d+)(?:st|nd|rd|th)|(?P<end>left|right)most)"
    r" (?:house|position))"
)
_AT = re.compile(rf" (?:lives|is (?P<no>not )?(?:living |located )?) ?{_HOUSE}$")
_BETWEEN = re.compile(
    rf"there (?:is|are) (?:exactly )?(?P<count>{'|'.join(NUMBERS)}|\d+) houses? between "
)
_PAIRED = re.compile(
    r" are (?P<no>not )?(?:next to each other|adjacent(?: to each other)?|neighbou?rs)$"
)
_SIDE = re.compile(
    r" is (?P<no>not )?(?P<how>directly|immediately|somewhere|anywhere) (?:to the )?"
    r"(?P<side>left|right) of "
)
_BESIDE = re.compile(r" is (?P<no>not )?(?:directly |immediately )?(?:next|adjacent) to ")
_SAME = re.compile(r" is (?P<no>not )?")
_AND = re.compile(" and ")

_OF_HOUSE = re.compile(r"house ?#? ?(?P<number>\d{1,3})(?: ?[:=-]| has| is) ?(?P<items>.+)", re.I)
_ITEM = re.compile(
    r"(?:(?P<key>[^=:≠!]+?) ?(?P<sign>=|:|≠|!=| is not\b| is\b))?(?P<value>[^=:≠!]+)", re.I
)
_KEYED = re.compile(r"[=:≠]| is ")
_NOT = re.compile(r"not (?P<value>.+)", re.I)


@dataclass(frozen=True, slots=True)
class Relation:
    """A statement about the house of one value, or about how far apart those of two are.

    Attributes:
        one: A value.
        other: Another one; None if the relation is about houses.
        allowed: The numbers that the house of ``one`` may have; with ``other``, what its number
            may be more than that of ``one``.
    """

    one: Cell
    other: Cell | None
    allowed: frozenset[int]

    def holds(self, house: Mapping[Cell, int]) -> bool:
        """Whether it does where the values stand in the given houses."""
        place = house[self.one]
        return (place if self.other is None else house[self.other] - place) in self.allowed


def cell(puzzle: Puzzle, phrase: str) -> Cell | None:
    """The one value that a phrase names (``the person who loves tea``).

    People are called by their name alone, whatever else is written so.
    """
    said = tokens(phrase)
    if not 0 < len(said) <= _MAX_PHRASE:
        return None
    bare, found = list[Cell](), set[Cell]()
    for start, end, cells in _values(puzzle, said):
        around = " ".join((*said[:start], "#", *said[end:]))
        if around == "#":
            bare = cells
        found |= {one for one in cells if puzzle.kinds[one[0]].phrase.fullmatch(around)}
    if named := [one for one in bare if one[0] == puzzle.name]:
        return named[0]
    if not found and len(bare) == 1:
        return bare[0]
    return found.pop() if len(found) == 1 else None


def _values(puzzle: Puzzle, said: tuple[str, ...]) -> Iterator[tuple[int, int, list[Cell]]]:
    """Where values stand among words: from which to before which."""
    for start in range(len(said)):
        key = ""
        for end in range(start, len(said)):
            if said[end][0] != "'":
                key += stem(said[end])
                # A genitive's ending belongs to what stands behind it.
                if key in puzzle.called and said[start][0] != "'":
                    cells = puzzle.called[key]
                    here = said[start : end + 1]
                    yield start, end + 1, [one for one in cells if puzzle.fits(one, here)]


def constrains(puzzle: Puzzle, clue: str) -> bool:
    """Whether a clue that cannot be read is about values and houses all the same.

    Such a clue may rule arrangements out, but it cannot change what the other clues mean, as
    ``exactly one clue is false`` does. Every word of it is a value's, or one of a few others.
    """
    said = plain(clue).lower().rstrip(" .!").replace(",", "")
    if not _SIGNS.fullmatch(said):
        return False
    words = tokens(_SIDES.sub("of", said))
    spans = [(start, end) for start, end, cells in _values(puzzle, words) if cells]
    named = {place for start, end in spans for place in range(start, end)}
    rest = {word for place, word in enumerate(words) if place not in named}
    return bool(named) and rest <= OF_CLUES


def sentence(puzzle: Puzzle, text: str) -> Relation | None:
    """What one sentence says, if it can be read, and in one way only."""
    said = re.sub(r"[.!]$", "", plain(text).lower())
    said = said.replace("isn't", "is not").replace("aren't", "are not")
    if len(said) > _MAX_SENTENCE or odd(text) or not _SIGNS.fullmatch(said):
        return None
    found = set(_readings(puzzle, said))
    return found.pop() if len(found) == 1 else None


def _readings(puzzle: Puzzle, said: str) -> Iterator[Relation]:
    if at := _AT.search(said):
        one = cell(puzzle, said[: at.start()])
        if one is not None:
            yield Relation(one, None, _houses(puzzle, at))
        return
    if between := _BETWEEN.match(said):
        count = between["count"]
        apart = 1 + number(count if count in NUMBERS else count[:4])
        yield from _split(puzzle, said[between.end() :], _AND, {apart, -apart})
    elif paired := _PAIRED.search(said):
        yield from _split(puzzle, said[: paired.start()], _AND, {1, -1}, no=bool(paired["no"]))
    elif found := _SIDE.search(said):
        far = {1} if found["how"][-2:] == "ly" else set(range(1, puzzle.houses))
        allowed = far if found["side"] == "left" else {-steps for steps in far}
        yield from _split(puzzle, said, _SIDE, allowed)
    elif _BESIDE.search(said):
        yield from _split(puzzle, said, _BESIDE, {1, -1})
    else:
        yield from _split(puzzle, said, _SAME, {0})


def _split(
    puzzle: Puzzle, said: str, sign: re.Pattern[str], allowed: set[int], *, no: bool = False
) -> Iterator[Relation]:
    """A relation for each place of ``sign`` where a value is named on both sides of it."""
    everything = range(1 - puzzle.houses, puzzle.houses)
    for found in sign.finditer(said):
        one, other = cell(puzzle, said[: found.start()]), cell(puzzle, said[found.end() :])
        if one is None or other is None or one == other:
            continue
        turned = no or bool(found.groupdict().get("no"))
        chosen = {steps for steps in everything if (steps in allowed) != turned}
        if one > other:
            one, other, chosen = other, one, {-steps for steps in chosen}
        yield Relation(one, other, frozenset(chosen))


def _houses(puzzle: Puzzle, at: re.Match[str]) -> frozenset[int]:
    if at["ordinal"]:
        house = ORDINALS.index(at["ordinal"])
    elif at["end"]:
        house = 1 if at["end"] == "left" else puzzle.houses
    else:
        house = int((at["number"] or at["digits"])[:4])
    return _in_house(puzzle, house, no=bool(at["no"]))


def _in_house(puzzle: Puzzle, house: int, *, no: bool) -> frozenset[int]:
    everywhere = range(1, puzzle.houses + 1)
    return frozenset(one for one in everywhere if (one == house) != no)


def claims(puzzle: Puzzle, text: str) -> list[Relation] | None:
    """What a step claims: ``House 2: Name = Eric, not tea``, or sentences like the clues.

    Several sentences are separated by semicolons; ``Eric = tea`` is one, too. None if any part
    of it cannot be read.
    """
    said = plain(text)
    if len(said) > _MAX_SENTENCE or "?" in said or odd(text):
        return None
    if of_house := _OF_HOUSE.fullmatch(said.rstrip(" .")):
        house = int(of_house["number"])
        items = re.split("[,;|]", of_house["items"])
        parts = [_item(puzzle, house, item) for item in items]
        if _several(house, items, parts):
            return None
    else:
        spoken = re.sub(" ?= ?", " is ", re.sub(" ?(?:≠|!=) ?", " is not ", said))
        parts = [sentence(puzzle, part) for part in spoken.split(";")]
    read = [part for part in parts if part is not None]
    return read if read and len(read) == len(parts) else None


def _several(house: int, items: list[str], parts: list[Relation | None]) -> bool:
    """Whether a house is said to have two values of one attribute, or one behind a denied one.

    ``Name = Eric, Bob`` may mean that either is possible, and ``not Eric, Bob`` that neither is.
    """
    named: dict[int, bool] = {}
    for item, part in zip(items, parts, strict=True):
        if part is None:
            continue
        has, attribute = house in part.allowed, part.one[0]
        told = named.get(attribute)
        if has and (told or (told is False and not _KEYED.search(item))):
            return True
        named[attribute] = has or bool(told)
    return False


def _item(puzzle: Puzzle, house: int, item: str) -> Relation | None:
    """``Name = Eric``, ``Drink is not tea``, ``Eric``, ``not tea``: of one house."""
    found = _ITEM.fullmatch(item.strip())
    if found is None:
        return None
    attribute = puzzle.attribute(found["key"]) if found["key"] else None
    if found["key"] and attribute is None:
        return None
    no = (found["sign"] or "") in ("≠", "!=") or (found["sign"] or "").lower().endswith("not")
    value = found["value"].strip()
    if turned := _NOT.fullmatch(value):
        no, value = not no, turned["value"]
    one = puzzle.value(value, attribute)
    return None if one is None else Relation(one, None, _in_house(puzzle, house, no=no))
