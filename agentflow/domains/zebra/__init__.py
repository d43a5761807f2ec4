"""Zebra: logic grids in the wording of ZebraLogic; what the clues decide is decided by Z3."""

from __future__ import annotations

from collections.abc import Sequence

from agentflow.domains import answers
from agentflow.domains.protocol import Domain, Memory, Read
from agentflow.domains.zebra import checks, grid, solver
from agentflow.domains.zebra.claims import Relation, claims, sentence
from agentflow.domains.zebra.puzzle import EXAMPLE, Cell, parse, plain
from agentflow.domains.zebra.respelled import respelled
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict

_MAX_LINE = 600


class Zebra(Domain):
    """Which value stands in which house, given clues.

    States: a ``step`` claims what follows from the clues, behind ``From 1, 3:`` or ``Step:``
    (what the numbers say is not judged): ``House 2: Name = Eric, Drink is not tea``, or sentences
    in the wording of the clues. What looks like a step and cannot be read is one with the claim
    ``unread``. A ``candidate`` is a whole grid: JSON, a table, or a line a house.

    A claim is judged by all clues that can be read; the numbers of the others are in
    ``data["unread"]``, and where there are any no answer passes. Nothing is decided where one of
    those may be more than a clue (``clue 2 is a lie``). A claim that the clues leave open cannot be
    told (kind ``undetermined``).

    Error kinds: ``contradicted`` of a step; of answers ``no_such_house``, ``duplicate``,
    ``incomplete`` and ``clue_violated``.
    """

    name = "zebra"
    description = "A logic grid: which value stands in which house, given clues."
    example = EXAMPLE
    form = "a line for each house with all of its values, a table, or JSON"
    opening = ""
    complete = True
    """Where all clues can be read and leave one arrangement; elsewhere no verdict passes one."""

    def parse(self, text: str, id: str = "") -> Problem:
        """The puzzle in ``text``, the last one if there are several (an example before it).

        Raises:
            BadInput: If there is none, its attributes do not fit its houses, or anything besides
                the clues was not understood.
        """
        puzzle = parse(text)
        for example in puzzle.examples:
            for clue in example.clues.values():
                if sentence(example, clue) is None:
                    raise BadInput(f"zebra: could not read {clue[:80]!r} of an example")
        unread = [n for n, clue in puzzle.clues.items() if sentence(puzzle, clue) is None]
        data = {"puzzle": puzzle.text, "unread": unread}
        return Problem(text.strip(), self.name, id or text.strip(), data=data)

    def unsolvable(self, problem: Problem) -> str | None:
        """Why no arrangement meets the clues; None if one does or Z3 cannot tell."""
        if solver.unclear(problem.text) is not None:
            return None
        found = solver.left(problem.text)
        if found.arrangements or not found.complete:
            return None
        return f"clues {', '.join(map(str, found.against))} contradict each other"

    def extract(self, problem: Problem, line: str, offset: int, memory: Memory) -> Read:
        """The claim of one line, or the grid that it completes."""
        end = offset + len(line)
        puzzle = parse(problem.text)
        said = plain(line[: _MAX_LINE + 1])
        left, claim = answers.claimed(said, memory)
        memory = {key: memory[key] for key in memory if key not in answers.CLAIMING}
        if "below" in left:
            return memory | left, []
        if claim and claim.labelled:
            plainly = claim.plain and len(line) <= _MAX_LINE
            read = plainly and claims(puzzle, claim.text) is not None
            data = {"claim": claim.text} if read else {"claim": "unread", "text": claim.text}
            return grid.scan(line, memory) | left, [State("step", data, offset, end)]
        found = list[State]()
        if claim and claim.plain and len(said) <= _MAX_LINE and claims(puzzle, said):
            found = [State("step", {"claim": said}, offset, end)]
        memory = grid.scan(line, memory) | left
        cells = memory.get("cells", [])
        whole = puzzle.houses * len(puzzle.values)
        if len(cells) < whole or len(cells) <= memory.get("tried", 0) or not grid.clean(memory):
            return memory, found
        filled = grid.fill(puzzle, cells)
        if filled is None or (isinstance(filled, grid.Fault) and filled.kind != "duplicate"):
            return memory | {"tried": len(cells)}, found
        told = State("candidate", {"answer": grid.show(cells)}, offset, end)
        return memory | {"tried": grid.MAX_CELLS}, [*found, told]

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        """Whether the clues entail a claim. Earlier steps are entailed, so they add nothing."""
        if state.kind == "candidate":
            return await self.verify_answer(problem, state.data["answer"])
        claim = state.data.get("text") or state.data["claim"]
        said = None if "text" in state.data else claims(parse(problem.text), claim)
        if said is None:
            return self.unread(claim)
        if (clue := solver.unclear(problem.text)) is not None:
            return self.unread(clue)
        return await self._judge(problem, said, claim)

    def answer(self, text: str) -> str | None:
        """The grid behind the last line ``Answer:``, else the last one, as lines; with all that is
        said behind its beginning where that is more than a grid."""
        stated = grid.stated(text)
        bare = stated and stated.removesuffix(grid.ODDS)
        return stated if bare and grid.whole(bare) else grid.stated(respelled(text)) or stated

    def shown(self, answer: str) -> str:
        return answer.removesuffix(grid.ODDS)

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Whether ``answer`` is the one arrangement that meets the clues."""
        if (bare := answer.removesuffix(grid.ODDS)) != answer:
            verdict = await self.verify_answer(problem, bare)
            return verdict if verdict.ok is False else self.unread(answer)
        puzzle = parse(problem.text)
        if (unclear := solver.unclear(problem.text)) is not None:
            return self.unread(unclear)
        places = self._places(problem, answer)
        if places is None:
            return self.unread(answer)
        if isinstance(places, grid.Fault):
            return self.wrong(places.kind, places.reason)
        for number, clue in puzzle.clues.items():
            relation = sentence(puzzle, clue)
            if relation is not None and not relation.holds(places):
                return self.wrong("clue_violated", f"clue {number} does not hold: {clue}")
        stands = [Relation(one, None, frozenset({house})) for one, house in places.items()]
        verdict = await self._judge(problem, stands, "the answer")
        if verdict.ok and (unread := problem.data["unread"]):
            # The others leave nothing else, but it may break this one: then there is no answer.
            return self.unread(puzzle.clues[unread[0]])
        return verdict

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """A line a house, its values in the order of the attributes; None if it is no grid."""
        puzzle = parse(problem.text)
        places = self._places(problem, answer)
        if not isinstance(places, dict):
            return None
        lines: list[list[str]] = [[] for _ in range(puzzle.houses)]
        for one in sorted(places):
            lines[places[one] - 1].append(puzzle.written(one))
        return "\n".join(f"House {n}: {', '.join(line)}" for n, line in enumerate(lines, 1))

    def is_answer(self, problem: Problem, text: str) -> bool:
        """Whether a text is a grid, even one that is faulty."""
        return self._places(problem, text) is not None

    def _places(self, problem: Problem, answer: str) -> dict[Cell, int] | grid.Fault | None:
        """Where an answer puts each value, what is wrong with it, or None if it is no grid or
        ends in a check that it does not pass."""
        puzzle = parse(problem.text)
        if (cells := grid.whole(answer) or grid.whole(respelled(answer))) is not None:
            return grid.fill(puzzle, cells)
        if (checked := checks.without(puzzle, answer)) is None:
            return None
        rest, said = checked
        cells = grid.whole(grid.stated(rest) or "")
        places = None if cells is None else grid.fill(puzzle, cells)
        passed = isinstance(places, dict) and all(one.holds(places) for one in said)
        return places if passed else None

    async def _judge(self, problem: Problem, said: Sequence[Relation], claim: str) -> Verdict:
        match await solver.judged(problem.text, said):
            case "entailed":
                return Verdict(True, source=self.name, evidence={"claim": claim})
            case "contradicted":
                return self.wrong("contradicted", f"the clues say the opposite of: {claim}")
            case "undetermined":
                reason = f"the clues leave it open: {claim}"
                return Verdict(None, reason, "undetermined", source=self.name)
        return Verdict(None, "the clues cannot be decided", source=self.name)
