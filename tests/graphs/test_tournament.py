"""Solutions that meet two at a time until one is left."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agentflow
from agentflow.errors import ModelUnavailable, Refused, StreamBroken
from agentflow.graphs import tournament
from agentflow.models import Fault, ScriptedModel
from agentflow.models.scripted import Reply
from agentflow.nodes import MODEL_KEY

QUESTION = "Ann has 3 apples and buys 4 more. How many apples does Ann have?"
Prefers = Callable[[int, int], str | Fault]
"""Which of two answers is better, ``"1"`` or ``"2"``, or a reply of another kind."""
ERRORS = [ModelUnavailable("gone"), StreamBroken("gone"), Refused("gone")]


class World:
    """A model that writes given answers, and compares them."""

    def __init__(self, answers: Sequence[int], prefers: Prefers) -> None:
        self.met: list[tuple[int, int]] = []
        self.prefers, self.answers = prefers, iter(answers)
        self.model = ScriptedModel(self.reply)

    def reply(self, prompt: str) -> Reply:
        if "[Solution 2]" not in prompt:
            return rf"hm</think>\boxed{{{next(self.answers)}}}"
        one, other = map(int, re.findall(r"\\boxed\{(\d+)\}", prompt))
        self.met.append((one, other))
        if isinstance(better := self.prefers(one, other), Fault):
            return [better]
        return f'{{"reason": "so", "better": {better}}}' if len(better) <= 3 else better

    def solve(self, **settings: Any) -> agentflow.Result:
        result = agentflow.solve(
            QUESTION, "tournament", domain="math", model=self.model, **settings
        )
        assert sum(one["generated"] for one in result.ledger.values()) <= self.model.streamed
        return result


def larger(one: int, other: int) -> str:
    return "1" if one > other else "2"


def test_every_two_meet_and_the_better_one_goes_on() -> None:
    world = World([3, 9, 7, 5], larger)
    result = world.solve(n=4, compare=1)
    assert (sorted(world.met[:2]), world.met[2:]) == ([(3, 9), (7, 5)], [(9, 7)])
    assert (result.answer, result.status) == ("9", "unverified")
    assert result.reason.startswith("the last of 4 samples; comparisons: 3")


def test_each_second_comparison_shows_them_the_other_way_round() -> None:
    world = World([3, 9], larger)
    assert world.solve(n=2, compare=3).answer == "9"
    assert sorted(world.met) == [(3, 9), (3, 9), (9, 3)]


@pytest.mark.parametrize("says", ["1", "2"])
def test_who_always_prefers_one_place_prefers_none(says: str) -> None:
    assert World([3, 9], lambda *_: says).solve(n=2, compare=2).answer == "3"


def test_who_cannot_be_read_prefers_none() -> None:
    assert World([3, 9], lambda *_: "who knows").solve(n=2, compare=2).answer == "3"


def test_the_odd_one_goes_on() -> None:
    world = World([3, 4, 9], larger)
    assert world.solve(n=3, compare=1).answer == "9"
    assert world.met == [(3, 4), (4, 9)]


def test_one_answer_is_not_compared() -> None:
    world = World([7, 7, 7], larger)
    assert world.solve(n=3).answer == "7"
    assert world.met == []


def test_what_states_no_answer_takes_no_part() -> None:
    def reply(prompt: str) -> str:
        if prompt.endswith(r"\boxed{"):
            return "}"
        return "hm</think>no idea"

    result = agentflow.solve(QUESTION, "tournament", domain="math", model=ScriptedModel(reply), n=2)
    assert (result.answer, result.status) == (None, "exhausted")


@settings(max_examples=20)
@given(st.lists(st.integers(0, 99), min_size=1, max_size=9), st.integers(1, 3))
def test_the_best_of_all_is_left_where_comparisons_are_right(
    answers: list[int], compare: int
) -> None:
    world = World(answers, larger)
    result = world.solve(n=len(answers), compare=compare)
    assert result.answer == str(max(answers))
    assert len(world.met) <= (len(answers) - 1) * compare


def test_in_a_league_each_meets_some_others() -> None:
    world = World([3, 9, 7, 5, 1], larger)
    result = world.solve(n=5, compare=1, style="league", opponents=1)
    assert sorted(world.met) == [(3, 1), (3, 9), (5, 1), (7, 5), (9, 7)]
    assert result.answer == "9"
    assert result.reason.startswith("the first of 5 samples; comparisons: 5")


@settings(max_examples=20)
@given(st.lists(st.integers(0, 99), min_size=1, max_size=7), st.integers(1, 2))
def test_who_meets_all_others_and_wins_is_first(answers: list[int], compare: int) -> None:
    world = World(answers, larger)
    settings = {"n": len(answers), "compare": compare, "style": "league", "opponents": 9}
    assert world.solve(**settings).answer == str(max(answers))
    assert len(world.met) <= len(answers) * (len(answers) - 1) // 2 * compare


def test_one_lost_game_ends_nothing_in_a_league() -> None:
    def nearly(one: int, other: int) -> str:
        return larger(other, one) if {one, other} == {2, 9} else larger(one, other)

    answers, once = [9, 2, 8, 7], {"n": 4, "compare": 1}
    assert World(answers, nearly).solve(**once).answer == "8"
    assert World(answers, nearly).solve(style="league", **once).answer == "9"


@pytest.fixture
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    from agentflow import backoff

    monkeypatch.setattr(backoff, "FIRST_WAIT", 0.001)


@pytest.mark.usefixtures("_no_waits")
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_a_game_that_fails_is_even(error: Exception) -> None:
    def prefers(one: int, other: int) -> str | Fault:
        return Fault(error) if {one, other} == {3, 9} else larger(one, other)

    result = World([3, 9, 7, 5], prefers).solve(n=4, compare=2, retries=0)
    assert (result.answer, result.status) == ("7", "unverified")
    assert result.reason == "the last of 4 samples; comparisons: 4 of 6 (gone)"
    assert (result.error, result.refused) == ("gone", isinstance(error, Refused))


@pytest.mark.usefixtures("_no_waits")
async def test_on_a_thread_a_game_is_played_again_and_nothing_else(tmp_path: Path) -> None:
    gone = [True]

    def prefers(one: int, other: int) -> str | Fault:
        lost = gone[0] and {one, other} == {9, 7}
        return Fault(ModelUnavailable("gone")) if lost else larger(one, other)

    world = World([3, 9, 7, 5], prefers)
    thread: dict[str, Any] = {
        "thread": "t",
        "checkpoints": tmp_path / "t",
        "model": world.model,
    }
    given_ = {"domain": "math", "n": 4, "compare": 1, "retries": 0}
    with pytest.raises(ModelUnavailable):
        await agentflow.asolve(QUESTION, "tournament", **given_, **thread)
    gone[0] = False
    before = len(world.met)
    result = await agentflow.aresume(**thread)
    assert result.answer == "9"
    assert world.met[before:] == [(9, 7)]


async def test_a_thread_used_again_begins_a_tournament_anew(tmp_path: Path) -> None:
    world = World([3, 9, 8, 2], larger)
    thread: dict[str, Any] = {
        "thread": "t",
        "checkpoints": tmp_path / "t",
        "model": world.model,
    }
    said = []
    for _ in range(2):
        given_ = {"domain": "math", "n": 2, "compare": 1}
        said.append(await agentflow.asolve(QUESTION, "tournament", **given_, **thread))
    assert [one.answer for one in said] == ["9", "8"]
    assert [len(one.samples) for one in said] == [2, 2]


@pytest.mark.parametrize("number", ["{}", '"{}"'])
def test_a_number_may_be_written_as_a_text(number: str) -> None:
    world = World([3, 9], lambda one, other: number.format(larger(one, other)))
    assert world.solve(n=2).answer == "9"


def test_what_cannot_be_read_is_not_counted() -> None:
    result = World([3, 9], lambda *_: "who knows").solve(n=2)
    assert result.reason.startswith("the last of 2 samples; comparisons: 0 of 2 (")
    assert not result.error


def test_who_compares_is_told_the_task() -> None:
    seen: list[str] = []

    def reply(prompt: str) -> str:
        if "[Solution 2]" in prompt:
            seen.append(prompt)
            return '{"reason": "so", "better": 2}'
        return f"hm</think>\nAnswer: {next(answers)}"

    answers = iter(["(7 - 8 / 8) * 4", "4 * 7 - 8 + 8"])
    agentflow.solve("4 7 8 8", "tournament", model=ScriptedModel(reply), n=2, compare=1)
    assert "24" in seen[0].partition("[Solution 1]")[0]


@pytest.mark.parametrize("tokens", [70, 110])
def test_a_limit_that_strikes_in_a_game_is_told(tokens: int) -> None:
    def prefers(one: int, other: int) -> str:
        return f'{{"reason": "{"so " * 30}", "better": {larger(one, other)}}}'

    said = World([3, 9, 7, 5], prefers).solve(n=4, max_tokens=tokens)
    assert (said.status, said.answer, said.error) == ("exhausted", None, "")
    world = World([3, 9, 7, 5], prefers)
    state = tournament.graph.invoke(
        {"problem": QUESTION},
        {"configurable": {MODEL_KEY: world.model}},
        context={"domain": "math", "n": 4, "max_tokens": tokens},
    )
    assert (state["result"]["status"], state["result"]["answer"]) == ("exhausted", None)


@pytest.mark.parametrize("method", ["tournament", "sampling", "self_aggregation"])
@pytest.mark.parametrize("cut_first", [True, False])
def test_an_answer_in_a_text_that_was_cut_is_the_candidate(method: str, cut_first: bool) -> None:
    cut, broken = r"a</think>\boxed{7} " + "so " * 200, [Fault(Refused("400"))]
    said: Iterator[Reply] = iter([cut, broken] if cut_first else [broken, cut])
    settings_: dict[str, Any] = {
        "tournament": {"n": 2},
        "sampling": {"k": 2, "choose": "majority", "critic": "none"},
        "self_aggregation": {"n": 2, "rounds": 1},
    }[method]
    result = agentflow.solve(
        QUESTION,
        method,
        domain="math",
        model=ScriptedModel(lambda _: next(said)),
        solver_tokens=60,
        retries=0,
        **settings_,
    )
    assert (result.answer, result.candidate) == (None, "7")
