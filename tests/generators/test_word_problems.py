from __future__ import annotations

import random
import re

import pytest

from agentflow.domains.math import Math
from agentflow.generators.word_problems import generate
from agentflow.problem import Problem
from agentflow.tools.toolbox import Toolbox
from agentflow.verdict import Verdict

MATH = Math(Toolbox({}))
"""Without tools: every line is plain arithmetic."""


async def judged(problem: Problem, line: str) -> Verdict:
    _, (state,) = MATH.extract(problem, line, 0, {})
    return await MATH.verify_state(problem, state, [])


def test_the_same_seed_gives_the_same_problems() -> None:
    assert list(generate(30, 5)) == list(generate(30, 5))
    assert list(generate(30, 5)) != list(generate(30, 6))


def test_problems_are_distinct_and_have_answers() -> None:
    problems = list(generate(500, 1))
    assert len({problem.text for problem in problems}) == 500
    assert len({problem.id for problem in problems}) == 500
    for problem in problems:
        assert MATH.parse(problem.text).text == problem.text
        assert problem.gold
        assert MATH.shown(MATH.answer("\n".join(problem.data["solution"])) or "") == problem.gold


def test_solutions_have_as_many_equations_as_asked() -> None:
    for steps in range(2, 7):
        for problem in generate(20, 1, steps=(steps, steps)):
            assert len(problem.data["solution"]) == steps + 1


def test_stories_may_mislead() -> None:
    plain, misled = generate(60, 3, distractors=0.0), generate(60, 3, distractors=1.0)
    tells = re.compile(r"centimetres wide|minutes\.|years old|degrees\.")
    assert not any(tells.search(problem.text) for problem in plain)
    assert sum(bool(tells.search(problem.text)) for problem in misled) > 20


async def test_every_solution_passes() -> None:
    for problem in generate(300, 2):
        for line in problem.data["solution"][:-1]:
            assert (await judged(problem, line)).ok is True, line


@pytest.mark.parametrize("by", [1, -1, 10])
async def test_injected_errors_are_refuted(by: int) -> None:
    rng = random.Random(by)
    for problem in generate(150, 4):
        line = rng.choice(problem.data["solution"][:-1])
        left, sign, right = line.rpartition(" = ")
        wrong = re.sub(r"\d+", lambda found: str(int(found[0]) + by), right, count=1)
        told = await judged(problem, left + sign + wrong)
        assert told.ok is False, line
        assert told.kind == "arithmetic"
