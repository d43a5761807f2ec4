"""A trace from the lines of a right solution: with doubts, cut early, or with a verifier's notes.

A trace thinks in the solution's lines, states its answer, verifies it more often than it needs to,
and answers. Some are cut early. In some a line or an answer is wrong, with the note behind it that
the domain's own verifier writes; of those only what follows the note is learned.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from agentflow import prompts
from agentflow.nodes.critic import doubted
from agentflow.problem import Problem
from agentflow.state import State
from training.game24 import DOUBTED, FALSE, Part
from training.here import domain, refutation
from training.mistakes import POCKET
from training.texts import DOUBTS, prompt, verified_again

TOLD = ("math", "commonsense")
"""Domains whose verifier cannot tell every mistake."""


@dataclass(frozen=True, slots=True)
class Worked:
    """A problem with a right solution.

    Attributes:
        problem: Parsed by its domain.
        lines: Of the thinking, without the answer.
        answer: As an answer line states it.
        swaps: Words that may be taken for each other, in groups; numbers always may.
        mistake: Gets a line wrong as solvers of the domain do; gives back one it knows nothing of.
    """

    problem: Problem
    lines: tuple[str, ...]
    answer: str
    swaps: tuple[tuple[str, ...], ...] = ()
    mistake: Callable[[random.Random, str], str] | None = None

    def slip(self, rng: random.Random, line: str) -> str:
        """The line got wrong, in the domain's own way or another; it may be right all the same."""
        wrong = self.mistake(rng, line) if self.mistake and rng.random() < 0.8 else line
        return wrong if wrong != line else slip(rng, line, self.swaps)


class Writer:
    """Writes one trace line by line and remembers what its right lines state."""

    def __init__(self, rng: random.Random, one: Worked, mistakes: float) -> None:
        user = prompts.for_problem("interwhen", one.problem, POCKET)[1]
        self.rng, self.one, self.mistakes = rng, one, mistakes
        self.domain = domain(one.problem.domain)
        self.parts = [Part(prompt(user), learn=False)]
        self.earlier: list[State] = []
        self.memory: dict[str, Any] = {}

    def say(self, text: str) -> None:
        self.parts.append(Part(text))

    def line(self, line: str, note: str = POCKET.thinking_note) -> None:
        """Write a right line; sometimes get it wrong first, even twice, and hear of it; and
        sometimes hear of a right line that it is wrong, and write it again."""
        while self.rng.random() < self.mistakes:
            wrong = self.one.slip(self.rng, line)
            if reason := self.refuted(wrong):
                self.parts.append(Part(wrong + note.format(reason=reason), learn=False))
        if self.rng.random() < FALSE * self.mistakes:
            self.parts.append(Part(line + note.format(reason=doubted(line)), learn=False))
        self.memory, states = self.domain.extract(self.one.problem, line, 0, self.memory)
        self.earlier += states
        self.say(line)

    def refuted(self, line: str) -> str:
        """What the domain's verifier, or a reward model, has against a line got wrong; empty for
        nothing."""
        found = refutation(self.one.problem, line, self.memory, self.earlier)
        known = found is not None or self.one.problem.domain in TOLD
        if known and self.rng.random() < DOUBTED:
            return doubted(line)
        return found.reason if found else ""


def trace(rng: random.Random, one: Worked) -> list[Part]:
    """One training trace."""
    w = Writer(rng, one, mistakes=0.25 if rng.random() < 0.6 else 0.0)
    cut = rng.randrange(len(one.lines) + 1) if rng.random() < 0.1 else None
    answer = f"Answer: {one.answer}\n"
    for line in one.lines[:cut]:
        w.line(f"{line}\n")
    if cut is None:
        w.line(answer)
        for line in verified_again(rng, [*one.lines, answer.strip()]):
            (w.say if line in DOUBTS else w.line)(f"{line}\n")
    w.say(f"{POCKET.think_close}\n")
    w.line(answer, POCKET.answer_note)
    w.say(f"\\boxed{{{one.answer}}}<|im_end|>")
    return w.parts


def slip(rng: random.Random, line: str, swaps: Sequence[Sequence[str]]) -> str:
    """The line with a number or a word taken for another; it may be right all the same."""
    groups = {word: group for group in swaps if len(group) > 1 for word in group}
    words = sorted(groups, key=len, reverse=True)
    named = "|".join(rf"\b{re.escape(word)}\b" for word in words)
    spots = list(re.finditer(rf"{named}|\d+" if named else r"\d+", line))
    if not spots:
        return line
    spot = rng.choice(spots)
    if spot[0] in groups:
        other = rng.choice([word for word in groups[spot[0]] if word != spot[0]])
    else:
        other = str(max(0, int(spot[0]) + rng.choice((-10, -2, -1, 1, 2, 10))))
    return line[: spot.start()] + other + line[spot.end() :]
