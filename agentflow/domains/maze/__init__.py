"""Mazes in the manner of SpatialEval: follow the marked path, count its turns, compare S and E."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from agentflow.domains import choices
from agentflow.domains.maze.claims import Claim, plain, questions, read
from agentflow.domains.maze.grid import Grid, simulate
from agentflow.domains.maze.judging import error, move_error, reached
from agentflow.domains.protocol import Domain
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict

_MAX_TEXT = 100_000
_MAX_LINE = 300
_NUMBER = re.compile(
    r"(?:(?:(right|left|total) )?turns? ?(?:=|:|is|are) ?)?(\d{1,6})"
    r"(?: (?:(right|left|total) )?turns?)?"
)
_YES_NO = re.compile(r"(yes|no)(?:[,.;:]? (?:the )?(?:e|s|\(e\)|\(s\)|exit|start\w*)\b.*)?")


class Maze(Domain):
    """The domain, with a verifier that simulates the path.

    The problem is a drawing (``#``, space, ``X``, one ``S``, one ``E``; the marked cells are a
    single path), one question and, mostly, options. The questions: how many right, left or total
    turns, and whether the exit lies so or so to the starting point, or the other way round.

    A ``step`` is one line in the format of paper 000, appendix A.2.1: where S or E is, a move, what
    is said under a move (position, directions, turn, running count), a comparison, a relation, and
    what an answer line says of them. A ``candidate`` is an answer line or a boxed answer. A move
    may go several cells straight on, and may begin wherever the path has been followed to; behind
    a line that might be a move and cannot be read it may begin anywhere on the path.

    Error kinds: ``location``, ``not_reached``, ``direction``, ``wall``, ``off_path``, ``position``,
    ``previous_direction``, ``turn``, ``count``, ``comparison``, ``relation``, and of answers
    ``wrong_answer`` and ``not_an_answer``.
    """

    name = "maze"
    description = "Questions about the marked path through a drawn maze, and where S and E lie."
    example = (
        "#####\n#SX #\n##X##\n#EX #\n#####\n"
        "How many right turns are there in the provided path from S to E?\nA. 0\nB. 1\nC. 2"
    )
    complete = True
    """The final verifier accepts every right answer and no wrong one."""

    def parse(self, text: str, id: str = "") -> Problem:
        """:func:`parse`."""
        return parse(text, id)

    def extract(
        self, problem: Problem, line: str, offset: int, memory: dict[str, Any]
    ) -> tuple[dict[str, Any], list[State]]:
        """What one line claims; the last move is remembered for the lines under it."""
        if len(line) > _MAX_LINE:
            return memory, []
        text = plain(line)
        memory, claims = read(text, memory)
        end = offset + len(line)
        states = [State("step", claim, offset, end) for claim in claims]
        answer = self.answer(line) if "answer" in text or "boxed" in text else None
        if answer is not None and self.normalise(problem, answer) is not None:
            states.append(State("candidate", {"answer": answer}, offset, end))
        return memory, states

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        """Where a move may begin depends on the earlier ones, all taken as right."""
        if state.kind == "candidate":
            return await self.verify_answer(problem, state.data["answer"])
        grid, claim = _grid(problem), state.data
        wrong = move_error(grid, claim["move"]) if "move" in claim else None
        if claim["claim"] != "move":
            if wrong:
                return Verdict(None, "it speaks of a move that is wrong", source=self.name)
            reason = error(grid, claim)
            wrong = (claim["claim"], reason) if reason else None
        elif not wrong and not claim["gap"] and not reached(grid, earlier, claim["move"]["from"]):
            wrong = "not_reached", "the steps so far have not come to where this one begins"
        return self.wrong(*wrong) if wrong else Verdict(True, source=self.name)

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Compare an answer with :func:`truth`."""
        said = self.normalise(problem, answer)
        if said is None:
            return self.wrong("not_an_answer", f"{answer[:60]!r} does not answer the question")
        if said == truth(problem):
            return Verdict(True, source=self.name, evidence={"answer": said})
        how = "follow the path" if "count" in problem.data["asked"] else "compare where S and E are"
        return self.wrong("wrong_answer", f"{said} is not the answer; {how} again")

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """A number, ``Yes`` or ``No``, whether given as an option's letter or as itself."""
        if len(answer) > _MAX_LINE:
            return None
        asked, options = problem.data["asked"], problem.data["options"]
        text = plain(answer).strip(" .\"'")
        option, rest = choices.named(text, options)
        named = None if option is None else _value(asked, plain(option))
        if option is not None and not rest:
            return named
        said = _value(asked, rest.strip("() "))
        return said if option is None or said == named else None


def parse(text: str, id: str = "") -> Problem:
    """The problem in ``text``: a maze, a question and, if there are any, options.

    Raises:
        BadInput: If the maze, the question or the options cannot be used; says which and why.
    """
    if len(text) > _MAX_TEXT:
        raise BadInput(f"maze: the problem has more than {_MAX_TEXT:,} characters")
    rows = _rows(text)
    simulate(rows)
    try:
        before, options = choices.split(text)
    except BadInput as error:
        raise BadInput(f"maze: {error}") from error
    asked = _asked(before)
    data = {"question": text.strip(), "rows": list(rows), "asked": asked, "options": options}
    problem = Problem(text.strip(), "maze", id or text.strip(), data=data)
    right = truth(problem)
    if options and right not in [_value(asked, plain(option)) for option in options.values()]:
        listed = ", ".join(f"{letter}. {option}" for letter, option in options.items())
        raise BadInput(f"maze: the answer is {right}, which is none of the options {listed[:200]}")
    return problem


def truth(problem: Problem) -> str:
    """The right answer: a number, ``Yes`` or ``No``."""
    grid, asked = _grid(problem), problem.data["asked"]
    if "count" in asked:
        return str(grid.counts[-1][asked["count"]])
    return "Yes" if grid.lies(asked["of"], asked["signs"]) else "No"


def _rows(text: str) -> tuple[str, ...]:
    """The rows of the drawing: the lines that begin and end with a wall."""
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
    return tuple(rows)


def _asked(text: str) -> Claim:
    """What is asked."""
    found = questions(plain(text))
    if not found:
        raise BadInput(
            "maze: no question of a known kind; known: 'How many right (left, total) turns are "
            "there in the path?', 'Is the exit (E) to the top left of the starting point (S)?'"
        )
    if any(one != found[0] for one in found):
        raise BadInput("maze: there are two questions; ask one")
    return found[0]


def _value(asked: Claim, text: str) -> str | None:
    """The number, Yes or No that a plain text says; None if it says none, or of something else."""
    if "count" in asked:
        number = _NUMBER.fullmatch(text)
        if number is None or {number[1], number[3]} - {None, asked["count"]}:
            return None
        return str(int(number[2]))
    said = _YES_NO.fullmatch(text)
    return said and said[1].capitalize()


def _grid(problem: Problem) -> Grid:
    return simulate(tuple(problem.data["rows"]))
