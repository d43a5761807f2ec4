"""Small mazes: the path is followed cell by cell, or two places are compared."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from agentflow.domains.maze import problem as maze
from agentflow.domains.maze.grid import STEPS
from agentflow.generators import mazes
from training.cases.case import is_held_out
from training.solving.trace import Worked

KINDS = ("right", "left", "total", "relation")
SIZE = (2, 3)
"""Cells between walls: drawings of five to seven lines."""

_LEFT_OUT = re.compile(r"$|Current|Previous|>>> (?!STEP)|\\boxed")
_STEP = re.compile(r">>> STEP \d+: ")
_MOVE = re.compile(r"Move (?P<way>\w+) from \((?P<row>\d+),(?P<column>\d+)\) to \(\d+,\d+\)")
_SWAPS = (
    tuple(STEPS),
    ("STRAIGHT", "RIGHT_TURN", "LEFT_TURN"),
    ("above", "below"),
    ("left of", "right of"),
    ("YES", "NO"),
    ("Yes", "No"),
)


def worked(
    rng: random.Random, *, held_out: bool = False, size: tuple[int, int] = SIZE
) -> Iterator[Worked]:
    """Endless mazes; the lines are the domain's, without those that only repeat."""
    while True:
        kind = (rng.choice(KINDS),)
        (problem,) = mazes.generate(1, rng.getrandbits(32), size=size, kinds=kind)
        if is_held_out(problem.text) == held_out:
            said = (one for one in problem.data["solution"] if not _LEFT_OUT.match(one))
            lines = tuple(_STEP.sub("", line) for line in said)
            yield Worked(problem, lines, maze.truth(problem), _SWAPS, _elsewhere)


def _elsewhere(rng: random.Random, line: str) -> str:
    """A move to another cell than the path's, most often straight on into a wall."""
    if not (found := _MOVE.match(line)):
        return line
    row, column = int(found["row"]), int(found["column"])
    way = rng.choice([one for one in STEPS if one != found["way"]])
    down, right = STEPS[way]
    moved = f"Move {way} from ({row},{column}) to ({row + down},{column + right})"
    return moved + line[found.end() :]
