"""SelfCheck: steps done anew by somebody who has not seen them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agentflow
from agentflow.graphs import verifier
from agentflow.models import ScriptedModel
from agentflow.nodes import MODEL_KEY
from agentflow.nodes.self_check import weight

PROBLEM = "Tom has 5 apples and buys 7 more. How many has he?"
STEPS = ["He buys 7, so 5 + 7 = 12.", "Answer: 12"]
USES = json.dumps(
    {
        "conditions": ["Tom has 5 apples.", "He buys 7 more."],
        "uses": [{"conditions": [1, 2], "steps": []}, {"conditions": [], "steps": [1]}],
    }
)


def checking(*verdicts: str, target: str = "Add them.", redone: str = "It is twelve.") -> Any:
    """Names premises and targets, does the steps anew, and compares as told."""
    left = iter(verdicts)

    def reply(prompt: str) -> str:
        if "user\npremises: " in prompt:
            return USES
        if "set out to do?" in prompt:
            return target
        if "Do the task" in prompt:
            return redone
        assert "Two people did the same task" in prompt
        return json.dumps({"reason": "so it is", "verdict": next(left)})

    return reply


async def judged(script: Callable[[str], str], **given: Any) -> tuple[dict[str, Any], list[str]]:
    """The verdict, and the prompts."""
    prompts: list[str] = []

    def reply(prompt: str) -> str:
        prompts.append(prompt)
        return script(prompt)

    config: Any = {"configurable": {MODEL_KEY: ScriptedModel(reply)}}
    start: Any = {"problem": PROBLEM, "steps": STEPS}
    graph = verifier("self_check").graph
    out = await graph.ainvoke(start, config, context={"domain": "math", **given})
    assert sum(entry["calls"] for entry in out["ledger"].values()) == len(prompts)
    return out["verdict"], prompts


async def test_a_solution_passes_whose_steps_come_out_again() -> None:
    verdict, prompts = await judged(checking("supports", "supports"))
    assert (verdict["ok"], verdict["score"]) == (True, 1.0)
    assert [one["redone"] for one in verdict["evidence"]["statements"]] == ["It is twelve."] * 2
    assert len(prompts) == 1 + 3 * 2


async def test_who_does_a_step_sees_its_premises_alone() -> None:
    _, prompts = await judged(checking("supports", "supports"))
    doing = [one for one in prompts if "Do the task" in one]
    assert len(doing) == 2
    doing.sort(key=lambda one: "5 + 7 = 12" in one)  # they are asked side by side
    for prompt in doing:
        assert PROBLEM not in prompt
        assert "Answer: 12" not in prompt
    assert "Tom has 5 apples." in doing[0]
    assert "5 + 7 = 12" not in doing[0]
    assert "5 + 7 = 12" in doing[1]


async def test_a_step_that_comes_out_otherwise_decides() -> None:
    verdict, _ = await judged(checking("supports", "contradicts", redone="It is 13."))
    assert (verdict["ok"], verdict["kind"], verdict["first_wrong_step"]) == (False, "wrong_step", 1)
    assert verdict["score"] == pytest.approx(weight(1, 0))
    assert verdict["reason"] == (
        '"Answer: 12" is not what comes out when that step is done anew: It is 13.'
    )


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (["unrelated", "unrelated"], "only 0 of 2 steps were supported"),
        (["supports", "perhaps", "perhaps"], "some steps could not be judged"),
    ],
)
async def test_what_is_not_told_is_not_passed(said: list[str], reason: str) -> None:
    verdict, _ = await judged(checking(*said))
    assert (verdict["ok"], verdict["kind"], verdict["reason"]) == (None, "cannot_tell", reason)
    assert verdict["score"] < 1


async def test_an_unrelated_step_costs_a_little() -> None:
    verdict, _ = await judged(checking("supports", "unrelated"))
    assert (verdict["ok"], verdict["score"]) == (True, pytest.approx(weight(0, 1)))


@pytest.mark.parametrize("silent", ["target", "redone"])
async def test_a_step_that_was_not_done_anew_is_not_compared(silent: Any) -> None:
    verdict, prompts = await judged(checking(**{silent: " "}))
    assert (verdict["ok"], verdict["kind"]) == (None, "cannot_tell")
    assert not [one for one in prompts if "Two people" in one]
    statements = verdict["evidence"]["statements"]
    assert [one["reason"] for one in statements] == ["not done anew"] * 2


@pytest.mark.parametrize("given", [{"max_statements": 1}, {}])
async def test_without_premises_nothing_is_judged(given: dict[str, Any]) -> None:
    verdict, prompts = await judged(lambda _: "I cannot say", **given)
    assert (verdict["ok"], verdict["source"]) == (None, "self_check")
    assert len(prompts) <= 2


@given(st.integers(0, 50), st.integers(0, 50))
def test_each_step_that_is_not_supported_costs(contradicted: int, unrelated: int) -> None:
    here = weight(contradicted, unrelated)
    assert 0 < weight(contradicted + 1, unrelated) < weight(contradicted, unrelated + 1) < here <= 1


def test_as_a_critic_it_weighs_votes() -> None:
    """The paper's whole method: two samples that are contradicted against one that stands."""
    samples = iter(["11", "11", "12"])

    def reply(prompt: str) -> str:
        if prompt.endswith("<think>\n"):
            answer = next(samples)
            return f"So it is {answer}.</think>\nThey come to {answer}.\nAnswer: {answer}"
        if "user\npremises: " in prompt:
            uses = [{"conditions": [1], "steps": []}] * len(re.findall(r"(?m)^\d+\. ", prompt))
            return json.dumps({"conditions": ["Tom has apples."], "uses": uses})
        if "Two people" in prompt:
            verdict = "contradicts" if "11" in prompt else "supports"
            return json.dumps({"reason": "so", "verdict": verdict})
        return "It is twelve."

    result = agentflow.solve(
        PROBLEM,
        "sampling",
        model=ScriptedModel(reply),
        domain="open",
        k=3,
        choose="weighted",
        critic="self_check",
    )
    assert result.answer == "12"


@pytest.mark.slow
async def test_self_check_on_the_bundled_model() -> None:
    verdict, _ = await agentflow.ajudge(
        {"text": PROBLEM}, "\n\n".join(STEPS), "self_check", domain="math"
    )
    assert verdict.ok in (True, False, None)
    assert verdict.source == "self_check"
