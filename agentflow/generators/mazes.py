"""Seeded mazes with a marked path, in the wording of SpatialEval, and worked solutions.

A maze is a tree of corridors (depth-first search over the cells with odd coordinates), so that
there is one path from S to E; it is marked by X.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import cycle

from agentflow.domains.maze import problem as maze
from agentflow.domains.maze.grid import STEPS, Cell, Grid, Signs, moved, shown, simulate
from agentflow.problem import Problem

_LEGEND = (
    "Here is a maze. # is a wall, a space is open floor, S is the starting point, E is the exit, "
    "and X marks the path from S to E.\n\n"
)
_TURNS = "How many {kind} turns are there in the provided path (marked by X) from S to E?"
_LIES = "Is the exit (E) {phrase} the starting point (S){displacement}?"
_VERTICAL, _HORIZONTAL = {-1: "above", 1: "below"}, {-1: "left", 1: "right"}
_CORNERS = {-1: "top", 1: "bottom"}
RELATIONS = tuple((row, column) for row in (-1, 0, 1) for column in (-1, 0, 1) if row or column)
"""The signs of the relations that are asked for."""


def generate(
    count: int,
    seed: int,
    *,
    size: tuple[int, int] = (3, 6),
    kinds: Sequence[str] = ("right", "total", "relation"),
) -> Iterator[Problem]:
    """Distinct problems; a longer run begins with a shorter one of the same seed.

    Args:
        size: Least and greatest number of cells between walls, in each direction.
        kinds: What is asked, in turn: ``right``, ``left`` or ``total`` turns, or a ``relation``.

    Yields:
        Problems with the answer as ``gold`` and a worked solution, a list of lines, in
        ``data["solution"]``.
    """
    rng, seen = random.Random(f"mazes {seed}"), set[str]()
    asked = cycle(kinds)
    while len(seen) < count:
        rows = draw(rng, rng.randint(*size), rng.randint(*size))
        kind = next(asked)
        while (text := _text(rng, rows, kind)) in seen:
            rows = draw(rng, rng.randint(*size), rng.randint(*size))
        seen.add(text)
        parsed = maze.parse(text, f"maze-{seed}-{len(seen)}")
        data = parsed.data | {"solution": _solution(parsed)}
        yield Problem(parsed.text, parsed.domain, parsed.id, maze.truth(parsed), data)


def draw(rng: random.Random, height: int, width: int) -> tuple[str, ...]:
    """The rows of a maze with so many cells between its walls."""
    rows = [["#"] * (2 * width + 1) for _ in range(2 * height + 1)]
    cells = [(row, column) for row in range(1, 2 * height, 2) for column in range(1, 2 * width, 2)]
    start, end = rng.sample(cells, 2)
    parent: dict[Cell, Cell] = {start: start}
    stack = [start]
    while stack:
        cell = stack[-1]
        free = [way for way in STEPS if (new := moved(cell, way, 2)) in cells and new not in parent]
        if not free:
            stack.pop()
            continue
        way = rng.choice(free)
        for row, column in (cell, moved(cell, way), moved(cell, way, 2)):
            rows[row][column] = " "
        parent[moved(cell, way, 2)] = cell
        stack.append(moved(cell, way, 2))
    cell = end
    while cell != start:
        before = parent[cell]
        between = (cell[0] + before[0]) // 2, (cell[1] + before[1]) // 2
        for row, column in (cell, between):
            rows[row][column] = "X"
        cell = before
    for (row, column), sign in ((start, "S"), (end, "E")):
        rows[row][column] = sign
    return tuple(map("".join, rows))


def _text(rng: random.Random, rows: tuple[str, ...], kind: str) -> str:
    grid = simulate(rows)
    if kind == "relation":
        real = next(signs for signs in RELATIONS if grid.lies("E", signs))
        signs = real if rng.random() < 0.5 else rng.choice(RELATIONS)
        across = {(True, False): "horizontal", (False, True): "vertical"}
        straight = across.get((bool(signs[0]), bool(signs[1])))
        displacement = f", with no {straight} displacement" if straight else ""
        question = _LIES.format(phrase=phrase(signs), displacement=displacement)
        options = ["Yes", "No"]
    else:
        question = _TURNS.format(kind=kind)
        right = grid.counts[-1][kind]
        wrong = [number for number in range(max(10, right + 3)) if number != right]
        options = list(map(str, rng.sample([right, *rng.sample(wrong, 3)], 4)))
    listed = [f"{letter}. {option}" for letter, option in zip("ABCD", options, strict=False)]
    return _LEGEND + "\n".join([*rows, "", f"Question: {question}", "Options:", *listed])


def phrase(signs: Signs) -> str:
    """How one cell lies to another, in words that go before the other."""
    row, column = signs
    if row and column:
        return f"to the {_CORNERS[row]} {_HORIZONTAL[column]} of"
    directly = "directly " if None not in signs else ""
    if row:
        return f"{directly}{_VERTICAL[row]}"
    if column:
        return f"{directly}to the {_HORIZONTAL[column]} of"
    return "in the same row as" if row == 0 else "in the same column as"


def _solution(problem: Problem) -> list[str]:
    """The lines of a right solution, in the format of the prompt."""
    grid, asked = simulate(tuple(problem.data["rows"])), problem.data["asked"]
    lines = [">>> LOCATE START AND EXIT:"]
    lines += [f"{end} position: {shown(grid.ends[end])}" for end in "SE"]
    right = maze.truth(problem)
    if "count" in asked:
        for index in range(len(grid.directions)):
            lines += ["", *_step(grid, index)]
        lines += ["", f">>> FINAL ANSWER: {asked['count'].capitalize()} turns = {right}"]
    else:
        lines += ["", *_compared(grid, asked["of"], asked["signs"])]
        verb = "is" if right == "Yes" else "is not"
        one, other = asked["of"], "S" if asked["of"] == "E" else "E"
        sentence = f"{right.upper()}, {one} {verb} {phrase(asked['signs'])} {other}."
        lines += ["", f">>> FINAL ANSWER: {sentence}"]
    options = problem.data["options"].items()
    letters = [letter for letter, option in options if option.lower() == right.lower()]
    return [*lines, f"\\boxed{{{letters[0] if letters else right}}}"]


def _step(grid: Grid, index: int) -> Iterator[str]:
    cells, way = list(grid.path), grid.directions[index]
    counts = grid.counts[index + 1].items()
    ends = f"from {shown(cells[index])} to {shown(cells[index + 1])}"
    yield f">>> STEP {index + 1}: Move {way} {ends}"
    yield f"Current position: {shown(cells[index + 1])}"
    yield f"Previous direction: {grid.directions[index - 1] if index else 'none'}"
    yield f"Current direction: {way}"
    yield f"Turn type: {grid.turns[index]}"
    yield "Running count: " + ", ".join(f"{kind.capitalize()}={count}" for kind, count in counts)


def _compared(grid: Grid, one: str, signs: Signs) -> Iterator[str]:
    other = "S" if one == "E" else "E"
    first, second = grid.ends[one], grid.ends[other]
    real = [(a > b) - (a < b) for a, b in zip(first, second, strict=True)]
    yield ">>> COMPARE POSITIONS:"
    for axis, name in enumerate(("row", "column")):
        said = phrase((real[0], None) if axis == 0 else (None, real[1]))
        sign = "=><"[real[axis]]
        numbers = f"{one} {name} ({first[axis]}) {sign} {other} {name} ({second[axis]})"
        yield f"{name.capitalize()} comparison: {numbers} -> {one} is {said} {other}"
    yield ""
    yield ">>> ANALYSIS:"
    for part in ((signs[0], None), (None, signs[1])):
        if part != (None, None):
            says = "YES" if grid.lies(one, part) else "NO"
            yield f"{one} is {phrase(part)} {other}: {says}"
    yield f"Therefore {one} is {phrase(real)} {other}."
