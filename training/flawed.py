"""Seeded solutions of every domain with and without a mistake, and where the first one stands.

Those of Game of 24 are :mod:`training.mistakes`'s. In the others a line of a right solution is got
wrong, and sometimes the answer with it; in sums what follows goes on from the mistake. Which step
is the first wrong one is said by the domain's own verifier. It cannot tell the wrong operation or a
false fact: there the right solution says what should stand in a line's place.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from agentflow.generators.word_problems import written
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verifiers import segment
from training import mistakes
from training.cases import cases, words
from training.here import at_once, domain
from training.mistakes import POCKET, Example
from training.solving import LONG, WORKED, Worked
from training.solving.trace import TOLD
from training.texts import answer_part, by_turns, verified_again

TURNS = ("game24", "math", "logic", "game24", "maze", "spatialmap", "math", "commonsense")
"""The domains by turns: those in which mistakes are of most kinds come twice."""

SHOULD_BE = "it should be "
"""Before the line that should stand where a wrong one does."""

LONGER = 0.2
"""Share of the problems that take more lines."""


def examples(seed: int, *, held_out: bool = False) -> Iterator[Example]:
    """Endless examples, the domains by :data:`TURNS`; half have a mistake."""
    puzzles = mistakes.examples(seed, held_out=held_out)
    others = tried(seed, held_out=held_out)
    for name in by_turns(random.Random(f"turns {seed}"), TURNS):
        yield next(puzzles) if name == "game24" else next(others)[1]


def solutions(seed: int, *, held_out: bool = False) -> Iterator[tuple[Problem, str, str]]:
    """Endless (problem, a solution, what is wrong with it), of cases and examples by turns."""
    for case, one in zip(
        cases(seed, held_out=held_out), examples(seed, held_out=held_out), strict=True
    ):
        yield case.problem, case.told, case.reason
        yield one.problem, "".join(one.steps).strip(), one.reason


def tried(
    seed: int, *, flawed: bool | None = None, held_out: bool = False
) -> Iterator[tuple[Worked, Example]]:
    """Endless problems besides Game of 24's, each with an attempt at it.

    Args:
        flawed: Whether the attempts have a mistake; None for half of them.
    """
    rng = random.Random(f"flawed {seed}")
    drawn = problems(rng, held_out=held_out)
    for name in by_turns(rng, [name for name in TURNS if name in drawn]):
        wanted = rng.random() < 0.5 if flawed is None else flawed
        found = None
        while found is None:
            one = next(drawn[name])
            found = example(rng, one, flawed=wanted)
        yield one, found


def problems(rng: random.Random, *, held_out: bool = False) -> dict[str, Iterator[Worked]]:
    """Endless problems of every domain besides Game of 24, worked out; some take more lines, none
    of the held-out ones does."""
    return {name: _sized(rng, name, held_out) for name in TURNS if name in WORKED}


def _sized(rng: random.Random, name: str, held_out: bool) -> Iterator[Worked]:
    usual = WORKED[name](rng, held_out=held_out)
    long = usual if held_out or name not in LONG else LONG[name](rng)
    while True:
        yield next(long if rng.random() < LONGER else usual)


def example(rng: random.Random, one: Worked, *, flawed: bool) -> Example | None:
    """An attempt at a problem; None where what was got wrong is right all the same."""
    said, instead = attempt(rng, one, flawed=flawed)
    answer = next(line for line in reversed(said) if line.startswith("Answer: "))
    thinking = "".join(f"{line}\n" for line in said)
    steps = segment(f"{thinking}\n\n{answer_part(answer)}", POCKET.hesitations)
    wrong, line, reason = first_wrong(one, steps, instead)
    if flawed != (wrong >= 0):
        return None
    return Example(one.problem, tuple(steps), wrong, reason, line)


def attempt(rng: random.Random, one: Worked, *, flawed: bool) -> tuple[list[str], dict[str, str]]:
    """(the lines of an attempt's thinking, for each wrong one of them what should stand there)."""
    right = lines = [*one.lines, f"Answer: {one.answer}"]
    late = flawed and rng.random() < 0.2
    if flawed and not late:
        lines = _got_wrong(rng, one, right)
    again = meant = list(verified_again(rng, lines))
    if late and again:
        again = list(meant)
        at = rng.randrange(len(again))
        again[at] = one.slip(rng, again[at])
    instead = dict(zip([*again, *lines], [*meant, *right], strict=True))
    return [*lines, *again], {a: b for a, b in instead.items() if a != b and a not in right}


def _got_wrong(rng: random.Random, one: Worked, right: Sequence[str]) -> list[str]:
    """The lines of a right solution with a mistake in one of them."""
    if one.problem.domain == "math" and rng.random() < 0.6:
        said = words.flawed(rng, words.equations(one.lines))
        if said is None:
            return list(right)
        return [*(equation.line for equation in said), f"Answer: {written(said[-1].value)}"]
    lines, last = list(right), len(right) - 1
    spot = last if rng.random() < 0.3 else rng.randrange(len(right))
    lines[spot] = one.slip(rng, lines[spot])
    if spot != last and rng.random() < 0.5:
        lines[last] = one.slip(rng, lines[last])
    return lines


def first_wrong(one: Worked, steps: Sequence[str], instead: dict[str, str]) -> tuple[int, str, str]:
    """(index of the first wrong step, its first wrong line, why); (-1, "", "") for none."""
    judge, problem = domain(one.problem.domain), one.problem
    memory, right = dict[str, Any](), list[State]()
    told = instead if problem.domain in TOLD else {}
    for index, step in enumerate(steps):
        for line in step.splitlines(keepends=True):
            memory, states = judge.extract(problem, line, 0, memory)
            for state in states:
                verdict = at_once(judge.verify_state(problem, state, right))
                if verdict.ok is False:
                    return index, line.strip(), verdict.reason
                right += [state] if verdict.ok else []
            if line.strip() in told:
                return index, line.strip(), f"{SHOULD_BE}{told[line.strip()]}"
    return -1, "", ""
