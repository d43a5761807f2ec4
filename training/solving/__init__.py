"""Seeded training texts of solving with thinking, over five domains besides Game of 24.

Each domain has a file here that draws problems with the lines of a right solution; how they become
a trace is the same for all (:mod:`training.solving.trace`). ``python -m training.solving`` writes
problems.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial

from training import game24
from training.game24 import Part
from training.solving import facts, logic, maps, mazes, words
from training.solving.trace import Worked, trace
from training.texts import CONTEXT_CHARACTERS, by_turns, fits

__all__ = ["LONG", "WORKED", "Worked", "drawn", "long_texts", "texts", "trace"]

WORKED = {
    "math": words.worked,
    "maze": mazes.worked,
    "spatialmap": maps.worked,
    "logic": logic.worked,
    "commonsense": facts.worked,
}
"""Domain -> what draws its problems, the held-out ones or the others."""

LONG = {
    "math": partial(words.worked, steps=(5, 6), easy=0.0),
    "maze": partial(mazes.worked, size=(3, 5)),
    "spatialmap": partial(maps.worked, objects=(6, 7), easy=0.0),
    "logic": partial(logic.worked, depth=(4, 5), distractors=4, easy=0.0),
}
"""Domain -> what draws problems of its that take more lines."""


def texts(seed: int, domain: str, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless traces over a domain's problems."""
    rng = random.Random(f"{domain} {seed}")
    for one in WORKED[domain](rng, held_out=held_out):
        parts = trace(rng, one)
        if fits(parts):
            yield parts


def long_texts(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless traces over problems that take more lines, the domains by turns, and over puzzles of
    Game of 24 in which many attempts fail; up to what the model's context holds."""
    rng = random.Random(f"long {seed}")
    problems = {name: draw(rng, held_out=held_out) for name, draw in LONG.items()}
    puzzles = game24.puzzles()[held_out]
    for name in by_turns(rng, ("game24", *LONG)):
        if name == "game24":
            parts = game24.trace(rng, rng.choice(puzzles), long=True)
        else:
            parts = trace(rng, next(problems[name]))
        if fits(parts, CONTEXT_CHARACTERS):
            yield parts


def drawn(name: str, rng: random.Random, *, held_out: bool, long: bool = False) -> Iterator[Worked]:
    """Endless problems of a domain, the held-out ones or the others; those of Game of 24 without a
    solution.

    Args:
        long: Those that take more lines, of the domains in :data:`LONG`.
    """
    if name != "game24":
        yield from (LONG if long else WORKED)[name](rng, held_out=held_out)
    numbers = game24.puzzles()[held_out]
    while True:
        yield Worked(game24.puzzle(rng.choice(numbers)), (), "")
