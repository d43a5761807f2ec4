"""What the clues of a logic grid decide, by Z3; where they leave one arrangement, by looking at it.

Puzzles are given as the text of their problem, of which they are parsed once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import z3

from agentflow.domains.zebra.claims import Relation, constrains, sentence
from agentflow.domains.zebra.puzzle import Cell, parse
from agentflow.tools.entailment import Outcome, Theory, context, in_thread, wait

Arrangement = dict[Cell, int]
"""The house of every value."""
Places = Mapping[Cell, Sequence[Any]]
"""For every value, whether it stands in house 1, 2, and so on: Z3's booleans."""


@dataclass(frozen=True, slots=True)
class Left:
    """What the clues leave, of those that can be read.

    A clue that cannot be read can only rule more out, if it is no more than a clue
    (:func:`unclear`): what the others entail or contradict stays so.

    Attributes:
        arrangements: That meet the clues; two at most.
        complete: Whether there are no others.
        against: The numbers of clues that contradict each other, where some do.
    """

    arrangements: list[Arrangement]
    complete: bool
    against: list[int]

    def shows(self, claims: Sequence[Relation]) -> Outcome | None:
        """What the arrangements alone say of claims taken together."""
        said = {all(claim.holds(one) for claim in claims) for one in self.arrangements}
        if len(said) == 2:
            return "undetermined"
        if not said or not self.complete:
            return None
        return "entailed" if said.pop() else "contradicted"


_known: dict[str, Left] = {}
_MAX_KNOWN = 256


@lru_cache(maxsize=256)
def unclear(text: str) -> str | None:
    """The first clue that may change what the others mean, since it cannot be read; None if there
    is none. Then nothing can be decided."""
    puzzle = parse(text)
    unread = (clue for clue in puzzle.clues.values() if sentence(puzzle, clue) is None)
    return next((clue for clue in unread if not constrains(puzzle, clue)), None)


def left(text: str) -> Left:
    """What the clues of a puzzle leave; waits for Z3."""
    return _known.get(text) or wait(_left, text)


async def judged(text: str, claims: Sequence[Relation]) -> Outcome | None:
    """What the clues of a puzzle say of claims taken together; None where they contradict each
    other, or Z3 does not know in time."""
    known = _known.get(text)
    found = known if known is not None else await in_thread(_left, text)
    outcome = found.shows(claims)
    if outcome is not None or not found.arrangements:
        return outcome
    return await in_thread(_judge, text, claims)


# What follows runs in the thread of Z3 (see agentflow.tools.entailment).


def _left(text: str) -> Left:
    if (known := _known.get(text)) is not None:
        return known
    theory, stands = _theory(text)
    worlds, complete = theory.worlds([place for row in stands.values() for place in row], 2)
    arrangements: list[Arrangement] = []
    for world in worlds:
        places = iter(world)
        arrangements.append(
            {cell: [next(places) for _ in row].index(True) + 1 for cell, row in stands.items()}
        )
    core = theory.contradiction() if complete and not worlds else None
    numbers = [number for number, _ in _read(text)]
    if len(_known) >= _MAX_KNOWN:
        _known.clear()
    _known[text] = Left(arrangements, complete, [numbers[index] for index in core or ()])
    return _known[text]


def _judge(text: str, claims: Sequence[Relation]) -> Outcome | None:
    theory, stands = _theory(text)
    return theory.judge(z3.And([_formula(claim, stands) for claim in claims])).outcome


@lru_cache(maxsize=64)
def _theory(text: str) -> tuple[Theory, Places]:
    puzzle = parse(text)
    houses = range(1, puzzle.houses + 1)
    stands = {
        (attribute, value): [z3.Bool(f"{attribute}_{value}_{house}", context()) for house in houses]
        for attribute, values in enumerate(puzzle.values)
        for value in range(len(values))
    }
    frame = []
    for attribute, values in enumerate(puzzle.values):
        rows = [stands[attribute, value] for value in range(len(values))]
        for row in (*rows, *zip(*rows, strict=True)):
            frame.append(z3.PbEq([(one, 1) for one in row], 1, context()))
    facts = [_formula(clue, stands) for _, clue in _read(text)]
    return Theory(facts, "QF_FD", frame), stands


def _read(text: str) -> list[tuple[int, Relation]]:
    """The clues that can be read, with their numbers."""
    puzzle = parse(text)
    read = ((number, sentence(puzzle, clue)) for number, clue in puzzle.clues.items())
    return [(number, clue) for number, clue in read if clue is not None]


def _formula(claim: Relation, stands: Places) -> Any:
    one = stands[claim.one]
    if claim.other is None:
        there = [one[house - 1] for house in claim.allowed if 0 < house <= len(one)]
        return z3.Or([*there, z3.BoolVal(False, context())])
    other = stands[claim.other]
    return z3.And(
        [
            z3.Or([z3.Not(here), *(at for j, at in enumerate(other) if j - i in claim.allowed)])
            for i, here in enumerate(one)
        ]
    )
