"""Logic grids: houses, attributes and clues, in the wording of ZebraLogic.

``Problem.text`` holds the puzzle alone or inside a longer prompt; the last one in it is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from agentflow.domains import spelling
from agentflow.errors import BadInput

MAX_TEXT, MAX_HOUSES, MAX_ATTRIBUTES, MAX_CLUES = 50_000, 10, 12, 200

EXAMPLE = """\
There are 3 houses, numbered 1 to 3 from left to right.
 - Each person has a unique name: `Peter`, `Eric`, `Arnold`
 - Each person has a unique favorite drink: `tea`, `water`, `milk`

## Clues:
1. Peter is in the second house.
2. Arnold is directly left of the one who only drinks water.
3. The one who only drinks water is directly left of the person who likes milk."""

Cell = tuple[int, int]
"""A value: the number of its attribute, and its own among the values of the attribute."""

_ALIKE = {
    **{"jan": "january", "feb": "february", "mar": "march", "apr": "april", "jun": "june"},
    **{"jul": "july", "aug": "august", "sep": "september", "sept": "september", "oct": "october"},
    **{"nov": "november", "dec": "december", "brit": "british", "swede": "swedish"},
    **{"dane": "danish", "paints": "painting", "children": "child", "lunch": "food"},
    **{"job": "occupation", "profession": "occupation", "loves": "favorite", "likes": "favorite"},
}
"""Words that ZebraLogic uses for the same thing."""
_FILLING_WORDS = """
a accompanied all an and are by certain different each everyone favorite for has have in is
keep lives of own people person prefers something the their they type unique use
"""
_FILLERS = frozenset(_FILLING_WORDS.split())
"""Words of a heading that say nothing of what the attribute is."""
_MAY_STAND = ("", "favorite", "the", "thefavorite", "their", "person")
"""What may stand beside an attribute's own words in the name of a column."""

_COUNT = rf"{'|'.join(spelling.NUMBERS)}|\d{{1,4}}"
_HOUSES = re.compile(rf"(?i)\bthere are ({_COUNT}) houses\b(?! between)")
_CLUES = re.compile(r"(?im)^\W*clues?\W*$")
_END = re.compile(r"(?im)^\W*(?:instructions?|answer|solution|question|output)\b.*")
_ATTRIBUTE = re.compile(r"\s*[-*•]\s+(?P<heading>[^:`]+?)\s*:\s*(?P<values>\S.*)")
_CLUE = re.compile(r"\s*(?:\*\*)?(?P<number>\d{1,3})[.):](?:\*\*)?\s+(?P<text>\S.*)")
_WORD = re.compile(r"[^\W_]+")
_MARKUP = re.compile(r"\*\*|`|(?<!_)__(?!_)")


def plain(text: str) -> str:
    """The text in one spelling: no markdown bold or code, plain digits, quotes and dashes."""
    return " ".join(_MARKUP.sub("", spelling.plain(text)).split())


@lru_cache(maxsize=10_000)
def words(text: str) -> tuple[str, ...]:
    """The words of a phrase, in lower case, without the endings of plurals and genitives."""
    text = re.sub(r"n't\b", " not", re.sub(r"'s?(?!\w)", "", plain(text).lower()))
    return tuple(map(_stem, _WORD.findall(text)))


def _stem(word: str) -> str:
    word = _ALIKE.get(word, word)
    if len(word) < 4 or not word.endswith("s"):
        return word
    word = word[:-3] + "y" if word.endswith("ies") else word[:-1]
    return _ALIKE.get(word, word)


@dataclass(frozen=True)
class Puzzle:
    """What a puzzle says besides its clues.

    Attributes:
        houses: How many there are; they are numbered from 1.
        headings: What each attribute is, as written (``Each person has a favorite color``).
        values: The values of each attribute, as many as there are houses, as written.
        clues: Number and text of each clue.
        text: The puzzle without what stands around it.
    """

    houses: int
    headings: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    clues: Mapping[int, str]
    text: str

    @cached_property
    def contents(self) -> list[frozenset[str]]:
        """The telling words of each heading."""
        found = []
        for heading in self.headings:
            telling = frozenset(words(heading)) - _FILLERS
            # "Each mother is accompanied by their child" is no attribute of mothers.
            found.append(telling - {"mother"} if "child" in telling else telling)
        return found

    @cached_property
    def called(self) -> dict[str, list[Cell]]:
        """Spelling without spaces -> the values written so."""
        found: dict[str, list[Cell]] = {}
        for attribute, values in enumerate(self.values):
            for number, value in enumerate(values):
                found.setdefault("".join(words(value)), []).append((attribute, number))
        return found

    @cached_property
    def name(self) -> int | None:
        """The attribute that is the people's own name."""
        return next((n for n, telling in enumerate(self.contents) if telling == {"name"}), None)

    def attribute(self, key: str) -> int | None:
        """The attribute that a column, or a field of JSON, is called after (``BookGenre``)."""
        said = "".join(words(key))
        fitting = []
        for number, telling in enumerate(self.contents):
            rest, used = said, 0
            for word in sorted(telling, key=len, reverse=True):
                used += word in rest
                rest = rest.replace(word, "")
            if used and rest in _MAY_STAND:
                fitting.append((len(telling) - used, number))
        fitting.sort()
        alone = len(fitting) == 1 or (len(fitting) > 1 and fitting[0][0] < fitting[1][0])
        return fitting[0][1] if alone else None

    def value(self, text: str, attribute: int | None = None) -> Cell | None:
        """The value that is the whole of ``text``: of the attribute, else of the only one."""
        cells = self.called.get("".join(words(text)), [])
        fitting = [cell for cell in cells if attribute in (None, cell[0])]
        return fitting[0] if len(fitting) == 1 else None

    def written(self, cell: Cell) -> str:
        return self.values[cell[0]][cell[1]]


@lru_cache(maxsize=256)
def parse(text: str) -> Puzzle:
    """The last puzzle in ``text``.

    Raises:
        BadInput: If there is none, or its attributes do not fit its houses.
    """
    if len(text) > MAX_TEXT:
        raise BadInput(f"zebra: the problem has more than {MAX_TEXT:,} characters")
    starts = list(_HOUSES.finditer(text))
    if not starts:
        raise BadInput(f"zebra: no 'There are N houses' in the problem; example:\n{EXAMPLE}")
    text = text[starts[-1].start() :]
    said = starts[-1][1].lower()
    houses = spelling.NUMBERS[said] if said in spelling.NUMBERS else int(said)
    if not 2 <= houses <= MAX_HOUSES:
        raise BadInput(f"zebra: {houses} houses; there must be 2 to {MAX_HOUSES}")
    heading = _CLUES.search(text)
    if heading is None:
        raise BadInput(f"zebra: no heading 'Clues:' in the problem; example:\n{EXAMPLE}")
    attributes = dict(_attributes(text[: heading.start()], houses))
    if not 1 <= len(attributes) <= MAX_ATTRIBUTES:
        why = f"{len(attributes)} attributes; there must be 1 to {MAX_ATTRIBUTES}"
        raise BadInput(f"zebra: {why}, each on a line '- what it is: `value`, `value`'")
    behind = _END.split(text[heading.end() :], maxsplit=1)[0]
    clues: dict[int, str] = {}
    for line in filter(str.strip, behind.splitlines()):
        if (clue := _CLUE.fullmatch(line)) is None:
            raise BadInput(f"zebra: {line.strip()[:60]!r} is no numbered clue, like '1. ...'")
        if (number := int(clue["number"])) in clues:
            raise BadInput(f"zebra: there are two clues {number}")
        clues[number] = plain(clue["text"])
    if not 1 <= len(clues) <= MAX_CLUES:
        raise BadInput(f"zebra: {len(clues)} clues; there must be 1 to {MAX_CLUES}")
    whole = (text[: heading.end()] + behind).strip()
    return Puzzle(houses, tuple(attributes), tuple(attributes.values()), clues, whole)


def _attributes(text: str, houses: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    seen: set[str] = set()
    for line in text.splitlines():
        found = _ATTRIBUTE.fullmatch(line)
        if found is None:
            continue
        heading, listed = plain(found["heading"]), found["values"]
        values = re.findall(r"`([^`]+)`", listed) or re.split(
            r"(?i)\s*,\s*(?:or\s+|and\s+)?", listed
        )
        values = [plain(value).strip(" .") for value in values]
        if heading in seen:
            raise BadInput(f"zebra: the attribute {heading!r} is given twice")
        if len(values) != houses:
            raise BadInput(f"zebra: {houses} houses, but {len(values)} values: {line.strip()!r}")
        if len({words(value) for value in values} - {()}) != houses:
            raise BadInput(f"zebra: a value is empty or given twice: {line.strip()!r}")
        seen.add(heading)
        yield heading, tuple(values)
