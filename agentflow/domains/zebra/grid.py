"""Filled-in grids as models write them: JSON, Markdown tables (either way round), and lines.

Reading is a fold over lines that knows no puzzle; :func:`fill` then gives the cells their meaning.
A line that is neither part of a grid nor harmless (see :mod:`agentflow.domains.zebra.surroundings`)
ends the grid: what it says of it is not known. What such a line says of the next grid, if no other
announces that one, is for :mod:`agentflow.domains.zebra.leads` to tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from agentflow.domains import answers, spelling
from agentflow.domains.zebra import leads
from agentflow.domains.zebra.puzzle import Cell, Puzzle, plain
from agentflow.domains.zebra.surroundings import announces, beside, promises, undecorated
from agentflow.trace import LINES

MAX_CELLS, MAX_LINE = 200, 4_000
_ABOVE = 6
"""Lines above a grid that may not be at odds with it."""

Written = list[Any]
"""``[house, column or "", text]``; plain JSON, since it stands in an extractor's memory."""

_ALWAYS = ("all", "most", "ended")
_KEPT = (*_ALWAYS, "cells", "tried", "lead", "apart", "reasons", "before", "open", "said")
"""What is remembered behind a line of something else: no list or table goes on, the grid may."""
ODDS = "\n\n(The text says otherwise of it.)"
"""What marks a grid that the text around it is at odds with: such a one is not right."""
_OF_GRID = re.compile(r"(?i)\s*$|.*[|\"{}]|\W*house ?\d{1,3}\W*:")
"""A line that is empty, or may be one of another grid."""
_BULLET = re.compile(r"^(?:[>*•+#-]+ ?)+")
_HOUSE = r"house ?(?:number|no\.?)? ?#? ?"
_SAYS_HOUSE = re.compile(rf"{_HOUSE}(\d{{1,3}})\b", re.I)
_HOUSE_LINE = re.compile(rf"{_HOUSE}(\d{{1,3}}) ?(?:[:=-]+ ?(?P<items>.*))?", re.I)
_NEXT_HOUSE = re.compile(rf"[;.,]? +(?={_HOUSE}\d{{1,3}} ?[:=])", re.I)
_TAG = r"</?(?:final[_ -]?)?(?:answer|solution|output|result)>"
_AROUND = re.compile(rf"(?i)^\s*{_TAG}|^\s*\d{{1,2}}[.)] (?=house)|{_TAG}\s*$")
"""A tag, or the number of an item, beside a house."""
_ITEMS = re.compile(
    r"[,;()]| - | (?:drinks|eats|enjoys|has|keeps|likes|loves|owns|prefers|smokes) (?:an? |the )?"
)
_HOUSE_COLUMN = re.compile(r"(?:houses?|position)(?:[ _]?(?:number|no\.?))?|#|no\.?|number", re.I)
_NUMBER = re.compile(r"(?:house[ _-]?)?#? ?(\d{1,3})", re.I)
_RULE = re.compile(r"[-:= ]*")
_PAIR = re.compile(r'"([^"]{1,60})" ?: ?(?:(\{)|"([^"]{0,80})"|(\d{1,9}))')
_FIELD = re.compile(r"([^=:|!≠]{1,60}?) ?(?:=|:| is ) ?([^=:|!≠]+)", re.I)
_BELOW = re.compile(r"([^=:|!≠]{1,60}?) ?[=:] ?([^=:|!≠]+)")
_SIGNS = re.compile("[=:|,;]")
_REASONS = re.compile(
    r'"(?:reasoning|explanation|thoughts?)" ?: ?"(?P<said>(?:[^"\\]|\\.)*)"', re.I
)
_OPENS = re.compile(r'"(?:solution|answer|houses)" ?: ?(?=[{\[]|$)', re.I)
_BY = r"[ \t,*_]{1,4}"
_ANSWER = re.compile(
    rf"(?im)^[ \t#*_>•+-]{{0,12}}(?P<said>(?:(?:so|thus|therefore|hence){_BY})?"
    rf"(?:here(?:{_BY}is|['’]s){_BY})?(?:(?:the|my){_BY})?(?:final{_BY})?"
    r"(?:answer|solution)\b(?:[ \t]+(?:is|grid|to the puzzle)\b)?[ \t]*(?:[:.*=]+|$))"
)
"""The beginning of a line that says that the answer follows."""
_GOES_ON = re.compile(r"[^\s.:!?*]\r?\n\Z")
"""The end of a line that the next one may go on with."""
_GOES_BELOW = re.compile(r":[\s*_`]*\Z")
_TAKES_BACK = re.compile(
    r"(?i)n['’]t\b|\b(?:wait|hmm|no|not|but|however|actually|instead|wrong|mistake\w*|incorrect\w*"
    r"|invalid|fail\w*|contradict\w*|violat\w*|conflict\w*|correct(?:ed|ion|ing)|revis\w*|again"
    r"|fix\w*|adjust\w*)\b"
)
"""A word by which the grid above may be given up."""
_EMPTY = re.compile(r"[\s_.-]*")
_BLANK = re.compile(r"[\s_.?-]*|unknown|none|null|tbd|n/?a", re.I)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a grid is no answer, whatever the clues say: the error kind and a sentence."""

    kind: str
    reason: str


def scan(line: str, memory: dict[str, Any]) -> dict[str, Any]:
    """The memory behind one more line.

    Args:
        memory: ``{}`` at the start. ``cells`` has what the grid at hand holds so far; a new one
            begins where a house is told a second time, and ``before`` has the last one. ``all`` has
            the cells of every grid, and ``most`` says how many the fullest has; ``lead`` is the
            last line that was neither part of a grid nor harmless, if none announced a grid since;
            ``said`` are the last such lines; ``ended`` is there where one stood behind a grid;
            ``reasons`` are those beside the grid in JSON; ``open`` is there where a line behind the
            grid says that the answer is yet to come.
    """
    line = undecorated(line)
    if len(line) > MAX_LINE and not _REASONS.match(line.strip()):
        return _stray(memory, line)
    said = _BULLET.sub("", plain(line))
    if "<" in said or "house" in said.lower():
        said = _AROUND.sub("", said).strip()
        if len(houses := _NEXT_HOUSE.split(said)) > 1 and all(map(_HOUSE_LINE.fullmatch, houses)):
            for house in houses:
                memory = scan(house, memory)
            return memory
    if spelling.odd(line) or "-->" in line:  # the end of a comment
        return _stray(memory, line)
    if said.count("|") >= 2:
        inner = said.removeprefix("|").removesuffix("|")
        return _row([cell.strip() for cell in inner.split("|")], memory)
    if '"' in said:
        return _pairs(said, memory)
    if found := _HOUSE_LINE.fullmatch(said):
        memory = _house(int(found[1]), memory) | {"listed": True}
        fields = [_field(item) for item in _ITEMS.split(found["items"] or "")]
        return _add([[memory["house"], *field] for field in fields], memory)
    if memory.get("listed") and (found := _BELOW.fullmatch(said)):  # "Name: Eric" below "House 1:"
        return _add([[memory["house"], found[1], found[2]]], memory)
    if not said.strip("{}[]() ,"):
        return memory if line.strip() or "lead" not in memory else memory | {"apart": True}
    if not beside(line):
        return _stray(memory, line)
    kept = {key: memory[key] for key in _KEPT if key in memory}
    if kept.get("cells") and promises(line):
        kept["open"] = True
    lead = kept.get("lead")
    if lead is not None and announces(line) and leads.closed(lead, line, apart="apart" in kept):
        del kept["lead"]
    return kept


def _stray(memory: dict[str, Any], line: str) -> dict[str, Any]:
    kept = {key: memory[key] for key in _ALWAYS if key in memory}
    kept |= {"ended": True} if memory.get("cells") else {}
    said = [*memory.get("said", ()), line.strip()[: leads.MAX + 1]]
    return kept | {"lead": said[-1], "said": said[-_ABOVE:]}


def _house(house: int, memory: dict[str, Any]) -> dict[str, Any]:
    """The memory where cells of a house begin: a grid of its own if it was told already."""
    if any(cell[0] == house for cell in memory.get("cells", ())):
        rest = {key: one for key, one in memory.items() if key not in ("cells", "tried")}
        memory = rest | {"before": memory["cells"]}
    return memory | {"house": house}


def _add(cells: Iterable[Written], memory: dict[str, Any]) -> dict[str, Any]:
    new = [
        [house, _SIGNS.sub(" ", column), _SIGNS.sub(" ", text)]
        for house, column, text in cells
        if not _EMPTY.fullmatch(text)
    ]
    found = [*memory.get("cells", ()), *new][:MAX_CELLS]
    every = [*memory.get("all", ()), *new][: MAX_CELLS + 1]
    most = max(memory.get("most", 0), len(found))
    memory = {key: kept for key, kept in memory.items() if key != "open"}
    return memory | {"cells": found, "all": every, "most": most}


def _field(item: str) -> tuple[str, str]:
    found = _FIELD.fullmatch(item.strip(" ."))
    return (found[1], found[2]) if found else ("", item.strip(" ."))


def _pairs(line: str, memory: dict[str, Any]) -> dict[str, Any]:
    """The fields of JSON on one line; only their order is needed, so it may be cut anywhere."""
    memory = {key: kept for key, kept in memory.items() if key not in ("columns", "listed")}
    if reasons := _REASONS.search(line):
        memory |= {"reasons": reasons["said"][: leads.MAX + 1]}
    fields = _OPENS.sub("", _REASONS.sub("", line))
    if _PAIR.sub("", fields).strip("{}[] ,"):
        return _stray(memory, line)
    for pair in _PAIR.finditer(fields):
        key, opens, text, number = pair.groups()
        told = _NUMBER.fullmatch(key) if opens else None
        if not opens and _HOUSE_COLUMN.fullmatch(key):
            told = _NUMBER.fullmatch(text or number or "")
        if told:
            memory = _house(int(told[1]), memory)
        elif opens or "house" not in memory:
            return _stray(memory, line)
        else:
            memory = _add([[memory["house"], key, text if number is None else number]], memory)
    return memory


def _row(row: list[str], memory: dict[str, Any]) -> dict[str, Any]:
    """A line of a table: its head, its rule, or values in the order of the head's columns."""
    columns = memory.get("columns")
    houses = [_SAYS_HOUSE.fullmatch(cell) for cell in row]
    if sum(map(bool, houses)) >= 2 or any(map(_HOUSE_COLUMN.fullmatch, row)):
        head: dict[str, Any] = {
            key: memory[key] for key in (*_ALWAYS, "lead", "apart", "said") if key in memory
        }
        head |= {"before": memory["cells"]} if memory.get("cells") else {}
        return head | {"columns": row, "turned": all(map(_NUMBER.fullmatch, row[1:]))}
    if all(map(_RULE.fullmatch, row)) and columns:
        return memory
    if not columns or len(row) != len(columns):
        return _stray(memory, "|")
    if memory.get("turned"):
        told = [_NUMBER.fullmatch(column) for column in columns]
        pairs = zip(told, row, strict=True)
        return _add([[int(house[1]), row[0], text] for house, text in pairs if house], memory)
    place = next((n for n, column in enumerate(columns) if _HOUSE_COLUMN.fullmatch(column)), 0)
    if (number := _NUMBER.fullmatch(row[place])) is None:
        return _stray(memory, "|")
    memory = _house(int(number[1]), memory) | {"columns": columns}
    cells = [[memory["house"], column, text] for column, text in zip(columns, row, strict=True)]
    return _add(cells[:place] + cells[place + 1 :], memory)


def whole(text: str) -> list[Written] | None:
    """The cells of the grid that a text consists of; None where anything else is said in it."""
    memory = _scanned(text)
    return None if _at_odds(memory) else _whole(memory)


def _whole(memory: dict[str, Any]) -> list[Written] | None:
    """The same of a memory, even where the reasons are at odds with the grid; None as well where
    other words ended a grid, even if another one was announced since."""
    cells: list[Written] = memory.get("all", [])
    plainly = "lead" not in memory and "ended" not in memory and _led_up(memory)
    return cells if 0 < len(cells) <= MAX_CELLS and plainly else None


def stated(text: str) -> str | None:
    """The grid that a text ends in, as lines: what stands behind the last line that begins with
    ``Answer`` where a grid is there, else the last one.

    Where more is said behind its beginning than a grid, all of that as it stands; None if there is
    no grid.
    """
    marks = [mark.span("said") for mark in _ANSWER.finditer(text)]
    marks = [one for one in marks if not _goes_on(text, one[0])]
    behind = text[marks[-1][1] :] if marks else ""
    if (found := _scanned(behind)).get("most"):
        cells = _whole(found)
        if cells is not None and _states_another(text, marks, cells):
            return text.strip()
        if cells is None:
            return behind.strip()
        above = [line for line in text[: marks[-1][0]].split("\n") if not _OF_GRID.match(line)]
        if above and leads.exclaims(above[-1]):
            return text.strip()
        leads_up = above and _GOES_BELOW.search(above[-1])
        if leads_up and not leads.lead_up(above[-1], [cell[1:] for cell in cells]):
            return text.strip()
        return _told(cells, found | {"cells": cells, "said": above[-_ABOVE:]})
    memory = _scanned(text)
    if not memory.get("most"):
        return None
    cells = memory.get("cells", [])
    another = sorted(memory.get("before", cells)) != sorted(cells)
    before = memory.get("before", [])
    whether = another and (len(before) >= len(cells) or _differ(before, cells))
    fine = len(cells) == memory["most"] and _led_up(memory) and not whether
    return _told(cells, memory) if fine else text.strip()


def _told(cells: list[Written], memory: dict[str, Any]) -> str:
    """A grid as lines, with :data:`ODDS` where what stands above is at odds with it."""
    return show(cells) + (ODDS if _at_odds(memory) else "")


def _states_another(text: str, marks: Sequence[tuple[int, int]], cells: list[Written]) -> bool:
    """Whether a text states another whole grid above its last mark, and does not take it back."""
    starts = [0, *(end for _, end in marks[:-1])]
    for start, (end, _) in zip(starts, marks, strict=True):
        found = _scanned(text[start:end])
        first = found.get("all", [])[: len(cells)]
        last = found.get("cells", [])
        only = 0 < len(last) <= len(cells)  # only harmless words stand behind it, if any
        if only and _differ(last, cells):
            return True
        marked = start > 0 and found.get("most", 0) >= len(cells)
        if marked and _differ(first, cells) and not _TAKES_BACK.search(text, start, end):
            return True
    return False


def _differ(one: list[Written], other: list[Written]) -> bool:
    """Whether a text of two grids stands in another house."""
    houses = leads.houses(one), leads.houses(other)
    return any(houses[0][text].isdisjoint(houses[1][text]) for text in houses[0].keys() & houses[1])


def _goes_on(text: str, place: int) -> bool:
    """Whether what stands at a place goes on with the line above (``I reject / the solution:``)."""
    above = text[: text.rfind("\n", 0, place) + 1]
    return text[place].islower() and _GOES_ON.search(above, max(0, len(above) - 4)) is not None


def clean(memory: dict[str, Any]) -> bool:
    """Whether nothing speaks against the grid at hand: neither what leads up to it nor reasons."""
    return _led_up(memory) and not _at_odds(memory)


def _led_up(memory: dict[str, Any]) -> bool:
    """Whether what leads up to the grid at hand, and its reasons, are understood."""
    cells = [cell[1:] for cell in memory.get("cells", ())]
    lead, told = memory.get("lead"), [memory[key] for key in ("lead", "reasons") if key in memory]
    if "open" in memory or (lead is not None and not leads.ends(lead)):
        return False
    return all(leads.lead_up(one, cells) for one in told)


def _at_odds(memory: dict[str, Any]) -> bool:
    """Whether the lines above the grid at hand, or its reasons, are at odds with it."""
    said = (line for line in memory.get("said", ()) if answers.step(line) is None)  # judged alone
    told = ["\n".join(said), memory.get("reasons", "")]
    houses = leads.houses(memory.get("cells", ())) if any(told) else {}
    return any(leads.at_odds(one, houses) for one in told if one)


def _scanned(text: str) -> dict[str, Any]:
    """The memory behind all lines of a text."""
    memory: dict[str, Any] = {}
    for line in LINES.findall(text):
        memory = scan(line, memory)
    return memory


def show(cells: Iterable[Written]) -> str:
    """Cells as lines ``House 1: Name = Eric, Drink = tea``, which :func:`scan` reads again."""
    lines: dict[int, list[str]] = {}
    for house, column, text in cells:
        lines.setdefault(house, []).append(f"{column} = {text}" if column else text)
    return "\n".join(f"House {house}: {', '.join(items)}" for house, items in lines.items())


def _by_place(puzzle: Puzzle, cells: Sequence[Written]) -> list[int | None]:
    """The attribute of each cell where no column is told, as many stand in each house as there are
    attributes, and all in the same place are of one; else None for each."""
    rows: dict[int, list[str]] = {}
    for house, column, text in cells:
        rows.setdefault(house, []).extend([] if column else [text])
    unknown: list[int | None] = [None] * len(cells)
    whole = all(len(row) == len(puzzle.values) for row in rows.values())
    if not cells or any(column for _, column, _ in cells) or not whole:
        return unknown
    known = [[puzzle.value(text) for text in row] for row in rows.values()]
    places = [{value[0] for value in place if value} for place in zip(*known, strict=True)]
    if any(len(place) != 1 for place in places) or len(set.union(*places)) < len(places):
        return unknown
    order = {house: iter([min(place) for place in places]) for house in rows}
    return [next(order[house]) for house, _, _ in cells]


def fill(puzzle: Puzzle, cells: Sequence[Written]) -> dict[Cell, int] | Fault | None:
    """The house of every value; a fault if the cells give no such thing.

    None if anything in them is not understood: a column that is called after no attribute, a text
    that is no value of it, or two values for one attribute of a house.
    """
    filled: dict[tuple[int, int], Cell] = {}
    attributes = {column: puzzle.attribute(column) for _, column, _ in cells}
    for (house, column, text), of_place in zip(cells, _by_place(puzzle, cells), strict=True):
        attribute = attributes[column] if column else of_place
        value = puzzle.value(text, attribute)
        if value is None and _BLANK.fullmatch(text) and attribute is not None:
            continue
        if value is None or (column and attribute is None):
            return None
        if filled.setdefault((house, value[0]), value) != value:
            return None
    places: dict[Cell, int] = {}
    for (house, _), value in filled.items():
        if not 1 <= house <= puzzle.houses:
            return Fault("no_such_house", f"there is no house {house}")
        if value in places:
            where = f"houses {places[value]} and {house}"
            return Fault("duplicate", f"{puzzle.written(value)} stands in {where}")
        places[value] = house
    every = {(a, n) for a, values in enumerate(puzzle.values) for n in range(len(values))}
    if missing := sorted(every - places.keys()):
        return Fault("incomplete", f"no house is given for {puzzle.written(missing[0])}")
    return places
