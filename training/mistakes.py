"""Seeded Game of 24 solutions with and without a mistake, and where the first one stands.

A solver that makes a mistake does not know of it: it goes on from what it wrote, and sometimes
comes to a false 24. Which step is the first wrong one is said by the domain's own verifier.

``python -m training.mistakes FILE`` writes held-out ones for ``agentflow eval-steps``.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from agentflow.domains import arithmetic
from agentflow.domains.game24 import judge_answer, judge_state
from agentflow.judge import states
from agentflow.problem import Problem
from agentflow.profile import PROFILES
from agentflow.state import State
from agentflow.verdict import Verdict
from agentflow.verifiers import segment
from training.game24 import (
    DOMAIN,
    Numbers,
    Step,
    failed_attempt,
    misread,
    mistake,
    miswritten,
    preferred,
    puzzle,
    puzzles,
    rewrites,
)

POCKET = PROFILES["pocket"]
_CHECKS = ("Wait, let me verify\n ", "Hmm, let me double-check\n ")


@dataclass(frozen=True, slots=True)
class Solution:
    """What a solver wrote: its thinking, and its answer part."""

    thinking: str
    answer: str


@dataclass(frozen=True, slots=True)
class Example:
    """A solution in steps, as a verifier gets it.

    Attributes:
        problem: Parsed by the domain.
        steps: The solution, cut at its hesitations.
        wrong: 0-based index of the first wrong step, -1 for none.
        reason: What the domain's verifier says of it; empty for none.
        line: The first wrong line, if it is known.
    """

    problem: Problem
    steps: tuple[str, ...]
    wrong: int
    reason: str
    line: str = ""


def examples(seed: int, *, held_out: bool = False) -> Iterator[Example]:
    """Endless examples over the training puzzles, or the held-out ones; half have a mistake."""
    rng = random.Random(seed)
    numbers = puzzles()[held_out]
    while True:
        mistaken = rng.random() < 0.5
        yield example(rng, rng.choice(numbers), flawed=mistaken)


def example(rng: random.Random, numbers: Numbers, *, flawed: bool) -> Example:
    """One example, drawn until the domain says that it has a mistake, or none."""
    problem = puzzle(numbers)
    while True:
        drawn = solution(rng, numbers, flawed=flawed)
        steps = segment(f"{drawn.thinking}\n\n{drawn.answer}", POCKET.hesitations)
        wrong, reason = first_wrong(problem, steps)
        if flawed == (wrong >= 0):
            return Example(problem, tuple(steps), wrong, reason)


def first_wrong(problem: Problem, steps: Sequence[str]) -> tuple[int, str]:
    """Index of the first step that holds a refuted state, and why; (-1, "") for none."""
    for index, _, verdict in judged(problem, steps):
        if not verdict.ok:
            return index, verdict.reason
    return -1, ""


def judged(problem: Problem, steps: Sequence[str]) -> Iterator[tuple[int, State, Verdict]]:
    """Every state of a solution with its step and its verdict, up to the first wrong one."""
    right: list[State] = []
    for index, step in enumerate(steps):
        for state in states(DOMAIN, problem, step):
            verdict = judge_state(problem, state, right)
            yield index, state, verdict
            if not verdict.ok:
                return
            right.append(state)


def solution(rng: random.Random, numbers: Numbers, *, flawed: bool) -> Solution:
    """One solution; where ``flawed`` something was put in that is nearly always a mistake."""
    choices = preferred(numbers)
    path = rng.choices(choices, [4.0, 2.0, 1.0][: len(choices)])[0]
    claim = arithmetic.show(rewrites(path)[-1])
    passes = rng.randrange(5)
    spot = rng.randrange(passes + 1) if flawed else None
    text = ""
    for _ in range(min(int(rng.expovariate(0.9)), 3)):
        text += _tried(failed_attempt(rng, numbers, ()))
    if spot == 0 and rng.random() < 0.35:
        claim = miswritten(rng, path, numbers)
    elif spot == 0:
        said, found = _derailed(rng, path)
        text += said
        if found:
            path, claim = found, arithmetic.show(rewrites(found)[-1])
    if spot != 0 or not text.endswith("= 24\n"):
        text += _found(path, claim)
    for number in range(passes):
        here = number + 1 == spot
        if rng.random() < 0.25:
            attempt = tuple(failed_attempt(rng, numbers, ()))
            said, found = _derailed(rng, attempt or path) if here else (_tried(attempt), None)
            text += f"Alternatively\n{said}" if said else ""
            if found:
                path, claim = found, arithmetic.show(rewrites(found)[-1])
        else:
            shown = _miscounted(rng, path, numbers) if here else claim
            chain = [shown, *map(arithmetic.show, reversed(rewrites(path)[:-1])), "24"]
            text += _CHECKS[number % 2] + " = ".join(chain) + "\n"
    return Solution(text, f"Answer: {claim} = 24\n\\boxed{{ {claim} }}")


def _miscounted(rng: random.Random, path: tuple[Step, ...], numbers: Numbers) -> str:
    """An expression that takes the right numbers and does not come to 24."""
    problem = puzzle(numbers)
    while True:
        claim = miswritten(rng, path, numbers)
        if judge_answer(problem, claim).kind == "arithmetic":
            return claim


def _tried(attempt: Sequence[Step]) -> str:
    return "".join(step.line() for step in attempt) + "No\n" if attempt else ""


def _found(path: Sequence[Step], claim: str) -> str:
    """Steps that came to 24, and the answer claimed of them."""
    chain = [*map(arithmetic.show, rewrites(tuple(path))[:-1]), claim]
    lines = "".join(step.line() for step in path)
    return f"{lines}Yes\n {' = '.join(chain)}\nAnswer: {claim} = 24\n"


def _derailed(rng: random.Random, path: Sequence[Step]) -> tuple[str, tuple[Step, ...] | None]:
    """What is written where one step of ``path`` goes wrong; and the steps to a false 24, where it
    comes to one."""
    false = rng.random() < 0.5
    for _ in range(10):  # few slips can come to 24
        taken = _slipped(rng, path)
        if (taken[-1].remaining == (24,)) == false:
            break
    if taken[-1].remaining != (24,):
        return _tried(taken), None
    return _found(taken, arithmetic.show(rewrites(taken)[-1])), taken


def _slipped(rng: random.Random, path: Sequence[Step]) -> tuple[Step, ...]:
    """The steps up to a wrong one, and on from what it leaves."""
    spot = rng.randrange(len(path))
    slip = _read((misread if rng.random() < 0.2 else mistake)(rng, path[spot]))
    left = slip.remaining
    rest = preferred(left)[:1] if len(left) > 1 else ()
    behind = rest[0] if rest else failed_attempt(rng, left, ())
    return (*path[:spot], slip, *behind)


def _read(line: str) -> Step:
    """The step that a line writes."""
    _, (state,) = DOMAIN.extract(DOMAIN.parse("1 2 3 4"), line, 0, {})
    data = state.data
    available, remaining = (tuple(map(int, data[name])) for name in ("available", "remaining"))
    a, b, result = (int(data[name]) for name in ("a", "b", "result"))
    return Step(available, a, data["operator"], b, result, remaining)


def write(path: Path, found: Iterable[Example]) -> None:
    """Write solutions as ProcessBench has them, for ``agentflow eval-steps``."""
    with path.open("w", encoding="utf-8") as file:
        for number, one in enumerate(found):
            row = {"id": f"{path.stem}-{number}", "problem": one.problem.text, "steps": one.steps}
            print(json.dumps(row | {"label": one.wrong}), file=file)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Write held-out solutions for agentflow eval-steps."
    )
    parser.add_argument("out", type=Path, help="a file of JSON lines, as ProcessBench has them")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    write(arguments.out, islice(examples(arguments.seed, held_out=True), arguments.count))


if __name__ == "__main__":
    main()
