"""What a line of a trace says of a maze, in the format of paper 000, appendix A.2.1."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agentflow.domains import spelling

Claim = dict[str, Any]
"""What one line says, as plain JSON; ``claim`` names its kind, which is also that of its error."""

_MARKUP = str.maketrans({"*": "", "`": "", "$": "", "_": " "})
_LEAD = re.compile(r"(?:\W|\d{1,4}[.)](?!\d))*")

_CELL = r"[(\[] ?(?:row ?[=:]? ?)?(-?\d{1,4}) ?[,;] ?(?:col(?:umn)? ?[=:]? ?)?(-?\d{1,4}) ?[)\]]"
_WAY = "(up|down|left|right|north|south|west|east)"
_WHO = r"(?:the )?(exit|start(?:ing)?(?: point)?|[es]|\([es]\))(?: \([es]\))?"
_NUMBERED = r"(row|col)(?:umn)? ?\(?(\d{1,4})\)?"
_ONLY_CELL = re.compile(_CELL)
_LOCATION = re.compile(rf"([es]) position ?[:=] ?{_CELL}[ .]*")
_MOVE = re.compile(
    rf"(?:step\W*\d{{0,4}}\W*(?:corrected\W*)?)?move {_WAY} from {_CELL} (?:to|->) {_CELL}"
    r"(?: [(\[][es][)\]])?[ .]*"
)
_OTHER_MOVE = re.compile(r"\bstep\W*\d*\W*[a-z]|\bmove|[(\[] ?-?\d{1,4} ?,")
_DETAIL = re.compile(
    r"(current position|previous direction|current direction|turn type|running count)s? ?[:=] ?"
    r"(\S.*)"
)
_REMARK = re.compile(r" \([^()]*\)$")
_COUNT = re.compile(r"(right|left|total)(?: turns?)? ?[=:] ?(\d{1,6})(?:[,; ]|and)*")
_COUNTS = re.compile(f"(?:{_COUNT.pattern})+")
_COMPARISON = re.compile(
    rf"(row|col)(?:umn)? comparison ?: ?{_WHO} {_NUMBERED} ?(<|>|==?|vs\.?) ?{_WHO} {_NUMBERED}"
    r"(?: ?(?:->|=>|[>,;:]|so) ?(\S.*))?"
)
_RELATION = re.compile(
    rf"(?:(?:therefore|so|thus|hence),? )?{_WHO} is (not )?([a-z][a-z -]{{1,60}}?) {_WHO}"
    r"(?: \((smaller|larger|same) (row|col)(?:umn)?\))?(?: ?[:=-]+ ?(yes|no))?[ .]*"
)
_FINAL = re.compile(r"(?:final )?answer ?[:=] ?(?:(?:yes|no)[,.;:]? )?(.*)")
_FINAL_COUNT = re.compile(r"(right|left|total) turns? ?(?:=|:|is|are) ?(\d{1,6})[ .]*")
_COMPASS = {"NORTH": "UP", "SOUTH": "DOWN", "WEST": "LEFT", "EAST": "RIGHT"}
_NO_DIRECTION = {"none", "(none)", "n/a", "-", "start"}
_TURNS = {
    **dict.fromkeys(("straight", "none", "no turn", "start"), "STRAIGHT"),
    **dict.fromkeys(("right", "right turn"), "RIGHT_TURN"),
    **dict.fromkeys(("left", "left turn"), "LEFT_TURN"),
}

_HOW_MANY = re.compile(r"\bhow many (?:(right|left|total) )?turns [^.?]*\?")
_IS_IT = re.compile(
    rf"\bis {_WHO} ([a-z][a-z -]{{1,60}}?) {_WHO}"
    r"(?:, with no (?:vertical|horizontal) displacement)?\?"
)
_SIDES = {
    **dict.fromkeys(("above", "top", "upper"), (0, -1)),
    **dict.fromkeys(("below", "bottom", "lower"), (0, 1)),
    **{"left": (1, -1), "right": (1, 1), "row": (0, 0), "col": (1, 0), "column": (1, 0)},
}
"""Word -> (axis, sign) of how one cell lies to another."""
_FILLERS = {"to", "the", "at", "in", "on", "of", "as", "same", "strictly", "and"}


def plain(text: str) -> str:
    """The text in lower case and ASCII, without markup and with single spaces."""
    return " ".join(spelling.plain(text).translate(_MARKUP).lower().split())


def questions(text: str) -> list[Claim]:
    """The questions that a plain text asks: ``{"count": "right"}``, or a :func:`relation`."""
    found: list[Claim] = [{"count": kind or "total"} for kind in _HOW_MANY.findall(text)]
    asked = [relation(*match.groups()) for match in _IS_IT.finditer(text)]
    return found + [one for one in asked if one]


def relation(one: str, phrase: str, other: str) -> Claim | None:
    """``one`` lies so to ``other``: ``of`` (S or E) and the ``signs`` of the differences.

    The signs are those of the row's and of the column's difference. ``left`` leaves the rows open
    (None); ``directly left`` wants them to be the same. None if the phrase is not understood.
    """
    signs: list[int | None] = [None, None]
    words = set(phrase.replace("-", " ").split()) - _FILLERS
    for word in words - {"directly"}:
        axis, sign = _SIDES.get(word, (0, None))
        if sign is None or signs[axis] is not None:
            return None
        signs[axis] = sign
    if signs == [None, None] or _end(one) == _end(other):
        return None
    if "directly" in words:
        if None not in signs or 0 in signs:
            return None
        signs = [sign or 0 for sign in signs]
    return {"of": _end(one), "signs": signs}


def read(line: str, memory: dict[str, Any]) -> tuple[dict[str, Any], list[Claim]]:
    """The claims of a plain line, and the memory behind it.

    The memory holds the last ``move``, which the lines under it speak of. A line that may be
    another move and is none that can be read ends that, and leaves a ``gap``.
    """
    lead = _LEAD.match(line)
    text = line[lead.end() :] if lead else line
    if found := _MOVE.fullmatch(text):
        way, *ends = found.groups()
        move = {"direction": _direction(way), "from": _cell(*ends[:2]), "to": _cell(*ends[2:])}
        return {"move": move}, [{"claim": "move", "move": move, "gap": "gap" in memory}]
    if found := _DETAIL.fullmatch(text):
        said = _detail(found[1], found[2].rstrip(" .")) if "move" in memory else None
        return memory, [said | {"move": memory["move"]}] if said else []
    if found := _LOCATION.fullmatch(text):
        cell = _cell(found[2], found[3])
        return memory, [{"claim": "location", "of": _end(found[1]), "at": cell}]
    if found := _COMPARISON.fullmatch(text):
        return memory, list(_comparison(*found.groups()))
    if found := _FINAL.fullmatch(text):
        if count := _FINAL_COUNT.fullmatch(found[1]):
            return memory, [{"claim": "count", "counts": {count[1]: int(count[2])}}]
        return memory, list(_relations(found[1]))
    if relations := list(_relations(text)):
        return memory, relations
    return ({"gap": True} if _OTHER_MOVE.search(text) else memory), []


def _end(name: str) -> str:
    return "E" if name.strip("(")[0] == "e" else "S"


def _direction(word: str) -> str:
    return _COMPASS.get(word.upper(), word.upper())


def _cell(row: str, column: str) -> list[int]:
    return [int(row), int(column)]


def _detail(label: str, said: str) -> Claim | None:
    """What a line under a move says; None if it cannot be read."""
    said = _REMARK.sub("", said)
    match label:
        case "current position":
            found = _ONLY_CELL.fullmatch(said)
            return {"claim": "position", "at": _cell(*found.groups())} if found else None
        case "turn type":
            turn = _TURNS.get(said)
            return {"claim": "turn", "turn": turn} if turn else None
        case "running count":
            counts = {kind: int(number) for kind, number in _COUNT.findall(said)}
            return {"claim": "count", "counts": counts} if _COUNTS.fullmatch(said) else None
    kind = "previous_direction" if label.startswith("previous") else "direction"
    if said in _NO_DIRECTION and kind == "previous_direction":
        return {"claim": kind, "direction": None}
    way = re.fullmatch(_WAY, said)
    return {"claim": kind, "direction": _direction(said)} if way else None


def _comparison(
    label: str,
    one: str,
    axis: str,
    first: str,
    sign: str,
    other: str,
    other_axis: str,
    second: str,
    then: str | None,
) -> Iterator[Claim]:
    if not label == axis == other_axis:
        return
    said = {_end(one): int(first), _end(other): int(second)}
    if len(said) == 2:
        yield {"claim": "comparison", "axis": label, "numbers": said, "sign": sign[0]}
    yield from _relations(then or "")


def _relations(sentence: str) -> Iterator[Claim]:
    """The claim that S and E lie so and so to each other, if the sentence is one."""
    if (found := _RELATION.fullmatch(sentence)) is None:
        return
    one, negated, phrase, other, size, axis, said = found.groups()
    lies = relation(one, phrase, other)
    if lies and size is not None:  # a remark, as in: above S (smaller row)
        sign = {"smaller": -1, "same": 0, "larger": 1}[size]
        lies = lies if lies["signs"][axis == "col"] == sign else None
    if lies:
        yield {"claim": "relation", **lies, "holds": (said != "no") != bool(negated)}
