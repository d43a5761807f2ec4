"""Margins of tokens, and of an answer among them."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.monitors import Increment, Margins
from agentflow.monitors.margin import margin, of_answer

CHANCES = st.lists(st.floats(0.001, 1), min_size=2, max_size=5)


@given(CHANCES)
def test_a_margin_is_the_first_less_the_second(chances: list[float]) -> None:
    found = margin(tuple(("x", math.log(one)) for one in chances))
    ordered = sorted(chances, reverse=True)
    assert found == pytest.approx(ordered[0] - ordered[1])


def test_of_fewer_than_two_tokens_there_is_none() -> None:
    assert margin(()) is None
    assert margin((("x", -0.1),)) is None


@given(st.lists(st.sampled_from("ab\n"), min_size=1, max_size=400))
def test_the_last_tokens_are_told_where_the_text_ends(texts: list[str]) -> None:
    monitor = Margins()
    memory, found = monitor.start(), []
    for at, text in enumerate(texts):
        part = Increment(text, at, 1, False, top=(("a", math.log(0.75)), ("b", math.log(0.25))))
        memory, states = monitor.feed(json.loads(json.dumps(memory)), part)
        found += states
    _, states = monitor.feed(memory, Increment("", len(texts), 0, False, "end"))
    (state,) = [*found, *states]
    assert [text for text, _ in state.data["tokens"]] == texts[-256:]
    assert all(value == pytest.approx(0.5) for _, value in state.data["tokens"])


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("12", 0.6),  # two tokens, the second time
        ("is", 0.2),
        ("2", 0.6),  # not by itself: the last line's
        ("twelve", 0.6),  # nowhere as it is: the last line's
    ],
)
def test_an_answers_margin_is_the_mean_of_its_tokens(answer: str, expected: float) -> None:
    tokens = [("12", 0.1), (" is", 0.2), (" 1", 0.5), ("\n", None), ("1", 0.4), ("2", 0.8)]
    assert of_answer(tokens, answer) == pytest.approx(expected)


@pytest.mark.parametrize("behind", [" 17 cases", " 7.5 and 0.7", " x7"])
def test_an_answer_stands_by_itself(behind: str) -> None:
    assert of_answer([("So ", 0.5), ("7", 0.9), (".", 0.5), (behind, 0.1)], "7") == 0.9


def test_an_answer_of_which_nothing_was_told_has_none() -> None:
    assert of_answer([("12", None)], "12") is None
    assert of_answer([], "12") is None
