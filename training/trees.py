"""Seeded training texts for Tree of Thoughts: next thoughts, and values of states.

Every second one is of Game of 24; in the other domains a thought is a line of a solution.

Each is a prompt exactly as the running code sends it, and the reply to learn.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import cycle
from typing import get_args

from agentflow import prompts
from agentflow.domains.game24 import reachable
from agentflow.problem import Problem
from agentflow.scorers.value import Judgement
from agentflow.search import Path
from agentflow.search.proposals import FOLDER, shown
from training import flawed, game24
from training.game24 import Numbers, Part, Step, failed_attempt, mistake, paths, preferred
from training.mistakes import POCKET
from training.texts import asked, fits

COUNTS = (1, 2, 2, 2, 3, 5)
"""How many thoughts are asked for; two is the method's default."""


def propose(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless proposals."""
    return _by_turns(_steps(seed, held_out), _next_lines(seed, held_out))


def value(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless judgements of states."""
    return _by_turns(_states(seed, held_out), _begun(seed, held_out))


def _by_turns(one: Iterator[list[Part]], other: Iterator[list[Part]]) -> Iterator[list[Part]]:
    for parts in zip(one, other, strict=True):
        yield from filter(fits, parts)


def _next_lines(seed: int, held_out: bool) -> Iterator[list[Part]]:
    """The next line of a right solution, however many are asked for."""
    rng = random.Random(seed)
    for one, _ in flawed.tried(seed, flawed=False, held_out=held_out):
        lines = [line.strip() for line in (*one.lines, f"Answer: {one.answer}")]
        at = rng.randrange(len(lines))
        steps = shown(Path(tuple(f"{line}\n" for line in lines[:at])))
        reply = json.dumps({"thoughts": [lines[at]]})
        fields = {"problem": _prompt(one.problem), "steps": steps, "count": rng.choice(COUNTS)}
        yield asked(FOLDER, "propose", reply, **fields)


def _begun(seed: int, held_out: bool) -> Iterator[list[Part]]:
    """A solution up to some line: likely where nothing is wrong with it, else impossible."""
    rng = random.Random(seed)
    for one, example in flawed.tried(seed, held_out=held_out):
        lines = [line.strip() for line in "".join(example.steps).splitlines() if line.strip()]
        lines = lines[: len(one.lines) + 1]
        wrong = lines.index(example.line) if example.line in lines else len(lines)
        at = rng.randrange(len(lines))
        if wrong < len(lines) and rng.random() < 0.7:
            at = rng.randrange(wrong, len(lines))
        reply = json.dumps({"judgement": "impossible" if at >= wrong else "likely"})
        steps = "\n".join(lines[: at + 1])
        yield asked(FOLDER, "value", reply, problem=_prompt(one.problem), steps=steps)


def _steps(seed: int, held_out: bool) -> Iterator[list[Part]]:
    """First what leads to 24 from the numbers that are left, then other steps;
    the answer where they are 24, nothing where they are another number."""
    rng = random.Random(seed)
    puzzles = game24.puzzles()[held_out]
    while True:
        numbers, count = rng.choice(puzzles), rng.choice(COUNTS)
        taken = _taken(rng, numbers, most=3)
        left = taken[-1].remaining if taken else numbers
        if left == (24,):
            thoughts = [game24.answer(taken).strip()]
        else:
            leading = dict.fromkeys(path[0] for path in preferred(left)) if len(left) > 1 else {}
            others = [step for step in game24.steps(left) if step not in leading]
            found = [*leading, *rng.sample(others, len(others))][:count]
            thoughts = [_thought(step).strip() for step in found]
        steps = shown(Path(tuple(map(_thought, taken))))
        fields = {"problem": _prompt(game24.puzzle(numbers)), "steps": steps, "count": count}
        yield asked(FOLDER, "propose", json.dumps({"thoughts": thoughts}), **fields)


def _states(seed: int, held_out: bool) -> Iterator[list[Part]]:
    """Each judgement as often as the others."""
    rng = random.Random(seed)
    puzzles = game24.puzzles()[held_out]
    for wanted in cycle(get_args(Judgement)):
        found = None
        while found != wanted:
            numbers = rng.choice(puzzles)
            steps, found = _state(rng, numbers)
        reply = json.dumps({"judgement": wanted})
        yield asked(
            FOLDER, "value", reply, problem=_prompt(game24.puzzle(numbers)), steps=steps.strip()
        )


def _state(rng: random.Random, numbers: Numbers) -> tuple[str, Judgement]:
    """The steps so far, and what is to be said of them."""
    taken = _taken(rng, numbers, most=3) or tuple(game24.preferred(numbers)[0][:1])
    lines, left = [_thought(step) for step in taken], taken[-1].remaining
    if left == (24,) and rng.random() < 0.5:
        lines.append(game24.answer(taken))
    elif rng.random() < 0.15:
        wrong = mistake(rng, taken[-1])
        if game24.note(numbers, wrong, list(taken[:-1])):
            return "".join([*lines[:-1], wrong.lstrip()]), "impossible"
    return "".join(lines), judgement(left)


def _thought(step: Step) -> str:
    """A step as the tree keeps it."""
    return f"{step.line().strip()}\n"


def judgement(left: Numbers) -> Judgement:
    """How it looks with these numbers left: likely where one or two small steps lead to 24, or many
    ways; unlikely where hardly any does."""
    if not reachable(tuple(map(Fraction, left))):
        return "impossible"
    ways = len(paths(left))
    return "likely" if ways > 1 or (ways and len(left) < 3) else "unlikely"


def _taken(rng: random.Random, numbers: Numbers, most: int) -> tuple[Step, ...]:
    """Some steps from the start, on a way to 24 or not."""
    if rng.random() < 0.6:
        way: tuple[Step, ...] = rng.choice(preferred(numbers))
    else:
        way = tuple(failed_attempt(rng, numbers, ()))
    return way[: rng.randint(0, most)]


def _prompt(problem: Problem) -> str:
    """The problem as the solver's prompt puts it."""
    return prompts.for_problem("interwhen", problem, POCKET)[1]
