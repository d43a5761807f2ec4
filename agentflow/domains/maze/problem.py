"""The problem: a drawn maze, a question and options; and its right answer."""

from __future__ import annotations

from dataclasses import replace

from agentflow.domains import choices
from agentflow.domains.maze import wording
from agentflow.domains.maze.grid import Grid, simulate
from agentflow.domains.maze.values import value
from agentflow.errors import BadInput
from agentflow.problem import Problem

_MAX_TEXT = 100_000
_SEEN_BACK = {"right": "left", "left": "right"}
"""What a turn is from E to S."""


def parse(text: str, id: str = "") -> Problem:
    """The problem in ``text``: a maze, a question and, if there are any, options.

    Raises:
        BadInput: If the maze, the question or the options cannot be used; says which and why.
    """
    if len(text) > _MAX_TEXT:
        raise BadInput(f"maze: the problem has more than {_MAX_TEXT:,} characters")
    rows, around = _drawn(text)
    simulate(rows)
    try:
        before, said, behind = choices.parts(around)
    except BadInput as error:
        raise BadInput(f"maze: {error}") from error
    asked = wording.question_in(f"{before}\n{behind}")
    options = {letter: option.rstrip(" .") for letter, option in said.items()}
    known = {letter: value(asked, option) for letter, option in options.items()}
    others = {one for one in options if known[one] is None and choices.says_none(options[one])}
    options = {letter: option for letter, option in options.items() if letter not in others}
    values = [known[letter] for letter in options]
    data = {"question": text.strip(), "rows": list(rows), "asked": asked, "options": options}
    problem = Problem(text.strip(), "maze", id or text.strip(), data=data)
    right = truth(problem)
    if options and values.count(right) != 1:
        listed = ", ".join(f"{letter}. {option}" for letter, option in options.items())
        how = "none" if right not in values else "more than one"
        raise BadInput(f"maze: the answer is {right}, which is {how} of the options {listed[:200]}")
    if None in values:
        option = list(options.values())[values.index(None)]
        raise BadInput(f"maze: could not read the option {option[:60]!r}")
    return problem


def truth(problem: Problem) -> str:
    """The right answer: a number, ``Yes`` or ``No``."""
    grid, asked = grid_of(problem), problem.data["asked"]
    if "count" in asked:
        return str(turns(problem, asked["count"]))
    return "Yes" if grid.lies(asked["of"], asked["signs"]) else "No"


def turns(problem: Problem, kind: str) -> int:
    """How often the path turns so, in the direction that is asked about."""
    seen = _SEEN_BACK.get(kind, kind) if problem.data["asked"].get("back") else kind
    return grid_of(problem).counts[-1][seen]


def chosen(problem: Problem, ground: str) -> str | None:
    """The number, Yes or No that a ground says, or the option that it names."""
    option, rest = choices.named(ground, problem.data["options"])
    return value(problem.data["asked"], ground if option is None or rest else option)


def grid_of(problem: Problem) -> Grid:
    return simulate(tuple(problem.data["rows"]))


def drawn_from(problem: Problem) -> Grid:
    """The path as it is asked about: where that is from E to S, both keep their names."""
    grid = grid_of(problem)
    if not problem.data["asked"].get("back"):
        return grid
    swapped = str.maketrans("SE", "ES")
    back = simulate(tuple(row.translate(swapped) for row in grid.rows))
    return replace(back, rows=grid.rows, ends=grid.ends)


def _drawn(text: str) -> tuple[tuple[str, ...], str]:
    """(the rows of the drawing: the lines that begin and end with a wall, the text around them)."""
    lines = [line.strip() for line in text.splitlines()]
    drawn = [i for i, line in enumerate(lines) if line[:1] == line[-1:] == "#" and len(line) > 2]
    if not drawn:
        raise BadInput("maze: no maze is drawn; its rows begin and end with #, as in #S X E#")
    if drawn[-1] - drawn[0] + 1 != len(drawn):
        raise BadInput("maze: there are two mazes, or rows that do not begin and end with #")
    rows = [lines[i] for i in drawn]
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            sizes = f"row {number} has {len(row)} cells, row 0 has {len(rows[0])}"
            raise BadInput(f"maze: not rectangular: {sizes}")
        if strange := set(row) - set("#SEX "):
            raise BadInput(
                f"maze: row {number} has {min(strange)!r}; a cell is one of # X S E space"
            )
    return tuple(rows), "\n".join([*lines[: drawn[0]], "", *lines[drawn[-1] + 1 :]])
