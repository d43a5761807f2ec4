from __future__ import annotations

import asyncio

import pytest

import agentflow
from agentflow.models import Capabilities, ScriptedModel

PUZZLE = "4 7 8 8"
RIGHT = "think</think>\nAnswer: (7 - 8 / 8) * 4 = 24"
WRONG = "8 / 8 = 2 (left: 2 4 7)\n</think>\nAnswer: 4 * 6 = 24"


@pytest.mark.parametrize(
    ("reply", "answer"), [(RIGHT, "(7 - 8 / 8) * 4"), (WRONG, "4 * 6"), ("</think>\\boxed{5}", "5")]
)
async def test_direct_emits_what_the_model_says_and_claims_nothing(reply: str, answer: str) -> None:
    model = ScriptedModel(reply)
    result = await agentflow.asolve(PUZZLE, "direct", model=model)
    assert (result.status, result.answer, result.candidate) == ("unverified", answer, None)
    assert result.judged == []
    assert result.corrections == 0
    assert result.trace.body == reply
    assert (result.cost.calls, result.cost.generated, result.cost.wasted) == (1, model.streamed, 0)


@pytest.mark.parametrize("reply", ["", "hm", "Answer: 4 * 6", "hm</think>hm"])
async def test_direct_without_an_answer_is_exhausted(reply: str) -> None:
    result = await agentflow.asolve(PUZZLE, "direct", model=ScriptedModel(reply))
    assert (result.status, result.answer, result.reason) == ("exhausted", None, "no answer found")


async def test_direct_stops_at_its_budget() -> None:
    result = await agentflow.asolve(PUZZLE, "direct", model=ScriptedModel("a " * 500), max_tokens=9)
    assert result.status == "exhausted"
    assert result.cost.generated == 9


async def test_direct_declines_what_has_no_answer() -> None:
    model = ScriptedModel(RIGHT)
    result = await agentflow.asolve("1 1 1 1", "direct", model=model)
    assert result.status == "abstained"
    assert model.requests == []


async def test_direct_runs_on_a_model_that_only_answers() -> None:
    model = ScriptedModel(RIGHT, capabilities=Capabilities(continues=False, exact_prefix=False))
    result = await agentflow.asolve(PUZZLE, "direct", model=model)
    assert (result.status, result.answer) == ("unverified", "(7 - 8 / 8) * 4")


async def test_many_at_once() -> None:
    model = ScriptedModel(lambda text: f"</think>\\boxed{{{text.split('game24: ')[1][:7]}}}")
    puzzles = ["1 2 3 4", "4 7 8 8", "3 3 8 8"]
    results = await asyncio.gather(
        *(agentflow.asolve(puzzle, "direct", model=model) for puzzle in puzzles)
    )
    assert [result.answer for result in results] == puzzles


def test_solve_needs_no_event_loop() -> None:
    result = agentflow.solve(PUZZLE, "direct", model=ScriptedModel(RIGHT))
    assert result.answer == "(7 - 8 / 8) * 4"
