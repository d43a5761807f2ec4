"""A solution, and what a verifier can find of it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal

from agentflow.problem import Problem
from agentflow.verifiers.actions import Call
from training.texts import verified_again

Flaw = Literal["wrong", "cut"]
"""What is not right: a step, or the end of the solution, which is missing."""

_HELD_OUT = 8
"""One generated problem in so many is never trained on."""


@dataclass(frozen=True, slots=True)
class Uses:
    """What a line rests on, by number, from 1: conditions and earlier lines."""

    conditions: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One solution.

    Attributes:
        problem: Parsed by its domain.
        conditions: What it gives, as short sentences.
        objective: What it asks for.
        text: The solution.
        lines: Those of it that say something; the last one states the answer, if one does.
        uses: Of each line.
        wrong: 0-based index of the first wrong line, -1 for none.
        reason: What is wrong with it; or what is missing where the solution was cut.
        visible: Whether the wrong line can be seen to be wrong without a tool.
        revision: How it is put right.
        calls: What a verifier asks of its tools, in order.
        results: What each of them finds: the value of a program, Z3's outcome, a search's text.
    """

    problem: Problem
    conditions: tuple[str, ...]
    objective: str
    text: str
    lines: tuple[str, ...]
    uses: tuple[Uses, ...]
    calls: tuple[Call, ...]
    results: tuple[Any, ...]
    complete: bool = True
    wrong: int = -1
    reason: str = ""
    visible: bool = True
    revision: str = ""

    @property
    def told(self) -> str:
        """The solution as the pocket model tells it: verified again, and answered."""
        if self.problem.domain == "game24" or not self.complete:  # that text is so already
            return self.text.strip()
        again = verified_again(random.Random(self.text), self.lines)
        answer = self.lines[-1].removeprefix("Answer: ")
        return "\n".join([self.text, *again, "", self.lines[-1], f"\\boxed{{{answer}}}"])

    @property
    def right(self) -> bool:
        """Whether nothing is wrong with it and nothing is missing."""
        return self.complete and self.wrong < 0


def value_of(program: str) -> Any:
    """What a program of ours comes to; it is run here, and not in the sandbox."""
    names: dict[str, Any] = {}
    exec(program, names)
    return names["ans"]


def is_held_out(text: str) -> bool:
    """Whether a generated problem belongs to those that are never trained on."""
    return blake2b(text.encode(), digest_size=4).digest()[0] % _HELD_OUT == 0


def mentions(conditions: Sequence[str], words: Sequence[str]) -> tuple[int, ...]:
    """The numbers, from 1, of the conditions in which one of the words stands."""
    return tuple(
        number
        for number, condition in enumerate(conditions, 1)
        if any(word in condition.replace(",", " ").rstrip(".?").split() for word in words)
    )
