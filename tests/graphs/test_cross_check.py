"""A solution that is held against others of the same problem."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agentflow
from agentflow.graphs import verifier
from agentflow.models import ScriptedModel
from agentflow.nodes import MODEL_KEY
from agentflow.nodes.cross_check import Held, inconsistency, summed

PROBLEM = "Who founded Lima, and when?"
LINES = ["Francisco Pizarro founded Lima.", "That was in 1535.", "Answer: Pizarro, 1535"]
SOLUTION = "\n".join(LINES)


def held(supported: Sequence[int] = (), contradicted: Sequence[int] = ()) -> str:
    return json.dumps({"supported": list(supported), "contradicted": list(contradicted)})


class Others:
    """A model that solves the problem anew, and compares as it is told, in turn."""

    def __init__(self, *comparisons: str, solution: str = "Pizarro did, in 1535.") -> None:
        self.left, self.solution, self.asked = iter(comparisons), solution, list[str]()

    def reply(self, prompt: str) -> str:
        self.asked.append(prompt)
        return next(self.left) if "Two people have worked" in prompt else self.solution


async def judged(model: Others, solution: str = SOLUTION, **given: Any) -> dict[str, Any]:
    config: Any = {"configurable": {MODEL_KEY: ScriptedModel(model.reply)}}
    context = {"domain": "open", "others": 2, **given}
    start: Any = {"problem": PROBLEM, "solution": solution}
    out = await verifier("cross_check").graph.ainvoke(start, config, context=context)
    asked = sum(one["calls"] for one in out["ledger"].values())
    assert asked == len(model.asked)
    verdict: dict[str, Any] = out["verdict"]
    return verdict


async def test_what_others_say_too_passes() -> None:
    model = Others(held([1, 2, 3]), held([1, 3]))
    verdict = await judged(model)
    assert verdict["ok"] is True
    assert verdict["score"] == pytest.approx(1 - 0.25 / 3)
    assert [one["inconsistency"] for one in verdict["evidence"]["statements"]] == [0, 0.25, 0]


async def test_the_others_are_asked_the_problem_alone() -> None:
    model = Others(held([1, 2, 3]), held([1, 3]))
    await judged(model)
    solving = [one for one in model.asked if "Two people" not in one]
    assert len(solving) == 2
    assert all(PROBLEM in one and "1535" not in one for one in solving)
    comparing = [one for one in model.asked if "Two people" in one]
    assert all("2. That was in 1535." in one for one in comparing)
    assert all("Pizarro did, in 1535." in one for one in comparing)


async def test_what_most_of_them_contradict_is_wrong() -> None:
    verdict = await judged(Others(held([1], [2, 3]), held([1], [2])))
    assert verdict["ok"] is False
    assert verdict["reason"] == '"That was in 1535." is contradicted by 2 of 2 other solutions'
    assert verdict["kind"] == "inconsistent"


async def test_what_half_of_them_contradict_is_not() -> None:
    assert (await judged(Others(held([1, 3], [2]), held([1, 2, 3]))))["ok"] is True


async def test_a_share_may_be_set() -> None:
    model = Others(held([1, 3], [2]), held([1, 2, 3]))
    assert (await judged(model, contradicted=0.4))["ok"] is False


async def test_silence_is_no_support() -> None:
    verdict = await judged(Others(held(), held()))
    assert (verdict["ok"], verdict["kind"]) == (None, "cannot_tell")
    assert verdict["reason"] == "the other solutions do not support it"


async def test_comparisons_that_cannot_be_read_do_not_count() -> None:
    unread = ("no", "JSON", "at all", "again", "nor here", "nor there")
    verdict = await judged(Others(*unread))
    assert (verdict["ok"], verdict["score"]) == (None, None)
    assert verdict["reason"] == "only 0 of 2 comparisons could be read"


async def test_a_solver_that_says_nothing_leaves_it_open() -> None:
    verdict = await judged(Others(solution=""))
    assert (verdict["ok"], verdict["reason"]) == (None, "no other solution was written")


async def test_a_long_solution_is_not_judged() -> None:
    model = Others()
    verdict = await judged(model, "one\n" * 50)
    assert (verdict["ok"], verdict["kind"], model.asked) == (None, "length", [])


def test_a_solution_that_does_not_pass_is_followed_by_another() -> None:
    comparisons = iter([held([], [1]), held([], [1]), held([1]), held([1])])

    def reply(prompt: str) -> str:
        if "Two people" in prompt:
            return next(comparisons)
        return "</think>\nAnswer: Pizarro"

    result = agentflow.solve(
        PROBLEM,
        "verified_sampling",
        domain="open",
        model=ScriptedModel(reply),
        verifier="cross_check",
        others=2,
        n=3,
    )
    assert (result.status, result.answer) == ("accepted", "Pizarro")
    assert result.reason == "by cross_check; sample 2"


COUNTS = st.lists(st.integers(1, 5), max_size=5)


@given(st.lists(st.builds(Held, supported=COUNTS, contradicted=COUNTS), min_size=1, max_size=5))
def test_a_score_is_a_share(others: list[Held]) -> None:
    lines = [(0, "one"), (0, "two"), (1, "three")]
    scores = [inconsistency(n, others) for n in (1, 2, 3)]
    assert all(0 <= score <= 1 for score in scores)
    verdict = summed(lines, others, 0.5)
    assert verdict.score == pytest.approx(1 - sum(scores) / 3)
    if verdict.ok:
        assert verdict.score > 0.5
        assert all(
            2 * sum(n in one.contradicted for one in others) <= len(others) for n in (1, 2, 3)
        )
    if summed(lines, others, 0.0).ok:
        assert not any({1, 2, 3} & {*one.contradicted} for one in others)
