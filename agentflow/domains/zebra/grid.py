"""Filled-in grids as models write them: JSON, Markdown tables (either way round), and lines.

Reading is a fold over lines that knows no puzzle; :func:`fill` then gives the cells their meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from agentflow.domains.zebra.puzzle import Cell, Puzzle, plain, words
from agentflow.trace import LINES

MAX_CELLS, _MAX_LINE = 200, 4_000

Written = list[Any]
"""``[house, column or "", text]``; plain JSON, since it stands in an extractor's memory."""

_MENTIONS = re.compile(r'[|"]|(?i:house)')
_KEPT = ("cells", "tried")
"""What is remembered behind a line of something else: no list or table goes on, the grid may."""
_BULLET = re.compile(r"^(?:[>*•+#-]+ ?)+")
_SAYS_HOUSE = re.compile(r"house ?(?:number|no\.?)? ?#? ?(\d{1,3})\b", re.I)
_HOUSE_LINE = re.compile(
    r"house ?(?:number|no\.?)? ?#? ?(\d{1,3}) ?(?:[:=-]+ ?(?P<items>.*))?", re.I
)
_HOUSE_COLUMN = re.compile(r"(?:houses?|position)(?: ?(?:number|no\.?))?|#|no\.?", re.I)
_NUMBER = re.compile(r"(?:house ?)?#? ?(\d{1,3})", re.I)
_RULE = re.compile(r"[-:= ]*")
_PAIR = re.compile(r'"([^"]{1,60})" ?: ?(?:(\{)|"([^"]{0,80})"|(\d{1,9}))')
_FIELD = re.compile(r"([^=:|!≠]{1,60}?) ?(?:=|:| is ) ?([^=:|!≠]+)", re.I)
_BELOW = re.compile(r"([^=:|!≠]{1,60}?) ?[=:] ?([^=:|!≠]+)")
_SIGNS = re.compile("[=:|,;]")
_BLANK = re.compile(r"[\W_]*|unknown|none|null|tbd|n/?a", re.I)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a grid is no answer, whatever the clues say: the error kind and a sentence."""

    kind: str
    reason: str


def scan(line: str, memory: dict[str, Any]) -> dict[str, Any]:
    """The memory behind one more line.

    Args:
        memory: ``{}`` at the start. ``cells`` has what the grid at hand holds so far; a new one
            begins where a house is told a second time.
    """
    if len(line) > _MAX_LINE or not (_MENTIONS.search(line) or memory.keys() - _KEPT):
        return memory
    said = _BULLET.sub("", plain(line))
    if said.count("|") >= 2:
        inner = said.removeprefix("|").removesuffix("|")
        return _row([cell.strip() for cell in inner.split("|")], memory)
    if '"' in said and (pairs := list(_PAIR.finditer(said))):
        return _pairs(pairs, memory)
    if found := _HOUSE_LINE.fullmatch(said):
        memory = _house(int(found[1]), memory) | {"listed": True}
        fields = [_field(item) for item in re.split("[,;]", found["items"] or "")]
        return _add([[memory["house"], *field] for field in fields], memory)
    if memory.get("listed") and (found := _BELOW.fullmatch(said)):  # "Name: Eric" below "House 1:"
        return _add([[memory["house"], found[1], found[2]]], memory)
    return _calm(memory) if said.strip("{}[]() ,") else memory


def _calm(memory: dict[str, Any]) -> dict[str, Any]:
    return {key: memory[key] for key in _KEPT if key in memory}


def _house(house: int, memory: dict[str, Any]) -> dict[str, Any]:
    """The memory where cells of a house begin: a grid of its own if it was told already."""
    if any(cell[0] == house for cell in memory.get("cells", ())):
        memory = {"columns": memory["columns"]} if "columns" in memory else {}
    return memory | {"house": house}


def _add(cells: Iterable[Written], memory: dict[str, Any]) -> dict[str, Any]:
    new = [
        [house, _SIGNS.sub(" ", column), _SIGNS.sub(" ", text)]
        for house, column, text in cells
        if not _BLANK.fullmatch(text)
    ]
    return memory | {"cells": [*memory.get("cells", ()), *new][:MAX_CELLS]}


def _field(item: str) -> tuple[str, str]:
    found = _FIELD.fullmatch(item.strip(" ."))
    return (found[1], found[2]) if found else ("", item.strip(" ."))


def _pairs(pairs: Sequence[re.Match[str]], memory: dict[str, Any]) -> dict[str, Any]:
    """The fields of JSON on one line; only their order is needed, so it may be cut anywhere."""
    memory = {key: kept for key, kept in memory.items() if key not in ("columns", "listed")}
    for pair in pairs:
        key, opens, text, number = pair.groups()
        told = _SAYS_HOUSE.fullmatch(key) if opens else None
        if not opens and _HOUSE_COLUMN.fullmatch(key):
            told = _NUMBER.fullmatch(text or number or "")
        if told:
            memory = _house(int(told[1]), memory)
        elif not opens and "house" in memory:
            memory = _add([[memory["house"], key, text if number is None else number]], memory)
    return memory


def _row(row: list[str], memory: dict[str, Any]) -> dict[str, Any]:
    """A line of a table: its head, its rule, or values in the order of the head's columns."""
    columns = memory.get("columns")
    houses = [_SAYS_HOUSE.fullmatch(cell) for cell in row]
    if sum(map(bool, houses)) >= 2 or any(map(_HOUSE_COLUMN.fullmatch, row)):
        return {"columns": row, "turned": all(map(_NUMBER.fullmatch, row[1:]))}
    if not columns or len(row) != len(columns) or all(map(_RULE.fullmatch, row)):
        return memory if columns else _calm(memory)
    if memory.get("turned"):
        told = [_NUMBER.fullmatch(column) for column in columns]
        return _add(
            [[int(house[1]), row[0], text] for house, text in zip(told, row, strict=True) if house],
            memory,
        )
    place = next((n for n, column in enumerate(columns) if _HOUSE_COLUMN.fullmatch(column)), 0)
    if (number := _NUMBER.fullmatch(row[place])) is None:
        return memory
    memory = _house(int(number[1]), memory) | {"columns": columns}
    cells = [[memory["house"], column, text] for column, text in zip(columns, row, strict=True)]
    return _add(cells[:place] + cells[place + 1 :], memory)


def last(text: str) -> list[Written]:
    """The fullest grid in a text, the last of equally full ones."""
    best: list[Written] = []
    memory: dict[str, Any] = {}
    for line in LINES.findall(text):
        memory = scan(line, memory)
        if len(memory.get("cells", ())) >= len(best):
            best = memory.get("cells", [])
    return best


def show(cells: Iterable[Written]) -> str:
    """Cells as lines ``House 1: Name = Eric, Drink = tea``, which :func:`scan` reads again."""
    lines: dict[int, list[str]] = {}
    for house, column, text in cells:
        lines.setdefault(house, []).append(f"{column} = {text}" if column else text)
    return "\n".join(f"House {house}: {', '.join(items)}" for house, items in lines.items())


def fill(puzzle: Puzzle, cells: Sequence[Written]) -> dict[Cell, int] | Fault | None:
    """The house of every value; a fault if the cells give no such thing; None if unreadable.

    A column that is called after no attribute is read by its values, where each stands in one
    attribute only that has no column; other text in it is no part of the grid.
    """
    filled: dict[tuple[int, int], Cell] = {}
    attributes = {column: puzzle.attribute(column) for _, column, _ in cells}
    named = set(attributes.values())
    for house, column, text in cells:
        attribute = attributes[column]
        value = puzzle.value(text, attribute)
        if attribute is None:
            if value is None and (not column or "".join(words(text)) in puzzle.called):
                return None
            if value is None or (column and value[0] in named):
                continue
        elif value is None:
            return Fault("unknown_value", f"{text!r} of house {house} is no value of the puzzle")
        if not 1 <= house <= puzzle.houses:
            return Fault("no_such_house", f"there is no house {house}")
        if filled.setdefault((house, value[0]), value) != value:
            both = f"{puzzle.written(filled[house, value[0]])} and {puzzle.written(value)}"
            return Fault("duplicate", f"house {house} has both {both}")
    places: dict[Cell, int] = {}
    for (house, _), value in filled.items():
        if value in places:
            where = f"houses {places[value]} and {house}"
            return Fault("duplicate", f"{puzzle.written(value)} stands in {where}")
        places[value] = house
    every = {(a, n) for a, values in enumerate(puzzle.values) for n in range(len(values))}
    if missing := sorted(every - places.keys()):
        return Fault("incomplete", f"no house is given for {puzzle.written(missing[0])}")
    return places
