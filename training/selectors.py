"""Seeded training texts for the roles of adaptive_compute, on Game of 24.

Each is a prompt exactly as the running code sends it, and the reply to learn. How hard a puzzle is,
is told by how many ways lead to 24; whether a step is right, by the domain's verifier.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agentflow.domains.game24 import judge_state
from agentflow.nodes.select import Strategy, Tool, bounded
from agentflow.problem import Problem
from agentflow.state import State
from training import game24
from training.game24 import DOMAIN, Numbers, Part, paths, preferred
from training.mistakes import example, solution
from training.texts import answered, fits, rendered

FEW, MANY = 4, 10
"""Ways to 24: a puzzle with so few is hard, one with so many is easy; about a third are either."""

_WORDS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}


@dataclass(frozen=True, slots=True)
class Choice:
    """What is to be chosen for a puzzle.

    Attributes:
        plan: In one or two sentences.
        tools: In the order in which they run.
        strategy, param: How it is searched.
    """

    plan: str
    tools: tuple[Tool, ...]
    strategy: Strategy
    param: int


def choice(numbers: Numbers) -> Choice:
    """The choice for a puzzle: the more ways lead to 24, the less is tried.

    The plan names the two numbers of the simplest way's last operation, and no other calculation.
    """
    ways = len(paths(numbers))
    last = preferred(numbers)[0][-1]
    plan = f"Make {last.a} and {last.b}. Then {_WORDS[last.operator]}."
    if ways <= FEW:
        tools: tuple[Tool, ...] = ("self-reflection", "numeric verifier", "verifier")
        return Choice(plan, tools, "beam search", bounded("beam search", 9 - ways, tools))
    tools = ("cot", "numeric verifier")
    if ways < MANY:
        return Choice(plan, tools, "lookahead", bounded("lookahead", 4 - (ways - FEW) // 3, tools))
    return Choice(plan, tools, "best of n", bounded("best of n", 6 - ways // MANY, tools))


def plan(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless plans."""
    for _, numbers in _drawn(seed, held_out):
        reply = f"<plan>{choice(numbers).plan}</plan>"
        yield asked("plan", numbers, reply)


def tools(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless choices of tools, one in four without a plan."""
    for rng, numbers in _drawn(seed, held_out):
        said = choice(numbers)
        told = "none" if rng.random() < 0.25 else said.plan
        yield asked("tools", numbers, json.dumps({"tools": said.tools}), plan=told)


def compute(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless choices of a strategy, one in four without a plan."""
    for rng, numbers in _drawn(seed, held_out):
        said = choice(numbers)
        told = "none" if rng.random() < 0.25 else said.plan
        reply = json.dumps({"strategy": said.strategy, "param": said.param})
        yield asked("compute", numbers, reply, plan=told, tools=", ".join(said.tools))


def step_score(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless lines of solutions with the line before each, and whether it is right.

    Right and wrong ones take turns; every third text has a line in which there is nothing to judge.
    """
    wanted = 1.0
    following = {1.0: 0.0, 0.0: 0.5, 0.5: 1.0}
    for rng, numbers in _drawn(seed, held_out):
        drawn = solution(rng, numbers, flawed=wanted == 0.0)
        lines = drawn.thinking.splitlines(keepends=True)
        problem = DOMAIN.parse(" ".join(map(str, numbers)))
        found = [i for i, score in enumerate(scores(problem, lines)) if score == wanted]
        if not found:
            continue
        at = rng.choice(found)
        before = lines[at - 1] if at else problem.text
        said = {"is_correct": wanted > 0, "confidence": wanted}
        user = rendered("scorers", "step", before=before.strip(), step=lines[at].strip())
        yield answered(user, json.dumps(said))
        wanted = following[wanted]


def scores(problem: Problem, lines: Sequence[str]) -> list[float]:
    """Of each line: 1 where it is right, 0 where it is wrong, 0.5 where there is nothing to judge;
    as the rule scorer has it."""
    found, right = list[float](), list[State]()
    for line in lines:
        _, states = DOMAIN.extract(problem, line, 0, {})
        oks = []
        for state in states:
            oks.append(judge_state(problem, state, right).ok)
            right += [state] if oks[-1] else []
        found.append(0.5 if not oks else 0.0 if False in oks else 1.0)
    return found


def critique(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless attempts, half of them with a mistake, and what is wrong with each."""
    for rng, numbers in _drawn(seed, held_out):
        one = example(rng, numbers, flawed=rng.random() < 0.5)
        parts = asked("critique", numbers, one.reason or "right", steps="".join(one.steps).strip())
        if fits(parts):
            yield parts


def _drawn(seed: int, held_out: bool) -> Iterator[tuple[random.Random, Numbers]]:
    """Endless puzzles, and what else is to be drawn from."""
    rng = random.Random(seed)
    puzzles = game24.puzzles()[held_out]
    while True:
        yield rng, rng.choice(puzzles)


def asked(name: str, numbers: Numbers, reply: str, **fields: str) -> list[Part]:
    """A prompt of adaptive_compute, and the reply to it."""
    texts = {"problem": " ".join(map(str, numbers)), "task": DOMAIN.description, "plan": "none"}
    return answered(rendered("adaptive_compute", name, **texts | fields), reply)
