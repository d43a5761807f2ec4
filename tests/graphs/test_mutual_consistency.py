"""A solution is finished anew from its beginning, and must come to the same answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agentflow
from agentflow.domains.math import Math
from agentflow.graphs import verifier
from agentflow.models import ScriptedModel
from agentflow.nodes import MODEL_KEY
from agentflow.nodes.mutual_consistency import _summed
from agentflow.profile import PROFILES

PROBLEM = "Ann has 3 apples, buys 4 more, gives 2 to Ben and finds 5. How many apples has she?"
LINES = [
    "Ann begins with 3 apples.",
    "She buys 4, which makes 3 + 4 = 7.",
    "She gives Ben 2, which leaves 7 - 2 = 5.",
    "She finds 5 more, which makes 5 + 5 = 10.",
    "Answer: 10",
]
SOLUTION = "\n".join(LINES)


class Finisher:
    """A model that finishes a solution with each of some texts in turn."""

    def __init__(self, *endings: str) -> None:
        self.endings, self.asked = list(endings), list[str]()

    def reply(self, prompt: str) -> str:
        self.asked.append(prompt)
        return self.endings[(len(self.asked) - 1) % len(self.endings)]

    @property
    def shown(self) -> list[int]:
        """How many lines of the solution each prompt shows."""
        return [sum(line in prompt for line in LINES) for prompt in self.asked]


async def judged(model: Finisher, solution: str = SOLUTION, **given: Any) -> dict[str, Any]:
    config: Any = {"configurable": {MODEL_KEY: ScriptedModel(model.reply)}}
    context = {"domain": "math", **given}
    start: Any = {"problem": PROBLEM, "solution": solution}
    out = await verifier("mutual_consistency").graph.ainvoke(start, config, context=context)
    asked = [one["calls"] for one in out["ledger"].values() if one["role"] == "verifier"]
    assert sum(asked) == len(model.asked)
    verdict: dict[str, Any] = out["verdict"]
    return verdict


async def test_the_same_answer_passes() -> None:
    model = Finisher("So she has 10 apples.\nAnswer: 10")
    verdict = await judged(model)
    assert (verdict["ok"], verdict["score"], len(model.asked)) == (True, 1.0, 4)
    assert [one["answer"] for one in verdict["evidence"]["completions"]] == ["10"] * 4


async def test_it_sees_the_problem_and_a_beginning_that_ends_in_the_middle() -> None:
    model = Finisher("Answer: 10")
    await judged(model, completions=20)
    assert all(PROBLEM in prompt and LINES[-1] not in prompt for prompt in model.asked)
    assert set(model.shown) == {1, 2, 3}  # the fourth line works the answer out


async def test_places_are_those_of_the_seed() -> None:
    one, same, other = (Finisher("Answer: 10") for _ in range(3))
    for model, seed in ((one, 1), (same, 1), (other, 2)):
        await judged(model, completions=20, seed=seed)
    assert one.shown == same.shown != other.shown


async def test_another_answer_of_most_is_held_against_it() -> None:
    verdict = await judged(Finisher("Answer: 12", "Answer: 10", "Answer: 12", "Answer: 12"))
    assert (verdict["ok"], verdict["kind"], verdict["score"]) == (False, "inconsistent", 0.25)
    said = "3 of 4 who went on from its beginning came to another answer than 10, such as 12"
    assert verdict["reason"] == said


async def test_half_and_half_is_undecided() -> None:
    verdict = await judged(Finisher("Answer: 12", "Answer: 10"))
    assert (verdict["ok"], verdict["score"]) == (None, 0.5)


@pytest.mark.parametrize("ending", ["", "I cannot say.", "She finds 5 more, which makes"])
async def test_endings_without_an_answer_do_not_count(ending: str) -> None:
    verdict = await judged(Finisher(ending))
    assert (verdict["ok"], verdict["score"]) == (None, None)
    said = "0 of 4 who went on from its beginning came to its answer, and 4 to none that can be"
    why = "" if ending else " (the reply is empty)"
    assert verdict["reason"] == f"{said} compared{why}"


async def test_one_that_states_no_answer_counts_half() -> None:
    verdict = await judged(Finisher("Answer: 10", "I cannot say.", "I cannot say.", "Who knows?"))
    assert (verdict["ok"], verdict["score"]) == (None, 0.625)


async def test_an_answer_that_was_cut_off_is_none() -> None:
    cut = [*["so "] * 2044, "Answer", ": ", "1", "0", "00"]  # of which it is asked for 2048
    profile = replace(PROFILES["pocket"], context=40_000)
    config: Any = {"configurable": {MODEL_KEY: ScriptedModel(cut, profile=profile)}}
    start: Any = {"problem": PROBLEM, "solution": SOLUTION}
    out = await verifier("mutual_consistency").graph.ainvoke(
        start, config, context={"domain": "math"}
    )
    assert (out["verdict"]["ok"], out["verdict"]["score"]) == (None, None)
    assert "4 to none that can be compared (its end was cut off)" in out["verdict"]["reason"]


async def test_a_solution_that_does_not_fit_says_so() -> None:
    model = Finisher("Answer: 10")
    verdict = await judged(model, "word " * 5000 + f"\n{SOLUTION}", completions=1)
    assert (verdict["ok"], model.asked) == (None, [])
    assert "(the prompt fills the context of 2,048 tokens)" in verdict["reason"]


async def test_of_a_long_solution_few_beginnings_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read, answer = list[str](), Math.answer

    def counted(self: Math, text: str) -> str | None:
        read.append(text)
        return answer(self, text)

    monkeypatch.setattr(Math, "answer", counted)
    work = [f"{one} + 1 = {one + 1}" for one in range(200)]
    model = Finisher("Answer: 10")
    verdict = await judged(model, "\n".join(["Answer: 10", *work]), completions=1)
    assert verdict["ok"] is True
    assert "(nothing)" in model.asked[0]
    assert len(read) < 15


async def test_an_answer_that_stands_first_is_not_shown() -> None:
    model = Finisher("Answer: 10")
    verdict = await judged(model, "**Answer: 10**\n\nExplanation:\n3 + 4 - 2 + 5 = 10.")
    assert verdict["ok"] is True
    assert all("(nothing)" in prompt and "**Answer" not in prompt for prompt in model.asked)


async def test_a_solution_of_one_line_is_solved_anew() -> None:
    model = Finisher("Answer: 10")
    assert (await judged(model, "3 + 4 - 2 + 5 = 10"))["ok"] is True
    assert all("3 + 4 - 2 + 5 = 10" not in prompt for prompt in model.asked)


async def test_without_an_answer_nobody_is_asked() -> None:
    model = Finisher("Answer: 10")
    verdict = await judged(model, "I do not know.")
    assert (verdict["ok"], verdict["kind"], model.asked) == (False, "no_answer", [])


def test_it_weighs_votes() -> None:
    """rStar's choice: four samples give 8, two 10; who goes on from their beginnings says 10."""
    answers = iter([8, 8, 8, 8, 10, 10])

    def reply(prompt: str) -> str:
        if "stopped in the middle" in prompt:
            return "Answer: 10"
        return f"first line\nsecond line\nthird line\n</think>\nAnswer: {next(answers)}"

    settings: dict[str, Any] = {"choose": "weighted", "critic": "mutual_consistency", "k": 6}
    result = agentflow.solve(
        PROBLEM, "sampling", domain="math", model=ScriptedModel(reply), completions=2, **settings
    )
    assert (result.answer, result.status) == ("10", "accepted")
    asked = [one["role"] for one in result.ledger.values()]
    assert (asked.count("solver"), asked.count("verifier")) == (6, 2 * 6)


def test_another_model_may_finish() -> None:
    mine, other = (
        ScriptedModel(lambda prompt: "one\ntwo\nthree\n</think>\nAnswer: 8", name="mine"),
        ScriptedModel(lambda prompt: "Answer: 10", name="other"),
    )
    settings: dict[str, Any] = {"verifier": "mutual_consistency", "n": 2}
    result = agentflow.solve(
        PROBLEM,
        "verified_sampling",
        domain="math",
        model={"solver": mine, "verifier": other},
        **settings,
    )
    assert result.status == "unverified"
    assert [one["verdict"]["ok"] for one in result.samples] == [False, False]


ROWS = st.lists(st.sampled_from([True, False, None]), min_size=1, max_size=9)


@given(ROWS)
def test_more_than_half_decide(agrees: Sequence[bool | None]) -> None:
    row = {"lines": 1, "answer": "8", "error": ""}
    found = [row | {"agrees": one} for one in agrees]
    verdict = _summed("10", json.loads(json.dumps(found)))
    assert (verdict.ok is True) == (2 * agrees.count(True) > len(agrees))
    assert (verdict.ok is False) == (2 * agrees.count(False) > len(agrees))
    assert verdict.score is None or 0 <= verdict.score <= 1
