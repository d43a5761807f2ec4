"""How a text says that the path goes: ``from S right 2 cells to (1,3), then down to E``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from agentflow.domains.maze.grid import Cell, Grid
from agentflow.domains.maze.spoken import CELL, KIND, WAY, cell, tokens
from agentflow.domains.maze.spoken import way as named

_TOKEN = re.compile(
    rf"(?P<cell>{CELL})|(?P<end>\b[SE]\b)|\(?(?P<place>(?:along|across|in|on|through|via"
    r"|at) the (?:very )?(?P<side>top|bottom|upper|lower|left|right)(?:[- ](?P<also>left"
    r"|right))?(?:most|-hand)?(?: side)?(?: open)?(?: (?:corridor|row|col(?:umn)?|edge|wall"
    r"|side))?(?: of the (?:maze|grid))?)\b\)?|(?:\bat |\bin |\balong |\bon )?\b(?P<axis>row"
    r"|col)(?:umn)? (?P<line>\d+)|(?P<then>(?:then|and|make|makes|making|take|takes|taking"
    rf"|with) an? )?\(?(?:an? )?(?P<kind>{KIND}) turn\b(?: ?(?:\(|#|no\. ?"
    r"|number )(?P<nth>\d+))?\)?|\b(?P<crosses>crosses)\b|\bturn(?:s"
    rf"|ing)? (?:to the )?(?P<turned>{KIND})\b(?!-hand|most| side| turn)|\((?:turn |count "
    rf"|total )+(?P<count>\d+)\)(?=[ .]*\Z)|(?P<way>\b{WAY}\b)(?:-hand side(?: of the maze)?)?"
    r"|(?:x ?|\(|by |for )?(?P<n>\d+)(?! turn|th)(?: more| further)?(?: ?(?:cells?|steps?|squares?"
    r"|spaces?|positions?|times|moves|x))?\)?|(?P<word>[a-zP][a-zA-Z']*)|(?P<sign>->|1th"
    r"|[ ,;:.()-])"
)
_LINES = ("cells", "column", "row")
_TURNING = re.compile(rf"\b{WAY} to {WAY}\b|\A{WAY} -> {WAY}\b(?! ->)")
"""What is said of a turn, and not of the way."""
_ONE = rf"(?:(?:[xSE] ?)?{CELL}|[SE])"
_LISTED = re.compile(
    rf"(?=.*(?:\bx\b|\AS\b.*\bE\Z)){_ONE}(?:(?:, and|,| and|,? then| ?->) {_ONE})+"
)
"""The cells of a path, named as such: ``S, x <1,2>, <1,3>, E``."""
_MARKED = re.compile(
    rf"PATH(?:(?:'s)?(?: cells| coordinates)?:| (?:is|are|lies?)(?: (?:at|on|in))?)"
    rf" (?P<cells>{CELL}(?:(?:, and|,| and) {CELL})+)"
)
"""The cells that are marked: ``the X's are at <1,2> and <1,3>``."""
_FROM = ("from", "at", "start", "starts", "starting", "begin", "begins", "beginning")


@dataclass(slots=True)
class _Leg:
    """Going in one direction."""

    way: str
    turned: bool = False
    """Whether only the turn that leads into it was told."""
    turn: str = ""
    """The kind of turn that leads into it."""


class Walker:
    """Somebody on a path who is told where to go.

    Attributes:
        at: The index of the cell on the path to which it has been told; None at first.
        kind: The kind of the last turn of which it was told; empty for none.
        named: Whether the sentence calls a turn a right or a left one.
    """

    def __init__(self, grid: Grid, lenient: bool) -> None:
        """
        Args:
            lenient: Whether ``turns right`` may mean to the right of the drawing, too.
        """
        self.grid, self.lenient = grid, lenient
        self.cells: list[Cell] = list(grid.path)
        self.at: int | None = None
        self.start: int | None = None
        self.kind, self.named = "", False

    @property
    def done(self) -> bool:
        """Whether it has come to E, or was never told to go."""
        return self.at in (None, len(self.cells) - 1)

    def goes(self, text: str) -> bool | None:
        """Whether the path goes so; None for what does not tell how it goes."""
        if marked := _MARKED.fullmatch(text):
            told = [cell(one) for one in re.findall(CELL, marked["cells"])]
            return told in (self.cells, self.cells[1:-1])
        if _LISTED.fullmatch(text):
            text = re.sub(r"(?:, and|,| and|,? then| ?->) (?:x ?)?|\bx ?", " -> ", text).strip(
                " ->"
            )
        found = None if _TURNING.search(text) else _tokens(text)
        if found is None or not (
            any(one["way"] or one["turned"] or one["crosses"] for one in found)
            or (sum(bool(one["cell"] or one["end"]) for one in found) > 1 and "->" in text)
            or (found and found[-1]["end"] == "E")
        ):
            return None
        ways = [one["way"] or one["turned"] for one in found if one["way"] or one["turned"]]
        measured = any(one["n"] or one["cell"] for one in found)
        single = not measured and any(one == other for one, other in pairwise(ways))
        single = single and not any(one["turned"] for one in found)
        restarts = self.done or "S" in {one["end"] for one in found} or _starts(found)
        begins = [self.at, self.start if self.done else None, 0 if restarts else None]
        for begin in [one for one in dict.fromkeys(begins) if one is not None]:
            place = Place(self, begin, single)
            if all(place.hears(one) for one in found) and place.rests():
                self.at, self.start = place.at, place.start
                self.kind = place.kind_at(place.start)
                return True
        return False


class Place:
    """Where one has come to in a sentence."""

    def __init__(self, walker: Walker, begin: int, single: bool) -> None:
        self.grid, self.cells, self.lenient = (
            walker.grid,
            walker.cells,
            walker.lenient or walker.named,
        )
        self.begin = self.at = begin
        self.single = single
        self.start = begin
        self.leg: _Leg | None = None
        self.coming = 0
        self.turn, self.word = "", ""
        self.far = self.came = self.straight = self.linked = False
        """Whether the last leg's length is said, behind it or in front."""

    def hears(self, token: re.Match[str]) -> bool:
        """Whether the next thing that is said is right."""
        if token["sign"]:
            self.linked = True
            return True
        if token["word"]:
            self.word = token["word"]
            self.straight = self.straight or self.word in ("straight", "direct")
            return True
        if token["cell"] or token["end"]:
            return self._comes(
                self.grid.ends[token["end"]] if token["end"] else cell(token["cell"])
            )
        if token["side"]:
            along = token["place"].startswith(("along", "across"))
            return self._beside(token["side"], token["also"], along)
        if token["line"]:
            return self._in_line(token["axis"] != "row", int(token["line"]))
        if token["kind"]:
            turns = self._turns(token["kind"], bool(token["then"]))
            return turns and (not token["nth"] or self._is_nth(token["kind"], int(token["nth"])))
        if token["count"]:
            return int(token["count"]) in self.grid.counts[self.at].values()
        if token["crosses"]:
            return self._goes_on()
        if token["turned"]:
            return self._turned(token["turned"])
        if token["way"]:
            return self._goes(token["way"])
        if token["n"]:
            return self._far(int(token["n"]))
        return True

    def rests(self) -> bool:
        """Whether what was still open at the end is right."""
        return not self.coming and (not self.turn or self.kind_at(self.at) == self.turn)

    def _comes(self, where: Cell) -> bool:
        at = self.grid.path.get(where)
        if at is None:
            return False
        linked, self.linked = self.linked, False
        if self.leg is None and self.came:
            if at == self.at:
                return not linked
            straight = len({*self.grid.directions[self.at : at]}) == 1
            return at > self.at and straight and self._goes_to(at)
        if self.leg is None:
            self.came = True
            if self.word not in _FROM and self.word not in ("of", "") and at != self.at:
                return (
                    self.word in ("to", "towards", "toward", "reach", "at", "reaching", "reaches")
                    and at == len(self.cells) - 1
                    and len({*self.grid.directions[self.at - (self.straight and self.at > 0) :]})
                    < 2
                )
            self.at = at
            return True
        if self.word == "from":
            return at == self.start
        if at == self.at:
            return True
        if self.far and {*self.grid.directions[self.at : at]} == {self.leg.way}:
            self.at = at  # right to (1,2), (1,3)
            return True
        return self._rewound(at - self.start)

    def _goes_to(self, at: int) -> bool:
        """Go on to a cell that is told without a direction."""
        self.start, self.at = self.at, at
        return True

    def _rewound(self, length: int) -> bool:
        """Go the last leg again, so far."""
        if length < 1 or self.far:
            return False
        went = self.grid.directions[self.start : self.start + length]
        if self.leg is None or len(went) < length or {*went} != {self.leg.way}:
            return False
        self.at, self.far = self.start + length, True
        return True

    def _goes(self, said: str) -> bool:
        if self.leg and self.leg.way == named(said) and self.leg.turned and not self.far:
            self.leg.turned = False
            return True
        self.start, length, way = self.at, 0, named(said)
        ahead = self.grid.directions[self.at :]
        while length < len(ahead) and ahead[length] == way:
            length += 1
        if not length:
            return False
        if self.turn and self.kind_at(self.at) != self.turn:
            return False
        self.leg, self.turn, self.far = _Leg(way), "", False
        self.at += 1 if self.single else length
        if self.coming:
            length, self.coming = self.coming, 0
            return self._rewound(length)
        return True

    def _turned(self, kind: str) -> bool:
        """``turns right``"""
        relative = self.kind_at(self.at) == kind
        seen = self.at < len(self.grid.directions) and self.grid.directions[self.at] == kind.upper()
        if not relative and not (self.lenient and seen):
            return False
        return self._goes_on()

    def _goes_on(self) -> bool:
        """Go where the path goes; it may be said behind this."""
        ahead = self.grid.directions[self.at :]
        goes = bool(ahead) and self._goes(ahead[0].lower())
        if self.leg:
            self.leg.turned = True
        return goes

    def _turns(self, kind: str, ahead: bool) -> bool:
        """``a right turn``, behind a leg or in front of one."""
        if self.leg is None or ahead or self.leg.turn:
            self.turn = kind
            return True
        self.leg.turn = kind
        return self.kind_at(self.start) == kind

    def _is_nth(self, kind: str, nth: int) -> bool:
        """Whether the turn into the last leg has that number, of its kind or of all."""
        begin = self.start if self.leg and not self.turn else self.at
        so_far = self.grid.counts[min(begin + 1, len(self.grid.directions))]
        return nth in (so_far[kind], so_far["total"])

    def kind_at(self, at: int) -> str:
        """How the path turns at a cell of it; empty where it does not."""
        turn = self.grid.turns[at] if at < len(self.grid.turns) else "STRAIGHT"
        return turn.removesuffix("_TURN").lower() if turn.endswith("_TURN") else ""

    def _far(self, length: int) -> bool:
        if self.leg is None or self.far:
            self.coming = length
            return True
        return self._rewound(length)

    def _in_line(self, axis: bool, line: int) -> bool:
        """Whether one is in a row or a column, or has come to it on the last leg."""
        if self.cells[self.at][axis] == line:
            return True
        ahead = [k for k, one in enumerate(self.cells) if k > self.start and one[axis] == line]
        return bool(ahead) and self._rewound(ahead[0] - self.start)

    def _beside(self, side: str, also: str | None, along: bool) -> bool:
        """Whether the last leg ends at that side of the maze, or is along it."""
        if along and not also and self.leg:
            return all(self._is_at(cell, side) for cell in self.cells[self.start : self.at + 1])
        return all(self._is_at(self.cells[self.at], one) for one in (side, also or side))

    def _is_at(self, where: Cell, side: str) -> bool:
        """Whether a cell is at that side of the maze."""
        row, column = where
        rows, columns = len(self.grid.rows), len(self.grid.rows[0])
        sides = {"top": row == 1, "upper": row == 1, "bottom": row == rows - 2}
        sides |= {"lower": row == rows - 2, "left": column == 1, "right": column == columns - 2}
        return sides[side]


def _tokens(text: str) -> list[re.Match[str]] | None:
    """The words of a sentence that tells how one goes; None where one of them tells more."""
    found = tokens(text, _TOKEN, _LINES)
    if found is None:
        return None
    return [one for one in found if not one["sign"] or one["sign"] == "->"]


def _starts(tokens: list[re.Match[str]]) -> bool:
    """Whether a sentence says where it begins."""
    return any(one["word"] in _FROM and other["cell"] for one, other in pairwise(tokens))
