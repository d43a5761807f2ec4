"""Logic grids: houses, attributes and clues, in the wording of ZebraLogic.

``Problem.text`` holds the puzzle alone or inside a longer prompt; the last one in it is read, and
the rest must say nothing that changes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

from agentflow.domains import spelling
from agentflow.domains.zebra.surroundings import harmless, stray, template
from agentflow.domains.zebra.wordings import NAME, Attribute, kind
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
    **{"dane": "danish", "paints": "painting"},
}
"""Words that ZebraLogic uses for the same thing."""

_COUNT = rf"{'|'.join(spelling.NUMBERS)}|\d{{1,4}}"
_HOUSES = re.compile(rf"(?i)\bthere are ({_COUNT}) houses\b(?! between)")
_FRAME = re.compile(
    rf"there are (?P<houses>{_COUNT}) houses(?: in a row)?"
    rf"(?:,? \(?numbered (?:from )?1 to (?P<to>{_COUNT})(?: from left to right)?\)?"
    rf"|,? \(numbered 1 on the left, (?P<last>{_COUNT}) on the right\))?"
    r"(?:,? (?:as seen from across the street"
    r"|from the perspective of someone standing across the street from them))?[.:,]?"
    r"(?: each (?:house )?(?:is occupied by|has) a different person(?: in (?:it|them))?[.:]?)?"
    r"(?: (?:each (?:house|person) has a unique attribute for each of the following characteristics"
    r"|they (?:all )?have (?:different|unique) characteristics)[.:]?)?",
    re.I,
)
"""All that may be said of the houses."""
_CLUES = re.compile(r"(?im)^[ \t#*_>-]*clues?(?: for the example(?: puzzle)?)?[ \t#*_:.]*\r?$")
_ATTRIBUTE = re.compile(r"\s*[-*•]\s+(?P<heading>[^:`]+?)\s*:\s*(?P<values>\S.*)")
_LISTED = re.compile(r"`[^`]+`(?:,? ?(?:(?:and|or) )?`[^`]+`)*[. ]*", re.I)
_CLUE = re.compile(r"\s*(?:\*\*)?(?P<number>\d{1,3})[.):](?:\*\*)?\s+(?P<text>\S.*)")
_TOKEN = re.compile(r"[^\W_]+|'s?(?!\w)|'(?=\w)")
_SPELLED = re.compile(r"(?:[\w' ,/]|(?<=\w)-(?=\w))+")
"""Values in which a sign says nothing: it stands between words."""
_MARKUP = re.compile(r"\*\*([^*]+)\*\*|`([^`]+)`|(?<![\w])__([^_]+)__(?![\w])")


def plain(text: str) -> str:
    """The text in one spelling: no markdown bold or code, plain digits, quotes and dashes."""
    bare = _MARKUP.sub(lambda found: found[1] or found[2] or found[3], spelling.plain(text))
    return " ".join(bare.split())


@lru_cache(maxsize=10_000)
def tokens(text: str) -> tuple[str, ...]:
    """The words of a phrase in lower case; a genitive's ending is one of its own."""
    return tuple(_TOKEN.findall(re.sub(r"n't\b", " not", plain(text).lower())))


@lru_cache(maxsize=10_000)
def spelled(text: str) -> str:
    """What a value is told by: its words without spaces, plurals' endings and genitives'.

    A sign that does not merely stand between words is kept, and so is all that is around it: what
    ``tea?``, ``~tea`` or ``tea (or milk)`` mean is not guessed.
    """
    bare = plain(text).lower().strip("\"'")
    if _SPELLED.fullmatch(bare) and re.search(r"[^\W_]", bare):
        return "".join(stem(word) for word in tokens(bare) if word[0] != "'")
    return "".join(bare.split())


def stem(word: str) -> str:
    """A word without the ending of a plural, and as :data:`_ALIKE` has it."""
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
        examples: The puzzles before it.
    """

    houses: int
    headings: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    clues: Mapping[int, str]
    text: str
    examples: tuple[Puzzle, ...] = ()

    @cached_property
    def kinds(self) -> list[Attribute]:
        """What each attribute is."""
        found = (kind(_told(heading)) for heading in self.headings)
        return [one for one in found if one is not None]

    @cached_property
    def called(self) -> dict[str, list[Cell]]:
        """Spelling without spaces -> the values written so."""
        found: dict[str, list[Cell]] = {}
        for attribute, values in enumerate(self.values):
            for number, value in enumerate(values):
                found.setdefault(spelled(value), []).append((attribute, number))
        return found

    @cached_property
    def name(self) -> int | None:
        """The attribute that is the people's own name."""
        return next((n for n, one in enumerate(self.kinds) if one is NAME), None)

    def attribute(self, key: str) -> int | None:
        """The attribute that a column, or a field of JSON, is called after (``BookGenre``)."""
        if not _SPELLED.fullmatch(plain(key)):
            return None
        said = "".join(word for word in tokens(key) if word[0] != "'")
        fitting = [n for n, one in enumerate(self.kinds) if one.column.fullmatch(said)]
        return fitting[0] if len(fitting) == 1 else None

    def value(self, text: str, attribute: int | None = None) -> Cell | None:
        """The value that is the whole of ``text``: of the attribute, else of the only one."""
        cells = [] if spelling.odd(text) else self.called.get(spelled(text), [])
        said = tokens(text)
        fitting = [cell for cell in cells if attribute in (None, cell[0]) and self.fits(cell, said)]
        return fitting[0] if len(fitting) == 1 else None

    def fits(self, cell: Cell, said: tuple[str, ...]) -> bool:
        """Whether words that are spelled like a value are it: a name has to be so to the letter."""
        proper = self.kinds[cell[0]].proper
        return not proper or "".join(said) == "".join(tokens(self.written(cell)))

    def written(self, cell: Cell) -> str:
        return self.values[cell[0]][cell[1]]


@lru_cache(maxsize=256)
def parse(text: str) -> Puzzle:
    """The last puzzle in ``text``; those before it are examples.

    Raises:
        BadInput: If there is none, if its attributes do not fit its houses, or if anything in the
            text was not understood.
    """
    if len(text) > MAX_TEXT:
        raise BadInput(f"zebra: the problem has more than {MAX_TEXT:,} characters")
    if spelling.odd(text):
        raise BadInput("zebra: the problem has digits that are no plain ones, like '²'")
    starts = [found.start() for found in _HOUSES.finditer(text)]
    if not starts:
        raise BadInput(f"zebra: no 'There are N houses' in the problem; example:\n{EXAMPLE}")
    parts = [text[a:b] for a, b in pairwise([*starts, len(text)])]
    for line in stray(text[: starts[0]]):
        raise _unread(line)
    examples = []
    for part in parts[:-1]:
        example, behind = _puzzle(part)
        examples.append(example)
        for line in stray(behind):
            if line[:1] not in ("{", "["):  # its solution
                raise _unread(line)
    puzzle, behind = _puzzle(parts[-1])
    for line in stray(behind):
        if not template(line, lambda key: puzzle.attribute(key) is not None):
            raise _unread(line)
    return replace(puzzle, examples=tuple(examples))


def _unread(line: str) -> BadInput:
    return BadInput(f"zebra: could not read {line.strip()[:80]!r}")


def _puzzle(text: str) -> tuple[Puzzle, str]:
    """A puzzle that a text begins with, and what stands behind its clues."""
    heading = _CLUES.search(text)
    if heading is None:
        raise BadInput(f"zebra: no heading 'Clues:' in the problem; example:\n{EXAMPLE}")
    above, frame = text[: heading.start()], []
    attributes: dict[str, tuple[str, ...]] = {}
    lines = above.splitlines()
    houses = _houses(next(iter(lines)))
    for line in lines:
        if (found := _ATTRIBUTE.fullmatch(line)) is None:
            frame.append(line)
            continue
        said, values = _attribute(found, line, houses)
        if said in attributes:
            raise BadInput(f"zebra: the attribute {said!r} is given twice")
        attributes[said] = values
    if not 1 <= len(attributes) <= MAX_ATTRIBUTES:
        why = f"{len(attributes)} attributes; there must be 1 to {MAX_ATTRIBUTES}"
        raise BadInput(f"zebra: {why}, each on a line '- what it is: `value`, `value`'")
    told = _FRAME.fullmatch(plain(" ".join(frame)))
    if told is None or any(
        spelling.number(told[name].lower()) != houses for name in ("to", "last") if told[name]
    ):
        raise _unread(plain(" ".join(frame)))
    clues, end = _clues(text, heading.end())
    listed = tuple(attributes.values())
    return Puzzle(houses, tuple(attributes), listed, clues, text[:end].strip()), text[end:]


def _houses(line: str) -> int:
    said = _HOUSES.match(line)
    houses = spelling.number(said[1].lower()) if said else 0
    if not 2 <= houses <= MAX_HOUSES:
        raise BadInput(f"zebra: {houses} houses; there must be 2 to {MAX_HOUSES}")
    return houses


def _clues(text: str, start: int) -> tuple[dict[int, str], int]:
    """The numbered lines from ``start``, and where they end: before the first other one."""
    clues: dict[int, str] = {}
    end = place = start
    for line in text[start:].splitlines(keepends=True):
        place += len(line)
        if not line.strip():
            continue
        if (clue := _CLUE.fullmatch(line.strip())) is None:
            if not clues or not (harmless(line) or line.lstrip()[:1] in ("{", "[")):
                raise BadInput(f"zebra: {line.strip()[:60]!r} is no numbered clue, like '1. ...'")
            break
        if (number := int(clue["number"])) in clues:
            raise BadInput(f"zebra: there are two clues {number}")
        clues[number] = plain(clue["text"])
        end = place
    if not 1 <= len(clues) <= MAX_CLUES:
        raise BadInput(f"zebra: {len(clues)} clues; there must be 1 to {MAX_CLUES}")
    return clues, end


def _told(heading: str) -> str:
    return " ".join(tokens(heading))


def _attribute(found: re.Match[str], line: str, houses: int) -> tuple[str, tuple[str, ...]]:
    heading, listed = plain(found["heading"]), found["values"].strip()
    if kind(_told(heading)) is None or not re.fullmatch(r"[\w' -]+", heading):
        raise _unread(heading)
    if "`" in listed:
        values = re.findall(r"`([^`]+)`", listed) if _LISTED.fullmatch(listed) else []
    else:
        values = re.split(r"(?i)\s*,\s*(?:or\s+|and\s+)?", listed)
    values = [plain(value).strip(" .") for value in values]
    if len(values) != houses:
        raise BadInput(f"zebra: {houses} houses, but {len(values)} values: {line.strip()!r}")
    if len({spelled(value) for value in values if re.search(r"[^\W_]", value)}) != houses:
        raise BadInput(f"zebra: a value is empty or given twice: {line.strip()!r}")
    return heading, tuple(values)
