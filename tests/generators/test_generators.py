"""Problems by domain, and the command that writes them."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from agentflow import cli, domains
from agentflow.errors import BadInput
from agentflow.evaluation.datasets import right
from agentflow.generators import GENERATORS, generate
from agentflow.judge import judge


@pytest.mark.parametrize("domain", GENERATORS)
async def test_every_problem_is_one_of_its_domain_and_its_gold_answer_is_right(domain: str) -> None:
    problems = list(generate(domain, 20, 3))
    assert len({problem.text for problem in problems}) == 20
    assert len({problem.id for problem in problems}) == 20
    for problem in problems:
        assert problem.domain == domain
        assert await right(problem, problem.gold)


@pytest.mark.parametrize("domain", GENERATORS)
def test_the_same_seed_gives_the_same_problems(domain: str) -> None:
    assert list(generate(domain, 5, 1)) == list(generate(domain, 9, 1))[:5]
    assert list(generate(domain, 5, 1)) != list(generate(domain, 5, 2))


@pytest.mark.parametrize("domain", sorted(GENERATORS.keys() - {"logic"}))
async def test_the_solution_says_what_is_right_and_comes_to_the_answer(domain: str) -> None:
    judging = domains.get(domain)
    for problem in generate(domain, 12, 5):
        text = "\n".join(problem.data["solution"])
        judged = await judge(judging, problem, text)
        assert judged.steps_ok is True, text
        assert judged.answer_ok is (True if judging.complete else None)
        assert await right(problem, judging.answer(text))
        assert not {"False", "True", "None"} & set(re.findall(r"\w+", text))


def test_a_domain_without_a_generator() -> None:
    with pytest.raises(BadInput, match="'game24'; known: logic, math"):
        generate("game24", 1, 0)


def test_the_command_writes_what_eval_reads() -> None:
    done = CliRunner().invoke(cli.app, ["generate", "logic", "--count", "3", "--seed", "1"])
    assert done.exit_code == 0
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [set(row) for row in rows] == [{"id", "text", "gold"}] * 3
    done = CliRunner().invoke(cli.app, ["generate", "chess"])
    assert done.exit_code == 2
