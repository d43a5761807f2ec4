"""Mazes in the manner of SpatialEval: follow the marked path, count its turns, compare S and E."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from agentflow.domains import answers, choices
from agentflow.domains.answers import conclusions
from agentflow.domains.maze import beside, counts, told
from agentflow.domains.maze.claims import plain, read, unread
from agentflow.domains.maze.counts import MAX_LINE, TOTAL
from agentflow.domains.maze.grid import shown
from agentflow.domains.maze.judging import error, move_error, reached
from agentflow.domains.maze.problem import grid_of, parse, truth, turns
from agentflow.domains.maze.values import bare, lying, value
from agentflow.domains.protocol import UNREAD, Domain, Memory, Read
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict

_ALONE = re.compile(r"(?P<said>(?:[A-J][.):]? ?)?\(?(?:[Yy]es|[Nn]o|\d{1,4})\)?|[A-J])[.!]?")
_LETTERED = re.compile(
    r"(?P<said>[A-J](?:[.):] ?(?:[Yy]es|[Nn]o|\d{1,4}))?|(?:[Yy]es|[Nn]o|\d{1,4}) \([A-J]\))[.!]?"
)
"""An option, which may stand behind other sentences."""
_OPENED = re.compile(
    r"(?m)\s*(?P<said>[A-J][.):] ?(?:[Yy]es|[Nn]o|\d{1,4})|(?:[Yy]es|[Nn]o|\d{1,4})(?: \([A-J]\))?"
    r"|[A-J])(?:[.](?![.])|[,:!]| ?[-\u2013\u2014]|$)"
)
_OPTION = re.compile(r"(?i)^(?:option|choice) ")
_FIRST = re.compile(r"(?is)[^.:!?\n]+(?=[.:]\s)(?!.*\b(?:no|wait|hmm+|actually|sorry|oops|but)\b)")
_AGAIN = re.compile(r"(?P<n>\w+) \((?P<again>[^()]+)\)")
"""A number with a remark that says it again: ``2 (two right turns)``."""


class Maze(Domain):
    """The domain, with a verifier that simulates the path.

    The problem is a drawing (``#``, space, ``X``, one ``S``, one ``E``; the marked cells are a
    single path), one question and, mostly, options. The questions: how many right, left or total
    turns, and whether the exit lies so or so to the starting point, or the other way round.

    A ``step`` is one line in interwhen's format (appendix A.2.1): where S or E is, a move, what
    is said under a move (position, directions, turn, running count), a comparison, a relation, and
    what an answer line says of them. A ``candidate`` is an answer line or a boxed answer. A move
    may go several cells straight on, and may begin wherever the path has been followed to; behind
    a line that might be a move and cannot be read it may begin anywhere on the path.

    What is read: around the drawing a legend of its signs, what a right and a left turn are, one
    question, and how to answer; the turns may be asked for from S to E or from E to S (steps along
    the path are then not judged). Any other word there is a ``BadInput``. A line that begins like a
    step is read to its last word, or is a step that cannot be told (kind ``unread``), and so is an
    answer.

    Error kinds: ``location``, ``not_reached``, ``direction``, ``wall``, ``off_path``, ``position``,
    ``previous_direction``, ``turn``, ``count``, ``comparison``, ``relation``, and of answers
    ``wrong_answer``.
    """

    name = "maze"
    description = "Questions about the marked path through a drawn maze, and where S and E lie."
    example = (
        "#####\n#SX #\n##X##\n#EX #\n#####\n"
        "How many right turns are there in the provided path from S to E?\nA. 0\nB. 1\nC. 2"
    )
    form = "a number, Yes or No, or the letter of an option"
    complete = True
    """The final verifier accepts every right answer and no wrong one."""

    def parse(self, text: str, id: str = "") -> Problem:
        """:func:`parse`."""
        return parse(text, id)

    def extract(self, problem: Problem, line: str, offset: int, memory: Memory) -> Read:
        """What one line claims; the last move is remembered for the lines under it."""
        memory, states = self.with_candidates(self._steps, problem, line, offset, memory)
        subject = conclusions.of_subject(line)
        if subject and self.normalise(problem, counts.stated(subject) or "") is None:
            states = [state for state in states if state.kind != "candidate"]
        for state in states:
            if state.kind == "candidate":
                said = state.data["answer"]
                state.data["answer"] = conclusions.grounded(said, beside.beside(line, said))
        return memory, states

    def _steps(self, problem: Problem, line: str, offset: int, memory: Memory) -> Read:
        if len(line) > MAX_LINE:
            claims = unread(plain(line[:MAX_LINE]))
            states = [State("step", claim, offset, offset + len(line)) for claim in claims]
            return ({"gap": True} if claims else memory), states
        memory, claims = read(plain(line), memory)
        end = offset + len(line)
        return memory, [State("step", claim, offset, end) for claim in claims]

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        """Where a move may begin depends on the earlier ones, all taken as right."""
        if state.kind == "candidate":
            return await self.verify_answer(problem, state.data["answer"])
        grid, claim = grid_of(problem), state.data
        if claim["claim"] == "unread":
            return self.unread(claim["text"])
        if problem.data["asked"].get("back") and ("move" in claim or claim["claim"] == "count"):
            return Verdict(None, "steps are judged on a path from S to E", UNREAD, source=self.name)
        wrong = move_error(grid, claim["move"]) if "move" in claim else None
        if claim["claim"] != "move":
            if wrong:
                return Verdict(None, "it speaks of a move that is wrong", source=self.name)
            reason = error(grid, claim)
            wrong = (claim["claim"], reason) if reason else None
        elif not wrong and not claim["gap"] and not reached(grid, earlier, claim["move"]["from"]):
            wrong = "not_reached", "the steps so far have not come to where this one begins"
        return self.wrong(*wrong) if wrong else Verdict(True, source=self.name)

    def answer(self, text: str) -> str | None:
        """What the text states as its answer, which may be the count, or the Yes or No, of its last
        line, or stand at its beginning or end; with all that the text says beside it."""
        last = conclusions.last_line(text)
        found = answers.settled(
            text,
            lambda line: counts.stated(answers.unlabelled(line)) or lying(last),
            conclusions.by_letter,
        )
        said = found.text if found else None
        if said and _ALONE.fullmatch(said.partition(": ")[0]):
            said = said.partition(": ")[0]
        subject = conclusions.of_subject(text) if found else None
        if subject and not TOTAL.fullmatch(subject):
            said = counts.stated(subject)
        elif said:
            said = conclusions.counted(text, said, alone=True) or said
        maybe = [] if said else [beside.MAYBE]
        said = said or _at_an_end(text)
        if said is None:
            return None
        return conclusions.grounded(said, [*maybe, *beside.beside(text, said)])

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Compare an answer with :func:`truth`; it passes only where its grounds hold."""
        said, right = self.normalise(problem, answer), truth(problem)
        if said is None:
            return self.unread(answer)
        grounds = conclusions.parted(answer)[1]
        maybe = beside.MAYBE in grounds
        if not all(one == beside.MAYBE or one.startswith(conclusions.TOLD) for one in grounds):
            return self.unread(answer)
        normal = partial(self.normalise, problem)
        if said == right:
            if not _goes_with(problem, answer, said, normal):
                return self.unread(answer, lambda one: _goes_with(problem, one, said, normal))
            return Verdict(True, source=self.name, evidence={"answer": said})
        if maybe or right in map(normal, told.stated(_told(answer))):
            return self.unread(answer)
        how = "follow the path" if "count" in problem.data["asked"] else "compare where S and E are"
        return self.wrong("wrong_answer", f"{said} is not the answer; {how} again")

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """A number, ``Yes`` or ``No``, whether given as an option's letter or as itself.

        None for any answer with a word more, and for one that says two things.
        """
        answer, _ = conclusions.parted(answer)
        if len(answer) > MAX_LINE:
            return None
        options = problem.data["options"]
        text = bare(plain(answer.replace("**", "")))
        if both := counts.both(text):
            return _of_two(problem, both)
        again = _AGAIN.fullmatch(text)
        both_said = [value(problem.data["asked"], one) for one in again.groups()] if again else []
        if both_said and None not in both_said:
            return both_said[0] if both_said[0] == both_said[1] else None
        option, rest = choices.named(text, options)
        named = None if option is None else value(problem.data["asked"], option)
        if option is not None and not rest:
            return named
        said = value(problem.data["asked"], bare(rest), grid_of(problem))
        return said if option is None or said == named else None

    def unfinished(self, problem: Problem, earlier: Sequence[State]) -> str | None:
        """Why the steps so far do not bear an answer; None if they do, or claim no way at all.

        Args:
            earlier: The steps that passed.
        """
        if "count" not in problem.data["asked"] or problem.data["asked"].get("back"):
            return None
        grid = grid_of(problem)
        ends = [
            grid.path.get((row, column), 0)
            for state in earlier
            if state.kind == "step" and state.data["claim"] == "move"
            for row, column in [state.data["move"]["to"]]
        ]
        last = list(grid.path)[max(ends)] if ends else grid.ends["E"]
        return None if last == grid.ends["E"] else f"the path was followed only to {shown(last)}"


def _at_an_end(text: str) -> str | None:
    """The answer that a text ends in, states anywhere or opens with, whatever else it says: that is
    read, too."""
    bare = text.replace("**", "").strip()
    last = bare.rpartition("\n")[2].strip()
    if alone := _ALONE.fullmatch(last) or _LETTERED.fullmatch(told.last_sentence(last)):
        return alone["said"]
    said = (_OPTION.sub("", one.text.strip(" *")) for one in answers.statements(text))
    if stated := [one.rstrip(" .*") for one in said]:
        alike = all(conclusions.by_letter(one, stated[-1]) for one in stated)
        return stated[-1] if alike else None
    if opened := _OPENED.match(bare):
        return opened["said"]
    first, end = _FIRST.match(bare), told.last_sentence(last)
    begun = counts.stated(first[0]) if first else None
    return begun or (None if answers.asks(end) else counts.stated(end))


def _told(answer: str) -> str:
    """What is told beside an answer."""
    told_ = (one for one in conclusions.parted(answer)[1] if one.startswith(conclusions.TOLD))
    return "".join(told_).removeprefix(conclusions.TOLD)


def _goes_with(problem: Problem, answer: str, said: str, normal: told.Normal) -> bool:
    """Whether all that is told beside an answer, which is ``said``, is understood, and right."""
    return told.holds(problem, _told(answer), said, normal)


def _of_two(problem: Problem, said: dict[str, int]) -> str | None:
    """The number of turns that is asked for, of those of both kinds; None where it is right, and
    the other one is not."""
    asked = problem.data["asked"].get("count")
    right = {kind: turns(problem, kind) for kind in said}
    if asked not in said or (said != right and said[asked] == right[asked]):
        return None
    return str(said[asked])
