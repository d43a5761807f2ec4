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
    result = await agentflow.asolve(PUZZLE, "direct", model=model, judge_answers=False)
    assert (result.status, result.answer, result.candidate) == ("unverified", answer, None)
    assert result.judged == []
    assert result.corrections == 0
    assert result.trace.body == reply
    assert (result.cost.calls, result.cost.generated, result.cost.wasted) == (1, model.streamed, 0)


@pytest.mark.parametrize("reply", ["", "hm", "hm</think>hm"])
async def test_direct_without_an_answer_is_exhausted(reply: str) -> None:
    model = ScriptedModel(reply)
    result = await agentflow.asolve(PUZZLE, "direct", model=model)
    assert (result.status, result.answer) == ("exhausted", None)
    assert result.reason.startswith("no answer found")
    assert len(model.requests) == 2, "it is asked once to state one"


async def test_an_answer_that_was_not_stated_is_asked_for_once() -> None:
    model = ScriptedModel(
        {r"<think>\n": "I have it.</think>Well.", r"\\boxed\{": "(7 - 8 / 8) * 4}"}
    )
    result = await agentflow.asolve(PUZZLE, "direct", model=model)
    assert (result.status, result.answer) == ("verified", "(7 - 8 / 8) * 4")
    assert result.trace.body == "I have it.</think>Well.\n\\boxed{(7 - 8 / 8) * 4}"


async def test_so_it_is_in_the_middle_of_the_thinking() -> None:
    model = ScriptedModel({r"<think>\n": "I have it.", r"\\boxed\{": "(7 - 8 / 8) * 4}"})
    result = await agentflow.asolve(PUZZLE, "direct", model=model)
    assert (result.status, result.answer) == ("verified", "(7 - 8 / 8) * 4")
    assert "I have it.</think>" in result.trace.body


async def test_a_model_that_only_answers_is_asked_in_a_second_call() -> None:
    said = iter(["I have it.</think>Well.", "\\boxed{(7 - 8 / 8) * 4}"])
    able = Capabilities(continues=False, exact_prefix=False)
    model = ScriptedModel(lambda prompt: next(said), capabilities=able)
    result = await agentflow.asolve(PUZZLE, "direct", model=model)
    assert (result.status, result.answer) == ("verified", "(7 - 8 / 8) * 4")


@pytest.mark.parametrize(
    ("require", "reply", "status", "answer"),
    [
        ("no_objection", RIGHT, "verified", "(7 - 8 / 8) * 4"),
        ("no_objection", WRONG, "abstained", None),
        ("nothing", WRONG, "unverified", "4 * 6"),
        ("proof", RIGHT, "verified", "(7 - 8 / 8) * 4"),
    ],
)
async def test_a_complete_verifier_has_the_last_word(
    require: str, reply: str, status: str, answer: str | None
) -> None:
    result = await agentflow.asolve(PUZZLE, "direct", model=ScriptedModel(reply), require=require)
    assert (result.status, result.answer) == (status, answer)
    assert result.final["ok"] is (reply == RIGHT)
    assert result.final["answer"] == ("(7 - 8 / 8) * 4" if reply == RIGHT else "4 * 6")


@pytest.mark.parametrize(
    ("require", "status"), [("no_objection", "unverified"), ("proof", "abstained")]
)
async def test_no_proof_is_not_no_answer(require: str, status: str) -> None:
    model = ScriptedModel("so</think>\\boxed{4}")
    result = await agentflow.asolve(
        "Ann has 2 apples and buys 2 more. How many apples does Ann have?",
        "interwhen",
        model=model,
        domain="math",
        require=require,
    )
    assert (result.status, result.answer or result.candidate) == (status, "4")
    assert "no verifier of final answers" in result.reason


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
    assert (result.status, result.answer) == ("verified", "(7 - 8 / 8) * 4")


async def test_many_at_once() -> None:
    def echo(text: str) -> str:
        return f"</think>\\boxed{{{text.split('game24: ')[1][:7].replace(' ', ' * ')}}}"

    model, raw = ScriptedModel(echo), {"judge_answers": False}
    puzzles = ["1 2 3 4", "4 7 8 8", "3 3 8 8"]
    results = await asyncio.gather(
        *(agentflow.asolve(puzzle, "direct", model=model, **raw) for puzzle in puzzles)
    )
    assert [result.answer for result in results] == [
        puzzle.replace(" ", " * ") for puzzle in puzzles
    ]


def test_solve_needs_no_event_loop() -> None:
    result = agentflow.solve(PUZZLE, "direct", model=ScriptedModel(RIGHT))
    assert result.answer == "(7 - 8 / 8) * 4"
