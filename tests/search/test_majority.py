"""Majority vote."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from agentflow.search import vote


async def same(one: str, other: str) -> bool:
    return one.lower() == other.lower()


@given(st.lists(st.sampled_from(["a", "A", "b", "c", None]), max_size=9))
async def test_most_votes_win_and_ties_go_to_the_answer_given_first(said: list[str | None]) -> None:
    found = await vote(said, lambda one: one, same)
    counts = Counter(one.lower() for one in said if one)
    if not counts:
        assert found == []
        return
    assert found
    assert found[0]
    winner = found[0].lower()
    assert len(found) == counts[winner] == max(counts.values())
    first = [one.lower() for one in said if one and counts[one.lower()] == len(found)]
    assert winner == first[0]
