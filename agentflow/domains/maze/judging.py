"""What is wrong with a claim about a maze, found by looking at the grid."""

from __future__ import annotations

from collections.abc import Sequence

from agentflow.domains.maze.claims import Claim
from agentflow.domains.maze.grid import STEPS, Cell, Grid, moved, shown
from agentflow.state import State


def error(grid: Grid, claim: Claim) -> str:
    """What is wrong with a claim that is no move, in words; empty if it is right.

    A claim under a move that is wrong itself cannot be judged and must not be given.
    """
    last = max(grid.path.values()) if "move" not in claim else grid.path[_cell(claim["move"]["to"])]
    first = grid.path[_cell(claim["move"]["from"])] if "move" in claim else 0
    match claim["claim"]:
        case "location":
            cell = grid.ends[claim["of"]]
            return _unless(claim["at"] == list(cell), f"{claim['of']} is at {shown(cell)}")
        case "position":
            cell = _cell(claim["move"]["to"])
            return _unless(claim["at"] == list(cell), f"the move leads to {shown(cell)}")
        case "direction":
            direction = claim["move"]["direction"]
            return _unless(claim["direction"] == direction, f"the move goes {direction}")
        case "previous_direction":
            before = grid.directions[first - 1] if first else None
            said = f"the move before went {before}" if before else "there is no move before"
            return _unless(claim["direction"] == before, said)
        case "turn":
            turn = grid.turns[first]
            way = grid.directions[first]
            went = f"{grid.directions[first - 1]}, then {way}," if first else f"{way} at the start"
            return _unless(claim["turn"] == turn, f"{went} is {turn}")
        case "count":
            real = {kind: grid.counts[last][kind] for kind in claim["counts"]}
            listed = ", ".join(f"{kind.capitalize()}={count}" for kind, count in real.items())
            place = shown(list(grid.path)[last])
            return _unless(claim["counts"] == real, f"the turns up to {place} are {listed}")
        case "comparison":
            axis = 0 if claim["axis"] == "row" else 1
            real = {end: grid.ends[end][axis] for end in claim["numbers"]}
            one, other = real.values()
            sign = "<" if one < other else ">" if one > other else "="
            listed = f" {sign} ".join(f"{end} {claim['axis']} ({at})" for end, at in real.items())
            return _unless(claim["numbers"] == real and claim["sign"] in (sign, "v"), listed)
        case "relation":
            right = grid.lies(claim["of"], claim["signs"]) == claim["holds"]
            ends = (f"{end} is at {shown(cell)}" for end, cell in grid.ends.items())
            return _unless(right, f"{' and '.join(ends)}; compare their rows and columns")
    raise ValueError(f"unknown claim {claim['claim']!r}")


def move_error(grid: Grid, move: Claim) -> tuple[str, str] | None:
    """(error kind, what is wrong) of a move along the path, wherever it begins on it; or None."""
    start, end, way = _cell(move["from"]), _cell(move["to"]), move["direction"]
    if start not in grid.path:
        return "not_reached", f"{shown(start)} is not on the path"
    rows, columns = end[0] - start[0], end[1] - start[1]
    length = max(abs(rows), abs(columns))
    if length == 0 or (rows, columns) != tuple(length * part for part in STEPS[way]):
        return "direction", f"{way} from {shown(start)} is {shown(moved(start, way))}"
    for steps in range(1, length + 1):
        cell = moved(start, way, steps)
        if grid.at(cell) == "#":
            return "wall", f"there is a wall at {shown(cell)}"
        if grid.path.get(cell) != grid.path[start] + steps:
            what = "where the path came from" if cell in grid.path else "not marked"
            return "off_path", f"{shown(cell)} is {what}; the path goes on elsewhere"
    return None


def reached(grid: Grid, earlier: Sequence[State], start: Sequence[int]) -> bool:
    """Whether earlier moves, all taken as right, have come to a cell of the path, or past it.

    The latest is looked at first, so that a step of a long trace costs no more than one of a short.
    """
    index = grid.path[_cell(start)]
    return index == 0 or any(
        grid.path[_cell(state.data["move"]["to"])] >= index
        for state in reversed(earlier)
        if state.kind == "step" and state.data["claim"] == "move"
    )


def _cell(written: Sequence[int]) -> Cell:
    return written[0], written[1]


def _unless(right: bool, reason: str) -> str:
    return "" if right else reason
