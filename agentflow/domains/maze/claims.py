"""What a line of a trace says of a maze, in the format of interwhen's appendix A.2.1."""

from __future__ import annotations

import re
from typing import Any

from agentflow.domains import markup
from agentflow.domains.maze.grid import turn_of

Claim = dict[str, Any]
"""What one line says, as plain JSON; ``claim`` names its kind, which is also that of its error."""

_END = r"[ .✓✔✅]*"

_CELL = r"[(\[] ?(?:row ?[=:]? ?)?(-?\d{1,4}) ?[,;] ?(?:col(?:umn)? ?[=:]? ?)?(-?\d{1,4}) ?[)\]]"
_WAY = "(up|down|left|right|north|south|west|east)"
WHO = (
    r"((?:the )?(?:exit(?: (?:point|cell))?(?: \(e\))?|start(?:(?:ing)? (?:point|position"
    r"|cell))?(?: \(s\))?|[es](?![\w'])|\([es]\)))"
)
"""S or E by one of its names."""
PLACE = (
    r"(?:strictly |directly )?(?:above|below|(?:(?:to|on) the )?(?:left|right)(?: side)? of)"
    r"|(?:(?:to|at|in|on) the )?(?:top|upper|bottom|lower)[ -](?:left|right) of|(?:above|below)(?:-"
    r"| and (?:to the )?)(?:left|right) of|(?:in|on) the same (?:row|col(?:umn)?) as"
)
"""How one of them lies to the other."""
_NUMBERED = r"(row|col)(?:umn)? ?\(?(\d{1,4})\)?"
_ONLY_CELL = re.compile(_CELL)
_LOCATION = re.compile(rf"([es]) position ?[:=] ?{_CELL}{_END}")
_MOVE = re.compile(
    r"(?:step[ #(]*\d{0,4}[ ).:>-]*(?:\(?corrected\)?[ ).:>-]*)?)?"
    rf"move {_WAY} from {_CELL} (?:to|->) {_CELL}(?: [(\[]([es])[)\]])?{_END}"
)
_DETAIL = re.compile(
    r"(current position|previous direction|current direction|turn type"
    r"|running count)s? ?[:=] ?(\S.*)"
)
_REMARK = re.compile(
    rf"(.*\S) \((?:since |because |as |from )?{_WAY}(?: ?(?:->|to|then|,) ?{_WAY}(?: (?:is|=) (?:a "
    r"|an )?(?:90 ?(?:°|degrees?) ?)?(right|left|clockwise|(?:counter"
    r"|anti)-?clockwise)?(?: turn)?)?)?\)"
)
_COUNT = re.compile(r"(right|left|total)(?: turns?)? ?[=:] ?(\d{1,6})(?:[,; ]|and)*")
_COUNTS = re.compile(f"(?:{_COUNT.pattern})+")
_COMPARISON = re.compile(
    rf"(row|col)(?:umn)? comparison ?: ?{WHO} {_NUMBERED} ?(<|>|==?"
    rf"|vs\.?) ?{WHO} {_NUMBERED}(?: ?(?:->|=>|[>,;:]|so) ?(\S.*))?{_END}"
)
_SAME = re.compile(
    rf"(?:in )?(?:the )?same (row|col)(?:umn)?(?: \(no (vertical|horizontal) displacement\))?{_END}"
)
_RELATION = re.compile(
    rf"(?:(?:therefore|so|thus|hence),? )?{WHO} is (not )?({PLACE}) {WHO}(?: \((smaller|larger"
    rf"|same) (row|col)(?:umn)?\))?(?: ?[:=-]+ ?(yes|no))?{_END}"
)
_FINAL = re.compile(r"(?:final )?answer ?[:=] ?(?:(?:yes|no)[,.;:]? )?(.*)")
_FINAL_COUNT = re.compile(rf"(right|left|total) turns? ?(?:=|:|is|are) ?(\d{{1,6}}){_END}")
_LIKE_A_STEP = re.compile(
    r"step\b[ #(]*\d|move\b|(?:current position|previous direction|current direction|turn type"
    r"|running count|[es] position)s? ?[:=]|(?:row|col(?:umn)?) comparison ?:|(?:(?:therefore|so"
    r"|thus|hence),? )?(?:the )?(?:exit|start\w*(?: point)?|[es](?![\w'])"
    r"|\([es]\))(?: \([es]\))? is "
)
"""How a line begins that makes a claim in the format, whether it can be read or not."""
_LIKE_A_MOVE = re.compile(r"\bstep\W*\d*\W*[a-z]|\bmove|[(\[] ?-?\d{1,4} ?,")
_COMPASS = {"NORTH": "UP", "SOUTH": "DOWN", "WEST": "LEFT", "EAST": "RIGHT"}
_NO_DIRECTION = {"none", "(none)", "n/a", "-", "start"}
_TURNS = {
    **dict.fromkeys(("straight", "none", "no turn", "start"), "STRAIGHT"),
    **dict.fromkeys(("right", "right turn"), "RIGHT_TURN"),
    **dict.fromkeys(("left", "left turn"), "LEFT_TURN"),
}
_SIDES = {
    **dict.fromkeys(("above", "top", "upper"), (0, -1)),
    **dict.fromkeys(("below", "bottom", "lower"), (0, 1)),
    **{"left": (1, -1), "right": (1, 1), "row": (0, 0), "col": (1, 0), "column": (1, 0)},
}
"""Word -> (axis, sign) of how one cell lies to another."""
_JOINED = re.compile("(?<=[a-z])_(?=[a-z])")
_ONLY_PLACE = re.compile(PLACE)


def plain(text: str) -> str:
    """The text in lower case and ASCII, without marks of emphasis and with single spaces."""
    text = markup.unmarked(markup.ascii_signs(text)).lower()
    return " ".join(_JOINED.sub(" ", text).split())


def relation(one: str, phrase: str, other: str) -> Claim | None:
    """``one`` lies so to ``other``: ``of`` (S or E) and the ``signs`` of the differences.

    The signs are those of the row's and of the column's difference. ``left`` leaves the rows open
    (None); ``directly left`` wants them to be the same. None if the phrase is not understood.
    """
    if _ONLY_PLACE.fullmatch(phrase) is None or end_of(one) == end_of(other):
        return None
    signs: list[int | None] = [None, None]
    words = phrase.replace("-", " ").split()
    for axis, sign in (_SIDES[word] for word in words if word in _SIDES):
        signs[axis] = sign
    if "directly" in words:
        signs = [sign or 0 for sign in signs]
    return {"of": end_of(one), "signs": signs}


def end_of(name: str) -> str:
    """S or E, by one of its names."""
    return "E" if name.removeprefix("the ").strip("(")[0] == "e" else "S"


def read(line: str, memory: dict[str, Any]) -> tuple[dict[str, Any], list[Claim]]:
    """The claims of a plain line, and the memory behind it.

    The memory holds the last ``move``, which the lines under it speak of. A line that may be
    another move and is none that can be read ends that, and leaves a ``gap``. A line in the format
    of a claim, not every word of which is understood, makes the claim ``unread``.
    """
    text = markup.unlisted(line)
    if found := _MOVE.fullmatch(text):
        way, *ends, mark = found.groups()
        move = {"direction": direction_of(way), "from": _cell(*ends[:2]), "to": _cell(*ends[2:])}
        claims: list[Claim] = [{"claim": "move", "move": move, "gap": "gap" in memory}]
        if mark:
            claims.append({"claim": "location", "of": mark.upper(), "at": move["to"]})
        return {"move": move}, claims
    if text.endswith(("?", ":")):
        return ({"gap": True} if _LIKE_A_MOVE.search(text) else memory), []
    if found := _DETAIL.fullmatch(text):
        said = _detail(found[1], found[2].rstrip(" .✓✔✅")) if "move" in memory else None
        return memory, [said | {"move": memory["move"]} if said else _unread(text)]
    if found := _LOCATION.fullmatch(text):
        cell = _cell(found[2], found[3])
        return memory, [{"claim": "location", "of": end_of(found[1]), "at": cell}]
    if found := _COMPARISON.fullmatch(text):
        return memory, _comparison(found) or [_unread(text)]
    if found := _FINAL.fullmatch(text):
        if count := _FINAL_COUNT.fullmatch(found[1]):
            return memory, [{"claim": "count", "counts": {count[1]: int(count[2])}}]
        stated = statement(found[1])
        return memory, [stated] if stated else []
    if stated := statement(text):
        return memory, [stated]
    claims = [_unread(text)] if _LIKE_A_STEP.match(text) else []
    return ({"gap": True} if _LIKE_A_MOVE.search(text) else memory), claims


def unread(line: str) -> list[Claim]:
    """The claim of a line that is too long to be read, if it begins like one."""
    text = markup.unlisted(line)
    return [_unread(text)] if _LIKE_A_STEP.match(text) else []


def _unread(text: str) -> Claim:
    return {"claim": "unread", "text": text[:100]}


def direction_of(word: str) -> str:
    """A direction by one of its names, in lower or upper case."""
    return _COMPASS.get(word.upper(), word.upper())


def _cell(row: str, column: str) -> list[int]:
    return [int(row), int(column)]


def _detail(label: str, said: str) -> Claim | None:
    """What a line under a move says; None if it cannot be read."""
    remark = _REMARK.fullmatch(said)
    said = remark[1] if remark else said
    turn = _TURNS.get(said)
    way = direction_of(said) if re.fullmatch(_WAY, said) else None
    if remark and not _fits(label, remark, turn, way):
        return None
    match label:
        case "current position":
            found = _ONLY_CELL.fullmatch(said)
            return {"claim": "position", "at": _cell(*found.groups())} if found else None
        case "turn type":
            return {"claim": "turn", "turn": turn} if turn else None
        case "running count":
            listed = _COUNT.findall(said)
            counts = {kind: int(number) for kind, number in listed}
            whole = _COUNTS.fullmatch(said) is not None and len(counts) == len(listed)
            return {"claim": "count", "counts": counts} if whole else None
    kind = "previous_direction" if label.startswith("previous") else "direction"
    if said in _NO_DIRECTION and kind == "previous_direction":
        return {"claim": kind, "direction": None}
    return {"claim": kind, "direction": way} if way else None


def _fits(label: str, remark: re.Match[str], turn: str | None, way: str | None) -> bool:
    """Whether a remark in brackets says the same as what it stands behind."""
    _, first, then, side = remark.groups()
    if label != "turn type":
        return then is None and way is not None and direction_of(first) == way
    if then is None or turn is None:
        return False
    named = {"right": "RIGHT_TURN", "clockwise": "RIGHT_TURN", None: turn}.get(side, "LEFT_TURN")
    return named == turn == turn_of(direction_of(first), direction_of(then))


def _comparison(found: re.Match[str]) -> list[Claim]:
    """What a comparison says, and what is said to follow; empty if a part of it cannot be read."""
    label, one, axis, first, sign, other, other_axis, second, then = found.groups()
    said = {end_of(one): int(first), end_of(other): int(second)}
    if not label == axis == other_axis or len(said) < 2:
        return []
    claims: list[Claim] = [{"claim": "comparison", "axis": label, "numbers": said, "sign": sign[0]}]
    if then is None:
        return claims
    across = {"row": "vertical", "col": "horizontal"}
    if (same := _SAME.fullmatch(then)) and same[2] in (None, across[same[1]]):
        signs = [0, None] if same[1] == "row" else [None, 0]
        return [*claims, {"claim": "relation", "of": "E", "signs": signs, "holds": True}]
    stated = statement(then)
    return [*claims, stated] if stated else []


def statement(sentence: str) -> Claim | None:
    """The claim that S and E lie so and so to each other; None if the sentence is none."""
    if (found := _RELATION.fullmatch(sentence)) is None:
        return None
    one, negated, phrase, other, size, axis, said = found.groups()
    lies = relation(one, phrase, other)
    if lies and size is not None:  # a remark, as in: above S (smaller row)
        sign = {"smaller": -1, "same": 0, "larger": 1}[size]
        lies = lies if lies["signs"][axis == "col"] == sign else None
    if lies is None:
        return None
    return {"claim": "relation", **lies, "holds": (said != "no") != bool(negated)}
