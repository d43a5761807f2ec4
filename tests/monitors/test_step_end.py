"""Where a step ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.monitors import Increment
from agentflow.monitors.step_end import StepEnd, first_step


@pytest.mark.parametrize(
    ("text", "mark", "step"),
    [
        ("one\ntwo\n", "\n", "one\n"),
        ("\n\none\ntwo", "\n", "\n\none\n"),
        ("one\ntwo\n\nthree", "\n\n", "one\ntwo\n\n"),
        ("\n\none\n", "\n\n", None),
        ("one", "\n", None),
        ("\n", "\n", None),
        ("", "\n", None),
    ],
)
def test_a_step_ends_at_its_mark_once_it_says_something(
    text: str, mark: str, step: str | None
) -> None:
    assert first_step(text, mark) == step


@given(st.lists(st.sampled_from(["a", "b\n", "\n", "\n\n", " ", "c\n\n"])), st.sampled_from([1, 2]))
def test_the_stream_ends_at_the_token_that_ends_the_step(pieces: list[str], breaks: int) -> None:
    mark = "\n" * breaks
    monitor, offset, ends = StepEnd(mark, 1000, thinks=False), 0, []
    memory = monitor.start()
    for piece in pieces:
        memory, states = monitor.feed(memory, Increment(piece, offset, 1, True))
        offset += len(piece)
        ends += [state.end for state in states]
        assert all(state.end == offset for state in states)
    whole, begun = "".join(pieces), 0
    for end in ends:
        assert first_step(whole[begun:end], mark) is not None
        begun = end
    assert first_step(whole[begun:], mark) is None


def test_a_long_step_ends_at_its_last_token_and_an_answer_at_none() -> None:
    monitor = StepEnd("\n", 3, thinks=True)
    memory, found = monitor.start(), []
    for at in range(4):
        memory, states = monitor.feed(memory, Increment("a", at, 1, False))
        found += states
    assert [(state.end, state.data["tokens"]) for state in found] == [(3, 3)]
    assert monitor.feed(memory, Increment("b\n", 4, 1, True))[1] == []
