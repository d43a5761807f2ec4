"""Seeded training texts of solving with thinking, over five domains besides Game of 24.

Each domain has a file here that draws problems with the lines of a right solution; how they become
a trace is the same for all (:mod:`training.solving.trace`). ``python -m training.solving`` writes
problems.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from training import game24
from training.game24 import Part
from training.solving import facts, logic, maps, mazes, words
from training.solving.trace import Worked, trace
from training.texts import fits

__all__ = ["WORKED", "Worked", "drawn", "texts", "trace"]

WORKED = {
    "math": words.worked,
    "maze": mazes.worked,
    "spatialmap": maps.worked,
    "logic": logic.worked,
    "commonsense": facts.worked,
}
"""Domain -> what draws its problems, the held-out ones or the others."""


def texts(seed: int, domain: str, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless traces over a domain's problems."""
    rng = random.Random(f"{domain} {seed}")
    for one in WORKED[domain](rng, held_out=held_out):
        parts = trace(rng, one)
        if fits(parts):
            yield parts


def drawn(name: str, rng: random.Random, *, held_out: bool) -> Iterator[Worked]:
    """Endless problems of a domain, the held-out ones or the others; those of Game of 24 without a
    solution."""
    if name != "game24":
        yield from WORKED[name](rng, held_out=held_out)
    numbers = game24.puzzles()[held_out]
    while True:
        yield Worked(game24.puzzle(rng.choice(numbers)), (), "")
