"""Questions about people who never lived: the facts that decide them, a line each.

Who is asked about in held-out problems is told of elsewhere: everybody's facts are learned, but not
these questions.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from training.cases import facts
from training.here import domain
from training.solving.trace import Worked

_TOLD = 0.4
"""Share of the questions that only ask who somebody was."""


def worked(rng: random.Random, *, held_out: bool = False) -> Iterator[Worked]:
    """Endless questions."""
    while True:
        if not held_out and rng.random() < _TOLD:
            yield _who(rng.choice(facts.people()))
        else:
            case = facts.make(rng, None, held_out=held_out)
            answer = case.lines[-1].removeprefix("Answer: ")
            yield Worked(case.problem, case.lines[:-1], answer, _swaps())


def _who(person: facts.Person) -> Worked:
    problem = domain("commonsense").parse(f"What was the work of {person.name}?")
    born = (f"Fact: {person.name} was born in {said}." for said in (person.town, person.year))
    lines = (*born, f"Fact: {person.name} was a {person.work}.")
    return Worked(problem, lines, person.work, _swaps())


@cache
def _swaps() -> tuple[tuple[str, ...], ...]:
    towns, works = (sorted({getattr(one, of) for one in facts.people()}) for of in ("town", "work"))
    return tuple(towns), tuple(works), ("yes", "no")
