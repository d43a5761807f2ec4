"""A stream that goes round in circles."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.monitors import Context, Increment, Repetition
from agentflow.monitors.repetition import LONGEST
from agentflow.state import State


def fold(text: str, times: int = 3, size: int = 4, *, answering: bool = False) -> list[State]:
    monitor = Repetition(times)
    memory, found = monitor.start(), []
    for offset in range(0, len(text), size):
        part = text[offset : offset + size]
        increment = Increment(part, offset, 1, answering)
        memory, states = monitor.feed(json.loads(json.dumps(memory)), increment)
        found += states
    return found


@pytest.mark.parametrize("circle", ["so it is\n", "Wait, no. ", "so\n\nit is.\n", "a bit. " * 2])
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_circle_is_found_when_it_was_gone_round_often_enough(circle: str, size: int) -> None:
    assert fold("Well. " + circle * 3 + "\n", size=size)
    assert not fold("Well. Then:\n" + circle + "\n", size=size)


def test_it_is_found_at_the_end_of_the_last_round() -> None:
    (state, *_) = fold("hm\n" + "so it is\nand so\n" * 5, size=1)
    assert (state.end, state.data) == (3 + 3 * 16, {"sentences": 2})


@pytest.mark.parametrize(
    "text",
    [
        "so it is\n" * 2 + "so it was\n" + "so it is\n" * 2,
        "0 0 0\n" * 20,  # rows of a table
        "#####\n" * 20,
        "".join(f"Step {n}: go on\n" for n in range(50)),
        "\n" * 50,
        "",
    ],
)
def test_other_texts_are_none(text: str) -> None:
    assert fold(text) == []


def test_a_circle_may_be_long_and_no_longer() -> None:
    lines = [f"this is line {n}\n" for n in range(LONGEST + 1)]
    assert fold("".join(lines[:-1]) * 3)
    assert not fold("".join(lines) * 3)


def test_it_closes_the_thinking_and_stops_the_answer() -> None:
    monitor = Repetition(2)
    (state, *_) = fold("so it is\n" * 2, 2, 1000)
    verdict = asyncio.run(monitor.verify(state, Context()))
    assert (verdict.ok, verdict.kind) == (False, "repetition")
    assert verdict.reason == "the same sentence 2 times in a row"
    assert monitor.intervene(state, verdict, answering=False).kind == "close"
    assert monitor.intervene(state, verdict, answering=True).kind == "stop"


def test_what_follows_another_text_begins_anew() -> None:
    monitor = Repetition(3)
    memory, _ = monitor.feed(monitor.start(), Increment("so it is\n" * 2, 0, 1, False))
    after, _ = monitor.feed(memory, Increment("", 18, 0, False, "feedback"))
    assert monitor.feed(after, Increment("so it is\n", 18, 1, False))[1] == []
    assert monitor.feed(memory, Increment("so it is\n", 18, 1, True))[1] == []
    assert monitor.feed(memory, Increment("so it is\n", 18, 1, False))[1] != []


@given(st.text("ab. \n", max_size=60), st.integers(1, 9))
def test_how_a_text_is_cut_changes_nothing(text: str, size: int) -> None:
    whole = {state.data["sentences"] for state in fold(text + "\n", 2, 1)}
    cut = {state.data["sentences"] for state in fold(text + "\n", 2, size)}
    assert cut <= whole  # one increment tells of its last circle
    assert bool(cut) == bool(whole)


@pytest.mark.parametrize("line", ["so it is\n", "x", "word ", "one. two. three. ", "\n"])
def test_what_is_remembered_is_bounded(line: str) -> None:
    monitor = Repetition(8)
    memory = monitor.start()
    for n in range(5_000):
        memory, _ = monitor.feed(memory, Increment(line, n * len(line), 1, False))
    assert len(json.dumps(memory)) < 5_000
