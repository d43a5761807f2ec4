from __future__ import annotations

import asyncio

import pytest

from agentflow import domains
from agentflow.generators import zebra
from agentflow.judge import judge


def test_puzzles_are_distinct_and_the_same_for_a_seed() -> None:
    problems = list(zebra.generate(20, 7))
    assert len({problem.text for problem in problems}) == 20
    assert len({problem.id for problem in problems}) == 20
    assert list(zebra.generate(5, 7)) == problems[:5]
    assert next(zebra.generate(1, 8)).text != problems[0].text


@pytest.mark.parametrize("size", [(2, 2), (3, 5), (6, 3)])
def test_sizes_are_those_asked_for(size: tuple[int, int]) -> None:
    houses, attributes = size
    for problem in zebra.generate(
        3, 2, houses=(houses, houses), attributes=(attributes, attributes)
    ):
        said = problem.text.splitlines()
        assert said[0].startswith(f"There are {houses} houses, ")
        assert sum(line.startswith(" - ") for line in said) == attributes
        assert problem.gold is not None
        assert problem.gold.count("=") == houses * attributes


def test_the_way_is_right_and_every_clue_is_read_and_needed() -> None:
    domain = domains.get("zebra")
    for problem in zebra.generate(10, 3):
        assert problem.data["unread"] == []
        found = asyncio.run(judge(domain, problem, "\n".join(problem.data["solution"])))
        assert found.ok is True
        *steps, empty, head = problem.data["solution"][: -len(str(problem.gold).splitlines())]
        assert (empty, head) == ("", "Answer:")
        assert len(steps) == str(problem.gold).count("=")
        used = {n for step in steps for n in step[5:].partition(":")[0].split(", ")}
        clues = problem.text.partition("## Clues:\n")[2].splitlines()
        assert used == {clue.partition(".")[0] for clue in clues}
