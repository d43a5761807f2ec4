"""Seeded solutions over four domains, right and wrong, and what a verifier can find of each.

Game of 24 and word problems are checked by a program, relation puzzles by Z3, questions about
people by looking them up. Every label is the domain's own, or the generator's exact answer.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from training.cases import facts, puzzles, relations, words
from training.cases.case import Case, Flaw
from training.texts import by_turns

__all__ = ["MAKERS", "Case", "Flaw", "cases"]

MAKERS = {"game24": puzzles.make, "math": words.make, "logic": relations.make, "facts": facts.make}
"""Kind of case -> what makes one."""


def cases(
    seed: int,
    *,
    held_out: bool = False,
    flaw: Flaw | None = None,
    kinds: Sequence[str] = tuple(MAKERS),
) -> Iterator[Case]:
    """Endless cases, the kinds by turns; half have a flaw, or all have the one that is given.

    Args:
        held_out: Of the problems that are never trained on, or of the others.
        kinds: Of :data:`MAKERS`.
    """
    rng = random.Random(f"cases {seed}")
    for kind in by_turns(rng, kinds):
        drawn = flaw or (rng.choice(("wrong", "wrong", "cut")) if rng.random() < 0.5 else None)
        yield MAKERS[kind](rng, drawn, held_out=held_out)
