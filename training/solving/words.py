"""Word problems: an equation a line."""

from __future__ import annotations

import random
from collections.abc import Iterator

from agentflow.generators.word_problems import written
from training.cases import words
from training.solving.trace import Worked


def worked(rng: random.Random, *, held_out: bool = False) -> Iterator[Worked]:
    """Endless word problems, worked out."""
    while True:
        problem, equations = words.draw(rng, held_out=held_out)
        lines = tuple(one.line for one in equations)
        yield Worked(problem, lines, written(equations[-1].value))
