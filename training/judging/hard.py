"""More of what the solver finds hard: arguments, maps, mazes, and sums in dollars.

    The pay: 3 * $13 = $39

Where the solver is wrong half of the time, a judge that began as the solver knows no better. Right
solutions of such problems can be made without end; most of these are right, so that the judge
learns how they go on. Of word problems three in a hundred have whole dollars all along, so that
neither model has learned their sums.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from agentflow.generators.word_problems import MONEY
from training import flawed
from training.mistakes import Example
from training.solving import WORKED, Worked, words
from training.texts import by_turns

FLAWED = 0.25
"""Share of the solutions with a mistake. A wrong line counts four times."""


def examples(seed: int, *, held_out: bool = False) -> Iterator[Example]:
    """Endless solutions, the kinds of problems by turns; :data:`FLAWED` of them have a mistake."""
    rng = random.Random(f"hard {seed}")
    others = [WORKED[name](rng, held_out=held_out) for name in ("logic", "spatialmap", "maze")]
    for problems in by_turns(rng, [dollars(rng, held_out=held_out), *others]):
        found = None
        wrong = rng.random() < FLAWED
        while found is None:
            found = flawed.example(rng, next(problems), flawed=wrong)
        yield found


def dollars(rng: random.Random, *, held_out: bool = False) -> Iterator[Worked]:
    """Endless word problems about money."""
    return words.worked(rng, held_out=held_out, easy=0.0, themes=[MONEY])
