"""A pause every so many tokens of thinking."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.monitors.monitor import Increment
from agentflow.monitors.pause import Pause


def pauses(lines: list[tuple[str, int]], tokens: int, *, answering: bool = False) -> list[int]:
    """Where lines of so many tokens each are paused."""
    monitor, memory, offset, found = Pause(tokens, thinks=True), {"tokens": 0}, 0, []
    for text, count in lines:
        memory, states = monitor.feed(memory, Increment(text, offset, count, answering))
        offset += len(text)
        found += [state.end for state in states]
    return found


def test_it_pauses_behind_the_line_that_reaches_the_tokens() -> None:
    assert pauses([("one\n", 2), ("two\n", 2), ("three\n", 2), ("four\n", 2)], 3) == [8, 19]


def test_an_answer_is_not_interrupted() -> None:
    assert pauses([("one\n", 9)], 3, answering=True) == []


def test_a_boundary_counts_nothing() -> None:
    monitor = Pause(3, thinks=True)
    memory = {"tokens": 2}
    assert monitor.feed(memory, Increment("", 0, 5, False, "feedback")) == (memory, [])


@given(st.lists(st.integers(1, 9), max_size=30), st.integers(1, 20))
def test_between_two_pauses_are_at_least_so_many_tokens(counts: list[int], tokens: int) -> None:
    found = pauses([("x\n", count) for count in counts], tokens)
    since = 0
    for number, count in enumerate(counts, 1):
        since += count
        assert (2 * number in found) == (since >= tokens)
        since = 0 if since >= tokens else since


@pytest.mark.parametrize("answering", [False, True])
def test_it_keeps_what_was_written(answering: bool) -> None:
    monitor = Pause(1, thinks=False)
    _, (state,) = monitor.feed(monitor.start(), Increment("one\n", 7, 1, answering))
    assert (state.start, state.end) == (11, 11)
