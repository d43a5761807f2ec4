"""Spatial maps: the wording of SpatialEval, right answers, worked solutions that are accepted."""

from __future__ import annotations

from collections import Counter

from agentflow import domains
from agentflow.generators import spatial_maps
from agentflow.judge import judge, states

DOMAIN = domains.get("spatialmap")


async def test_the_worked_solution_of_every_problem_is_accepted() -> None:
    kinds: Counter[str] = Counter()
    for problem in spatial_maps.generate(45, 7):
        text = "\n".join(problem.data["solution"])
        found = await judge(DOMAIN, problem, text)
        assert (found.steps_ok, found.answer_ok) == (True, True), (problem.text, text, found)
        last = [state for state in states(DOMAIN, problem, text) if state.kind == "candidate"]
        assert {DOMAIN.candidate(problem, state) for state in last} == {problem.gold}
        kinds[problem.data["asked"]["kind"]] += 1
    assert kinds == {"direction": 15, "object": 15, "count": 15}


def test_the_wording_is_that_of_spatialeval() -> None:
    (problem,) = spatial_maps.generate(1, 0)
    opening, map_, _, question, *options = problem.text.split("\n")
    assert opening == "Consider a map with multiple objects:"
    assert map_.split(". ")[0].endswith(" is in the map")
    assert question.startswith("Please answer the following multiple-choice question based on")
    assert question.endswith("? Available options:")
    assert [one[:3] for one in options] == ["A. ", "B. ", "C. ", "D. "]
    assert problem.text.endswith(".")


async def test_some_questions_may_be_left_open() -> None:
    """Then the answer of the hidden grid is never refuted, and not always told."""
    told: Counter[bool | None] = Counter()
    for problem in spatial_maps.generate(60, 3, decided=False):
        assert problem.gold is not None
        told[(await DOMAIN.verify_answer(problem, problem.gold)).ok] += 1
        if problem.data["solution"]:
            assert (await DOMAIN.verify_answer(problem, problem.gold)).ok
    assert set(told) == {True, None}
    assert min(told.values()) > 5


async def test_no_other_option_is_right() -> None:
    for problem in spatial_maps.generate(30, 11):
        for letter, value in problem.data["letters"].items():
            found = await DOMAIN.verify_answer(problem, letter)
            assert found.ok is (value == problem.gold)
