"""Stories about money, of which the other sources have few.

    The pay: 3 * $13 = $39

Three in a hundred word problems have whole dollars all along, so that neither the solver nor a
judge that learned from the same problems can do sums in dollars. The judge is shown more of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from training import flawed
from training.mistakes import Example
from training.solving import words

FLAWED = 0.25
"""Share of the solutions with a mistake. A wrong line counts four times."""


def examples(seed: int, *, held_out: bool = False) -> Iterator[Example]:
    """Endless solutions to stories about money; :data:`FLAWED` of them with a mistake."""
    rng = random.Random(f"money {seed}")
    for one in words.worked(rng, held_out=held_out, easy=0.0):
        if "$" in one.problem.text:
            found = flawed.example(rng, one, flawed=rng.random() < FLAWED)
            if found is not None:
                yield found
