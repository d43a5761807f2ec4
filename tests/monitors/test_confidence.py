"""Group confidence, held against the paper's formula computed on the whole text."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.monitors import Context, GroupConfidence, Increment
from agentflow.monitors.confidence import confidence
from agentflow.state import State

LOGPROBS = st.floats(-20, 0)


def read(values: Sequence[float], monitor: GroupConfidence) -> list[State]:
    """The states in a text of tokens with one alternative each, whose confidence is the value."""
    memory, found = monitor.start(), list[State]()
    for at, value in enumerate(values):
        part = Increment("x", at, 1, False, top=(("x", -value),))
        memory, states = monitor.feed(json.loads(json.dumps(memory)), part)
        found += states
    _, states = monitor.feed(memory, Increment("", len(values), 0, False, "end"))
    return found + states


@given(st.lists(st.floats(0, 20), min_size=1, max_size=80), st.integers(1, 32))
def test_groups_are_those_of_the_whole_text(values: list[float], window: int) -> None:
    (state,) = read(values, GroupConfidence(window))
    groups = [sum(values[at : at + window]) / window for at in range(len(values) - window + 1)]
    groups = groups or [sum(values) / len(values)]
    assert state.data["lowest"] == pytest.approx(min(groups), abs=1e-9)
    assert state.data["tail"] == pytest.approx(groups[-1], abs=1e-9)
    assert state.data["mean"] == pytest.approx(sum(values) / len(values), abs=1e-9)


@given(st.lists(st.floats(0, 20), min_size=64, max_size=300))
def test_a_wide_window_is_read_in_steps_of_a_32nd(values: list[float]) -> None:
    (state,) = read(values, GroupConfidence(64))
    groups = [sum(values[at : at + 64]) / 64 for at in range(0, len(values) - 63, 2)]
    assert state.data["lowest"] == pytest.approx(min(groups), abs=1e-9)


def test_a_text_is_given_up_at_its_first_low_group() -> None:
    monitor = GroupConfidence(2, floor=1.0)
    first, *_ = read([3, 3, 0.5, 0.5, 0.1], monitor)
    assert (first.kind, first.end, first.data) == ("group", 4, {"confidence": 0.5})
    verdict = asyncio.run(monitor.verify(first, Context()))
    assert "2 tokens with a confidence of 0.500, below 1.000" in verdict.reason
    assert monitor.intervene(first, verdict, answering=False).kind == "abstain"


def test_a_whole_text_is_neither_right_nor_wrong() -> None:
    monitor = GroupConfidence(2)
    (state,) = read([3, 3], monitor)
    verdict = asyncio.run(monitor.verify(state, Context()))
    assert verdict.ok is None
    assert monitor.intervene(state, verdict, answering=True).kind == "continue"


def test_tokens_without_alternatives_do_not_count() -> None:
    monitor = GroupConfidence(1)
    memory, _ = monitor.feed(monitor.start(), Increment("x", 0, 1, False))
    assert monitor.feed(memory, Increment("", 1, 0, False, "end")) == (memory, [])


@given(st.lists(LOGPROBS, min_size=1, max_size=20))
def test_a_tokens_confidence_is_the_mean_of_minus_its_alternatives(logprobs: list[float]) -> None:
    top = tuple((str(at), one) for at, one in enumerate(logprobs))
    assert confidence(top) == pytest.approx(-sum(logprobs) / len(logprobs))
    assert confidence((*top, ("none", -math.inf), ("nan", math.nan))) == confidence(top)


def test_where_nothing_is_told_there_is_none() -> None:
    assert confidence(()) is None
    assert confidence((("a", -math.inf),)) is None
