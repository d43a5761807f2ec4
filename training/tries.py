"""Seeded second tries: a solution, what a reviewer found in it, rightly or not, and a right trace.

A reviewer is a model: it finds fault with right solutions, it names the wrong place, and some only
name a line. So a solver weighs what it is told.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from agentflow.domains import arithmetic
from agentflow.nodes.critic import doubted
from training import flawed, game24, mistakes, solving
from training.flawed import SHOULD_BE
from training.game24 import DOUBTED, Part
from training.mistakes import Example
from training.texts import by_turns

RIGHT = 0.4
"""Share of the solutions that are right, whatever the reviewer says."""
MISTAKEN = 0.2
"""Share of the reviews of wrong solutions that are about another mistake."""

Attempt = Callable[[bool], Example]
"""An attempt at a problem, with a mistake or without."""


@dataclass(frozen=True, slots=True)
class Try:
    """A second try.

    Attributes:
        first: The first one; its reason is what the reviewer says.
        trace: A right one, without its prompt.
    """

    first: Example
    trace: list[Part]


def tries(seed: int, *, held_out: bool = False) -> Iterator[Try]:
    """Endless second tries, the domains by turns."""
    rng = random.Random(seed)
    numbers = game24.puzzles()[held_out]
    others = flawed.problems(rng, held_out=held_out)
    for name in by_turns(rng, flawed.TURNS):
        if name == "game24":
            puzzle = rng.choice(numbers)
            first = reviewed(rng, lambda wrong, of=puzzle: mistakes.example(rng, of, flawed=wrong))
            _, *trace = game24.trace(rng, puzzle, _found(puzzle, first))
        else:
            one = next(others[name])
            _, *trace = solving.trace(rng, one)
            first = reviewed(rng, lambda wrong, of=one: _attempt(rng, of, wrong))
        yield Try(first, trace)


def reviewed(rng: random.Random, attempt: Attempt) -> Example:
    """An attempt, right or wrong, with what a reviewer says."""
    one = attempt(rng.random() >= RIGHT)
    if one.wrong < 0 or rng.random() < MISTAKEN:
        other = attempt(True)
        # A reviewer that only ever names what is right would be one to obey.
        false = other.line and (other.reason.startswith(SHOULD_BE) or rng.random() < 0.5)
        reason = f"{SHOULD_BE}{other.line}" if false else other.reason
        one = replace(one, reason=reason, line="")
    if rng.random() < DOUBTED:
        lines = [line for line in "".join(one.steps).splitlines() if line.strip()]
        return replace(one, reason=doubted(one.line or rng.choice(lines)))
    return one


def _found(numbers: game24.Numbers, first: Example) -> tuple[game24.Step, ...]:
    """The path of a first try that is right, to be gone again; empty for a wrong one."""
    if first.wrong >= 0:
        return ()
    said = game24.DOMAIN.shown(game24.DOMAIN.answer("".join(first.steps)) or "")
    shown = {arithmetic.show(game24.rewrites(one)[-1]): one for one in game24.preferred(numbers)}
    return shown[said]


def _attempt(rng: random.Random, one: solving.Worked, wrong: bool) -> Example:
    while (found := flawed.example(rng, one, flawed=wrong)) is None:
        pass  # what was got wrong was right all the same
    return found
