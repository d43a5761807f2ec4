"""A path: a reasoning trajectory step by step, as searches grow it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Path:
    """A reasoning trajectory step by step (adaptive compute, section 2).

    Attributes:
        steps: Their texts, in order; joined they are the text behind the prompt.
        scores: Validity of each scored step, in [0, 1]; never more than there are steps.
        done: Whether it ended by itself; False for one that a budget cut.
        payload: What its expander needs to go on: a sequence that ends in an entry for each step;
            not compared.
        measured: What the expander's measure says of each step's tokens, None where the model told
            too little; empty where the expander has no measure. Not compared.
    """

    steps: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    done: bool = False
    payload: Any = field(default=None, compare=False, repr=False)
    measured: tuple[float | None, ...] = field(default=(), compare=False, repr=False)

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self.steps)

    def first(self, steps: int) -> Self:
        """The path up to so many of its steps."""
        if steps >= len(self.steps):
            return self
        entries = tuple(self.payload or ())
        return replace(
            self,
            steps=self.steps[:steps],
            scores=self.scores[:steps],
            measured=self.measured[:steps],
            done=False,
            payload=entries[: len(entries) - (len(self.steps) - steps)],
        )
