"""Seeded training texts for the roles of adaptive_compute.

Each is a prompt exactly as the running code sends it, and the reply to learn. How hard a puzzle is,
is told by how many ways lead to 24, and how hard another problem is, by how many lines it takes;
whether a step is right, by the domain's verifier.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agentflow import prompts
from agentflow.domains.game24 import judge_state
from agentflow.nodes.select import Strategy, Tool, bounded
from agentflow.problem import Problem
from agentflow.state import State
from training import flawed, game24
from training.game24 import DOMAIN, Numbers, Part, paths, preferred
from training.here import domain
from training.mistakes import POCKET, Example, solution
from training.solving import Worked
from training.texts import DOUBTS, answered, fits, rendered

FEW, MANY = 4, 10
"""Ways to 24: a puzzle with so few is hard, one with so many is easy; about a third are either."""

SHORT, LONG = 2, 6
"""Lines of a solution: a problem of another domain with so few is easy, one with so many hard."""

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
        return _chosen(plan, "beam search", 9 - ways)
    if ways < MANY:
        return _chosen(plan, "lookahead", 4 - (ways - FEW) // 3)
    return _chosen(plan, "best of n", 6 - ways // MANY)


def line_choice(one: Worked) -> Choice:
    """The choice for a problem of another domain: the more lines it takes, the more is tried.

    The plan says how the first and the last of them begin.
    """
    count = len(one.lines)
    first, last = (line.split(":")[0].strip(" -.") for line in (one.lines[0], one.lines[-1]))
    plan = f"First: {first}. Last: {last}."
    if count <= SHORT:
        return _chosen(plan, "best of n", 1 + count)
    if count < LONG:
        return _chosen(plan, "lookahead", count - SHORT)
    return _chosen(plan, "beam search", min(count, 8))


def _chosen(plan: str, strategy: Strategy, param: int) -> Choice:
    tools: tuple[Tool, ...] = ("cot", "numeric verifier")
    if strategy == "beam search":
        tools = ("self-reflection", "numeric verifier", "verifier")
    return Choice(plan, tools, strategy, bounded(strategy, param, tools))


def plan(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless plans."""
    for _, problem, said in _choices(seed, held_out):
        yield asked("plan", problem, f"<plan>{said.plan}</plan>")


def tools(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless choices of tools, one in four without a plan."""
    for rng, problem, said in _choices(seed, held_out):
        told = "none" if rng.random() < 0.25 else said.plan
        yield asked("tools", problem, json.dumps({"tools": said.tools}), plan=told)


def compute(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless choices of a strategy, one in four without a plan."""
    for rng, problem, said in _choices(seed, held_out):
        told = "none" if rng.random() < 0.25 else said.plan
        reply = json.dumps({"strategy": said.strategy, "param": said.param})
        yield asked("compute", problem, reply, plan=told, tools=", ".join(said.tools))


def _choices(seed: int, held_out: bool) -> Iterator[tuple[random.Random, Problem, Choice]]:
    """Endless problems of Game of 24 and of the other domains by turns, with what is chosen."""
    others = flawed.tried(seed, flawed=False, held_out=held_out)
    for rng, numbers in _drawn(seed, held_out):
        yield rng, game24.puzzle(numbers), choice(numbers)
        one, _ = next(others)
        yield rng, one.problem, line_choice(one)


def step_score(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless lines of solutions with the line before each, and whether it is right.

    Right and wrong ones take turns; every third text has a line in which there is nothing to judge.
    """
    wanted = 1.0
    following = {1.0: 0.0, 0.0: 0.5, 0.5: 1.0}
    rng = random.Random(seed)
    for problem, lines, scored in _scored(seed, held_out):
        found = [i for i, score in enumerate(scored) if score == wanted]
        if not found:
            continue
        at = rng.choice(found)
        before = lines[at - 1] if at else prompts.stated(problem, POCKET)
        said = {"is_correct": wanted > 0, "confidence": wanted}
        user = rendered("scorers", "step", before=before.strip(), step=lines[at].strip())
        yield answered(user, json.dumps(said))
        wanted = following[wanted]


def _scored(seed: int, held_out: bool) -> Iterator[tuple[Problem, list[str], list[float]]]:
    """Endless problems of Game of 24 and of the other domains by turns, each with the lines of an
    attempt and their scores, up to the first wrong line."""
    others = flawed.tried(seed, held_out=held_out)
    for rng, numbers in _drawn(seed, held_out):
        lines = solution(rng, numbers, flawed=rng.random() < 0.5).thinking.splitlines(keepends=True)
        yield game24.puzzle(numbers), lines, scores(game24.puzzle(numbers), lines)
        one, example = next(others)
        lines = [line for line in "".join(example.steps).splitlines() if line.strip()]
        lines = lines[: 1 + next((i for i, s in enumerate(lines) if s == example.line), len(lines))]
        yield one.problem, lines, [_score(example, line) for line in lines]


def _score(example: Example, line: str) -> float:
    if line.strip() == example.line:
        return 0.0
    return 0.5 if line in DOUBTS or line.startswith("\\boxed") else 1.0


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
    for one in flawed.examples(seed, held_out=held_out):
        steps = "".join(one.steps).strip()
        parts = asked("critique", one.problem, one.reason or "right", steps=steps)
        if fits(parts):
            yield parts


def _drawn(seed: int, held_out: bool) -> Iterator[tuple[random.Random, Numbers]]:
    """Endless puzzles, and what else is to be drawn from."""
    rng = random.Random(seed)
    puzzles = game24.puzzles()[held_out]
    while True:
        yield rng, rng.choice(puzzles)


def asked(name: str, problem: Problem, reply: str, **fields: str) -> list[Part]:
    """A prompt of adaptive_compute, and the reply to it."""
    task = domain(problem.domain).description
    texts = {"problem": problem.text, "task": task, "plan": "none"}
    return answered(rendered("adaptive_compute", name, **texts | fields), reply)
