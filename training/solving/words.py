"""Word problems and plain sums: an equation a line."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from agentflow.generators.word_problems import EVERY, Theme, written
from training.cases import words
from training.cases.case import is_held_out
from training.here import domain
from training.solving.trace import Worked

EASY = 0.4
"""Share of the problems that are plain sums; none of the held-out ones is."""
_TERMS = (2, 4)


def worked(
    rng: random.Random,
    *,
    held_out: bool = False,
    steps: tuple[int, int] = words.STEPS,
    easy: float = EASY,
    themes: Sequence[Theme | None] = EVERY,
) -> Iterator[Worked]:
    """Endless problems, worked out; those that are no plain sums are about ``themes``."""
    while True:
        if not held_out and rng.random() < easy:
            one = _sum(rng)
            if not is_held_out(one.problem.text):
                yield one
        else:
            problem, equations = words.draw(rng, held_out=held_out, steps=steps, themes=themes)
            lines = tuple(one.line for one in equations)
            yield Worked(problem, lines, written(equations[-1].value))


def _sum(rng: random.Random) -> Worked:
    """Some operations in a row, each on what the one before came to."""
    value = rng.randint(2, words.LARGEST)
    asked, lines = f"What is {value}", list[str]()
    for number in range(rng.randint(*_TERMS) - 1):
        operator, other, result = rng.choice(_operations(rng, value))
        link = "" if number == 0 else ", then"
        asked += f"{link} {operator} {other}"
        lines.append(f"That is: {value} {operator} {other} = {result}")
        value = result
    return Worked(domain("math").parse(f"{asked}?"), tuple(lines), str(value))


def _operations(rng: random.Random, value: int) -> list[tuple[str, int, int]]:
    """What may be done to a number: operator, the other number, the result."""
    found = []
    if value < words.LARGEST:
        more = rng.randint(1, words.LARGEST - value)
        found.append(("+", more, value + more))
    if value > 1:
        less = rng.randint(1, value - 1)
        found.append(("-", less, value - less))
    if 1 < value <= words.LARGEST // 2:
        times = rng.randint(2, words.LARGEST // value)
        found.append(("*", times, value * times))
    divisors = [one for one in range(2, 13) if value % one == 0 and one < value]
    if divisors:
        by = rng.choice(divisors)
        found.append(("/", by, value // by))
    return found
