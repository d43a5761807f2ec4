"""Questions about a solution, answered by somebody who has not seen it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import agentflow
from agentflow.graphs import verifier
from agentflow.models import ScriptedModel
from agentflow.nodes import MODEL_KEY

PROBLEM = "Tom has 5 apples and buys 7 more. How many has he?"
SOLUTION = "He buys 7, so 5 + 7 = 12.\n\nAnswer: 12"
CHECKS = [
    {"statement": "He has 5 apples at first", "question": "How many apples has Tom at first?"},
    {"statement": "5 + 7 = 12", "question": "What is 5 + 7?"},
]
ANSWERS = {"How many apples": "He has 5.", "What is 5 + 7": "It is 12."}


def chain(*agrees: str, checks: Any = CHECKS) -> Callable[[str], str]:
    """Asks, answers and compares; the comparisons come out as told."""
    left = iter(agrees)

    def reply(prompt: str) -> str:
        if "checked by questions" in prompt:
            return json.dumps({"checks": checks})
        if "Does the answer bear the statement out?" in prompt:
            return json.dumps({"reason": "so it says", "agrees": next(left)})
        return next(said for asked, said in ANSWERS.items() if asked in prompt)

    return reply


async def judged(
    script: Callable[[str], str] | str, **given: Any
) -> tuple[dict[str, Any], list[str]]:
    """The verdict, and the prompts."""
    prompts: list[str] = []

    def reply(prompt: str) -> str:
        prompts.append(prompt)
        return script if isinstance(script, str) else script(prompt)

    config: Any = {"configurable": {MODEL_KEY: ScriptedModel(reply)}}
    start: Any = {"problem": PROBLEM, "solution": SOLUTION}
    graph = verifier("chain_of_verification").graph
    out = await graph.ainvoke(start, config, context={"domain": "math", **given})
    assert sum(entry["calls"] for entry in out["ledger"].values()) == len(prompts)
    return out["verdict"], prompts


async def test_a_solution_passes_whose_statements_are_all_borne_out() -> None:
    verdict, prompts = await judged(chain("yes", "yes"))
    assert (verdict["ok"], verdict["score"]) == (True, 1.0)
    assert [one["answer"] for one in verdict["evidence"]["checks"]] == list(ANSWERS.values())
    assert len(prompts) == 5


async def test_who_answers_sees_neither_the_problem_nor_the_solution() -> None:
    _, prompts = await judged(chain("yes", "yes"))
    answering = [one for one in prompts if "Answer in one or two sentences" in one]
    assert len(answering) == 2
    for prompt in answering:
        assert PROBLEM not in prompt
        assert "12" not in prompt
        assert sum(check["question"] in prompt for check in CHECKS) == 1


async def test_a_statement_that_its_answer_speaks_against_decides() -> None:
    verdict, _ = await judged(chain("yes", "no"))
    assert (verdict["ok"], verdict["kind"], verdict["score"]) == (False, "inconsistent", 0.5)
    assert verdict["reason"] == '"5 + 7 = 12" is not confirmed. What is 5 + 7? It is 12.'


@pytest.mark.parametrize("said", ["unknown", "perhaps"])
async def test_what_is_not_told_is_not_passed(said: str) -> None:
    verdict, _ = await judged(chain("yes", said, said))
    assert (verdict["ok"], verdict["kind"]) == (None, "cannot_tell")


async def test_an_answer_that_says_nothing_confirms_nothing() -> None:
    script = chain("yes", "yes")
    verdict, prompts = await judged(
        lambda prompt: " " if "Answer in one or two sentences" in prompt else script(prompt)
    )
    assert (verdict["ok"], verdict["kind"], verdict["score"]) == (None, "cannot_tell", 0.0)
    assert not [one for one in prompts if "bear the statement out" in one]


async def test_all_that_is_not_confirmed_is_told() -> None:
    verdict, _ = await judged(chain("no", "no"))
    assert verdict["reason"].count("is not confirmed") == 2


@pytest.mark.parametrize("script", [chain(checks=[]), "no questions here"])
async def test_without_questions_nothing_is_judged(script: Any) -> None:
    verdict, prompts = await judged(script)
    assert (verdict["ok"], verdict["kind"]) == (None, "cannot_tell")
    assert all("checked by questions" in prompt for prompt in prompts)


async def test_no_more_questions_than_wanted_are_asked() -> None:
    _, prompts = await judged(chain(*["yes"] * 9, checks=CHECKS * 4), questions=3)
    assert len(prompts) == 1 + 3 + 3


def test_as_a_method_the_solution_is_revised_by_what_came_out() -> None:
    """Draft, verify, revise: the paper's whole method."""
    verifying, prompts = chain("yes", "no", "yes", "yes"), list[str]()

    def reply(prompt: str) -> str:
        prompts.append(prompt)
        if prompt.endswith("<think>\n"):
            return "hm</think>\nAnswer: " + ("13" if len(prompts) == 1 else "12")
        return verifying(prompt)

    result = agentflow.solve(
        PROBLEM,
        "generate_test",
        model=ScriptedModel(reply),
        domain="math",
        verifier="chain_of_verification",
        n=2,
    )
    revising = [one for one in prompts if one.endswith("<think>\n")][1]
    assert '"5 + 7 = 12" is not confirmed. What is 5 + 7? It is 12.' in revising
    assert (result.answer, result.status) == ("12", "accepted")


@pytest.mark.slow
async def test_on_the_bundled_model() -> None:
    verdict, _ = await agentflow.ajudge(
        {"text": PROBLEM}, SOLUTION, "chain_of_verification", domain="math"
    )
    assert verdict.ok in (True, False, None)
    assert verdict.source == "chain_of_verification"
