"""The problem is written down from a solution, and compared with the real one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agentflow
from agentflow.graphs import verifier
from agentflow.models import ScriptedModel
from agentflow.nodes import MODEL_KEY
from agentflow.nodes.reconstruction import Condition, Difference, compared

PROBLEM = "Tom has 5 apples, buys 7 and eats 3. How many has he left?"
SOLUTION = "He had 5.\nHe buys 7, so 5 + 7 = 12.\nThen 12 + 3 = 15.\nAnswer: 15"
WRITTEN = "Tom has 5 apples, buys 7 and is given 3. How many has he?"


def difference(
    kept: dict[str, bool], invented: list[str] | None = None, *, same: bool = True
) -> str:
    conditions = [{"condition": name, "kept": value} for name, value in kept.items()]
    reply = {"conditions": conditions, "invented": invented or [], "same_question": same}
    return json.dumps(reply)


class Reader:
    """A model that writes the problem down, and compares."""

    def __init__(self, compared: str, written: str = WRITTEN) -> None:
        self.compared, self.written, self.asked = compared, written, list[str]()

    def reply(self, prompt: str) -> str:
        self.asked.append(prompt)
        return self.written if "a problem that you do not know" in prompt else self.compared


async def judged(model: Reader) -> dict[str, Any]:
    config: Any = {"configurable": {MODEL_KEY: ScriptedModel(model.reply)}}
    start: Any = {"problem": PROBLEM, "solution": SOLUTION}
    graph = verifier("reconstruction").graph
    out = await graph.ainvoke(start, config, context={"domain": "math"})
    assert sum(one["calls"] for one in out["ledger"].values()) == len(model.asked)
    verdict: dict[str, Any] = out["verdict"]
    return verdict


async def test_the_same_problem_passes() -> None:
    model = Reader(difference({"has 5": True, "buys 7": True, "eats 3": True}))
    verdict = await judged(model)
    assert (verdict["ok"], verdict["score"]) == (True, 1.0)
    assert verdict["evidence"]["reconstructed"] == WRITTEN


async def test_who_writes_it_down_does_not_see_it() -> None:
    model = Reader(difference({"has 5": True}))
    await judged(model)
    writing, comparing = model.asked
    assert "eats" not in writing
    assert "12 + 3 = 15" in writing
    assert PROBLEM in comparing
    assert WRITTEN in comparing
    assert "12 + 3 = 15" not in comparing


async def test_what_differs_is_named() -> None:
    said = difference({"has 5": True, "buys 7": True, "eats 3": False}, ["is given 3"], same=False)
    verdict = await judged(Reader(said))
    assert (verdict["ok"], verdict["kind"], verdict["score"]) == (False, "inconsistent", 0.5)
    assert verdict["reason"] == (
        "it takes as given what the problem does not say: is given 3; it passes over what the "
        "problem says: eats 3; it answers another question"
    )


async def test_nothing_written_down_is_undecided() -> None:
    model = Reader(difference({"has 5": True}), "")
    verdict = await judged(model)
    assert (verdict["ok"], verdict["reason"]) == (None, "the reply is empty")
    assert len(model.asked) == 2  # it was asked once more, and nothing was compared


@pytest.mark.parametrize("said", ["They are the same.", difference({}), "{}"])
async def test_a_comparison_that_says_nothing_is_undecided(said: str) -> None:
    assert (await judged(Reader(said)))["ok"] is None


def test_a_rejected_solution_is_revised_by_what_was_found() -> None:
    lost = difference({"has 5": True, "eats 3": False})
    replies = iter([lost, difference({"has 5": True, "eats 3": True})])
    prompts = list[str]()

    def reply(prompt: str) -> str:
        if "a problem that you do not know" in prompt:
            return WRITTEN
        if "[As the solution has it]" in prompt:
            return next(replies)
        prompts.append(prompt)
        return f"so\n</think>\nAnswer: {15 if len(prompts) == 1 else 9}"

    settings: dict[str, Any] = {"verifier": "reconstruction", "feedback": "post_editing", "n": 2}
    result = agentflow.solve(
        PROBLEM, "verified_sampling", domain="math", model=ScriptedModel(reply), **settings
    )
    assert (result.answer, result.status) == ("9", "accepted")
    assert "it passes over what the problem says: eats 3" in prompts[1]


CONDITIONS = st.lists(
    st.builds(Condition, condition=st.just("has 5"), kept=st.booleans()), max_size=5
)


@given(CONDITIONS, st.lists(st.just("has 7"), max_size=3), st.booleans())
def test_only_the_same_problem_passes(
    conditions: list[Condition], invented: list[str], same: bool
) -> None:
    found = Difference(conditions=conditions, invented=invented, same_question=same)
    verdict = compared(found, "")
    alike = all(one.kept for one in conditions) and not invented and same
    assert verdict.ok == (alike if conditions else None)
    assert (verdict.score == 1.0) == bool(
        conditions and all(one.kept for one in conditions) and not invented
    )
