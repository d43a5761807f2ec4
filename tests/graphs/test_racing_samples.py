"""Samples that run a race: the first to finish vote, the others are given up (short-m@k)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agentflow
from agentflow.errors import BadInput
from agentflow.models import Finish, Request, ScriptedModel, Token
from agentflow.monitors import Context, Increment, Race
from agentflow.state import State

LONG = 100
"""Tokens of a reply that is long."""

QUESTION = "Ann has 3 apples and buys 4 more. How many apples does Ann have?"


class Gated(ScriptedModel):
    """Long replies go on once all short ones are over, however fast the machine is."""

    def __init__(self, samples: Sequence[tuple[int, str]]) -> None:
        left = iter(samples)

        def reply(_: str) -> str:
            length, answer = next(left)
            return f"{'so ' * length}</think>\n\\boxed{{{answer}}}"

        super().__init__(reply)
        self.short = sum(length < LONG for length, _ in samples)
        self.over = asyncio.Event()

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        sent = 0
        try:
            async for item in super().stream(request):
                yield item
                sent += 1
                if sent == LONG and self.short:
                    await self.over.wait()
        finally:  # who reads may close it behind its last item
            if sent < LONG:
                self.short -= 1
                if not self.short:
                    self.over.set()


def race(samples: Sequence[tuple[int, str]], **values: Any) -> tuple[agentflow.Result, int]:
    """Samples that think so long and then answer; the result, and tokens that were streamed."""
    model = Gated(samples)
    values = {"choose": "majority", "critic": "none", "stop": "first", "k": len(samples)} | values
    result = agentflow.solve(QUESTION, "sampling", model=model, domain="math", **values)
    assert sum(one["generated"] for one in result.ledger.values()) == model.streamed
    return result, model.streamed


def test_the_first_to_finish_vote_and_the_others_are_given_up() -> None:
    samples = [(900, "8"), (20, "7"), (900, "8"), (40, "7"), (900, "8")]
    result, streamed = race(samples, first=2)
    assert result.answer == "7"
    assert result.reason.startswith("majority 2 of 5")
    statuses = [one["status"] for one in sorted(result.samples, key=lambda one: one["branch"])]
    assert statuses == ["abstained", "unverified", "abstained", "unverified", "abstained"]
    late = next(one for one in result.samples if one["branch"] == 0)
    assert "2 other samples had finished" in late["reason"]
    assert streamed < 3 * 900


def test_of_answers_that_are_as_frequent_the_shortest_samples_is_given() -> None:
    result, _ = race([(90, "8"), (30, "7"), (60, "6")], first=3)
    assert result.answer == "7"


def test_with_one_the_first_to_finish_answers() -> None:
    result, streamed = race([(900, "8"), (900, "8"), (10, "7")], first=1)
    assert result.answer == "7"
    assert streamed < 2 * 900


def test_where_fewer_finish_than_are_enough_all_vote() -> None:
    result, _ = race([(30, "8"), (20, "7"), (40, "8")], first=5)
    assert result.answer == "8"


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, 90), min_size=1, max_size=6), st.integers(1, 6))
def test_as_many_vote_as_are_enough_or_more_that_finish_together(
    lengths: list[int], first: int
) -> None:
    result, _ = race([(one, "7") for one in lengths], first=first)
    finished = [one for one in result.samples if one["status"] == "unverified"]
    assert len(finished) >= min(first, len(lengths))
    assert result.answer == "7"


def test_a_sample_that_finishes_behind_the_others_is_late() -> None:
    monitor = Race({1, 2}, 0, 2)
    memory, states = monitor.feed(monitor.start(), Increment("so", 0, 1, False))
    assert not states
    _, (state,) = monitor.feed(memory, Increment("", 2, 0, False, "end"))
    verdict = asyncio.run(monitor.verify(state, Context()))
    assert (verdict.ok, verdict.kind) == (False, "late")
    assert monitor.intervene(state, verdict, answering=True).kind == "abstain"
    assert monitor.finished == {1, 2}


def test_it_is_looked_again_after_so_many_tokens() -> None:
    monitor, found = Race(set(), 0, 1, every=3), list[State]()
    memory = monitor.start()
    for at in range(10):
        memory, states = monitor.feed(memory, Increment("x", at, 1, False))
        found += states
    assert [state.end for state in found] == [3, 6, 9]


def test_a_race_of_nobody_is_refused() -> None:
    with pytest.raises(BadInput, match="first"):
        race([(1, "7")], first=0)
