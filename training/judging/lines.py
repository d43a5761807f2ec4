"""Lines told apart: a right solution, line by line, with wrong versions of its lines between them.

A solution read as a whole has one first mistake among some twenty lines; a model that learns from
such texts alone learns how often lines are wrong, and not what makes one so. Here two lines in five
are wrong, each is judged for itself, and a wrong one is not gone on from::

    line: 4 4 5 12
    <step_0>
     4 4 5 12 : 5 + 4 = 8 -> 4 8 12           No
     4 4 5 12 : 5 + 4 = 9 -> 4 9 12           Yes
     4 9 12 : 9 * 4 = 36 -> 12 36            Yes
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

from agentflow.problem import Problem
from agentflow.state import State
from training import game24
from training.flawed import TOLD, TURNS, problems
from training.game24 import Part
from training.here import domain, refutation
from training.texts import MARKS, fits, prompt

_WRONG = (0, 0, 1, 1, 2)
"""How many wrong versions a line has."""

Slip = Callable[[random.Random, str], str]


def texts(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless texts, the domains by turns."""
    rng = random.Random(f"lines {seed}")
    numbers = game24.puzzles()[held_out]
    drawn = problems(rng, held_out=held_out)
    for name in cycle(TURNS):
        parts = list[Part]()
        while not (parts and fits(parts)):
            if name == "game24":
                parts = _puzzle(rng, rng.choice(numbers))
            else:
                one = next(drawn[name])
                lines = [*one.lines, f"Answer: {one.answer}"]
                parts = text(rng, one.problem, lines, dict.fromkeys(lines, one.slip))
        yield parts


def _puzzle(rng: random.Random, numbers: game24.Numbers) -> list[Part]:
    steps = list(game24.failed_attempt(rng, numbers, ())) if rng.random() < 0.5 else []
    steps += rng.choice(game24.preferred(numbers))
    return text(
        rng,
        game24.puzzle(numbers),
        [step.line().rstrip("\n") for step in steps],
        {step.line().rstrip("\n"): _slipped(step) for step in steps},
    )


def _slipped(step: game24.Step) -> Slip:
    def slip(rng: random.Random, line: str) -> str:
        wrong = game24.misread if rng.random() < 0.2 else game24.mistake
        return wrong(rng, step).rstrip("\n")

    return slip


def text(
    rng: random.Random, problem: Problem, right: list[str], slips: dict[str, Slip]
) -> list[Part]:
    """A right solution's lines and wrong versions of them, each with its mark.

    Args:
        slips: Of each line, what gets it wrong.
    """
    judge, memory, earlier = domain(problem.domain), dict[str, Any](), list[State]()
    shown = f"line: {problem.text}\n<step_0>\n"
    whole = prompt(shown)
    begin = whole.index(shown) + len(shown)
    parts = [Part(whole[:begin], learn=False)]

    def refuted(line: str) -> bool:
        if problem.domain in TOLD and line not in right:
            return True
        return refutation(problem, f"{line}\n", memory, earlier) is not None

    for line in right:
        versions = [(line, True)]
        for _ in range(rng.choice(_WRONG)):
            wrong = slips[line](rng, line)
            if wrong != line and refuted(wrong):
                versions.append((wrong, False))
        rng.shuffle(versions)
        for said, ok in versions:
            shown = f"{said}\n"
            departs = _departs(shown, f"{line}\n")
            parts.append(Part(shown, learn=False, mark=MARKS[ok], written=ok, departs=departs))
        memory, states = judge.extract(problem, f"{line}\n", 0, memory)
        earlier += states
    return [*parts, Part("</step_0>", learn=False)]


def _departs(said: str, right: str) -> int:
    """The place of the first character in which a line is another one; behind the last for none."""
    pairs = enumerate(zip(said, right, strict=False))
    return next((at for at, (one, other) in pairs if one != other), len(said))
