"""The grid of a maze, and what its marked path does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from agentflow.errors import BadInput

Cell = tuple[int, int]
"""(row, column), both from 0, from the top left."""
Signs = Sequence[int | None]
"""How one cell lies to another: the signs of the row's and the column's difference; None is any."""

STEPS = {"UP": (-1, 0), "RIGHT": (0, 1), "DOWN": (1, 0), "LEFT": (0, -1)}
"""Direction -> what it adds to a cell; clockwise."""
_QUARTERS = ("STRAIGHT", "RIGHT_TURN", "BACK", "LEFT_TURN")


@dataclass(frozen=True, slots=True)
class Grid:
    """A maze and what its path does.

    Attributes:
        rows: The drawing: ``#`` wall, space floor, ``S`` start, ``E`` exit, ``X`` path.
        path: Cell -> its index on the path; in order, from S to E.
        directions: Those of the moves; the one at ``i`` leads to the path's cell ``i + 1``.
        turns: One a move: ``STRAIGHT``, ``RIGHT_TURN`` (clockwise) or ``LEFT_TURN`` (interwhen,
            appendix A.2.1).
        counts: Turns so far at each cell of the path, as ``right``, ``left`` and ``total``.
        ends: Where S and E are.
    """

    rows: tuple[str, ...]
    path: dict[Cell, int]
    directions: tuple[str, ...]
    turns: tuple[str, ...]
    counts: tuple[dict[str, int], ...]
    ends: dict[str, Cell]

    def at(self, cell: Cell) -> str:
        """What is drawn there; a wall outside."""
        inside = 0 <= cell[0] < len(self.rows) and 0 <= cell[1] < len(self.rows[0])
        return self.rows[cell[0]][cell[1]] if inside else "#"

    def lies(self, one: str, signs: Signs) -> bool:
        """Whether ``one`` of S and E lies so to the other."""
        cells = zip(self.ends[one], self.ends["S" if one == "E" else "E"], strict=True)
        found = [(a > b) - (a < b) for a, b in cells]
        return fit(signs, found)


@lru_cache(maxsize=1_024)
def simulate(rows: tuple[str, ...]) -> Grid:
    """Follow the marked path from S to E.

    Raises:
        BadInput: If there is not one S and one E, or the marked cells are no single path.
    """
    marked = {
        (row, column): sign
        for row, line in enumerate(rows)
        for column, sign in enumerate(line)
        if sign in "SEX"
    }
    for sign, name in (("S", "starting point (S)"), ("E", "exit (E)")):
        if (found := list(marked.values()).count(sign)) != 1:
            raise BadInput(f"maze: there must be one {name}, there are {found}")
    ends = {sign: cell for cell, sign in marked.items() if sign != "X"}
    cell = ends["S"]
    path = {cell: 0}
    directions: list[str] = []
    while cell != ends["E"]:
        before = directions and moved(cell, directions[-1], -1)
        ways = {moved(cell, way): way for way in STEPS}
        on = [step for step in ways if step in marked and step != before]
        if len(on) != 1 or on[0] in path:
            what = "branches" if on else "ends"
            raise BadInput(f"maze: the path marked by X {what} at {cell}, before it comes to E")
        directions.append(ways[on[0]])
        cell = on[0]
        path[cell] = len(path)
    if len(path) != len(marked):
        raise BadInput("maze: there are cells marked by X beside the path from S to E")
    turns = ["STRAIGHT", *map(turn_of, directions, directions[1:])][: len(directions)]
    rights, lefts = (
        [0, *accumulate(int(turn == one) for turn in turns)] for one in ("RIGHT_TURN", "LEFT_TURN")
    )
    counts = [
        {"right": right, "left": left, "total": right + left}
        for right, left in zip(rights, lefts, strict=True)
    ]
    return Grid(rows, path, tuple(directions), tuple(turns), tuple(counts), ends)


def fit(signs: Signs, real: Sequence[int]) -> bool:
    """Whether these are the signs of real differences."""
    return all(sign in (None, one) for sign, one in zip(signs, real, strict=True))


def moved(cell: Cell, direction: str, times: int = 1) -> Cell:
    """The cell that lies ``times`` steps in a direction."""
    row, column = STEPS[direction]
    return cell[0] + times * row, cell[1] + times * column


def shown(cell: Cell) -> str:
    """A cell as it is written in a trace."""
    return f"({cell[0]},{cell[1]})"


def turn_of(before: str, after: str) -> str:
    """The turn between two moves; ``BACK`` where the second undoes the first."""
    clockwise = list(STEPS)
    return _QUARTERS[(clockwise.index(after) - clockwise.index(before)) % 4]
