"""Solutions that meet two at a time until one is left."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agentflow
from agentflow.models import ScriptedModel

QUESTION = "Ann has 3 apples and buys 4 more. How many apples does Ann have?"
Prefers = Callable[[int, int], str]
"""Which of two answers is better, ``"1"`` or ``"2"``, or a reply of another kind."""


class World:
    """A model that writes given answers, and compares them."""

    def __init__(self, answers: Sequence[int], prefers: Prefers) -> None:
        self.met: list[tuple[int, int]] = []
        self.prefers, self.answers = prefers, iter(answers)
        self.model = ScriptedModel(self.reply)

    def reply(self, prompt: str) -> str:
        if "[Solution 2]" not in prompt:
            return rf"hm</think>\boxed{{{next(self.answers)}}}"
        one, other = map(int, re.findall(r"\\boxed\{(\d+)\}", prompt))
        self.met.append((one, other))
        better = self.prefers(one, other)
        return f'{{"reason": "so", "better": "{better}"}}' if len(better) == 1 else better

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
    assert world.met == [(3, 9), (7, 5), (9, 7)]
    assert (result.answer, result.status) == ("9", "unverified")
    assert result.reason.startswith("it is the last of 4 samples; comparisons: 3")


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
    assert result.reason.startswith("it won most of 5 samples; comparisons: 5")


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
