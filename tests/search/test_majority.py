"""Majority vote over trajectories."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import tree

from agentflow.search import Path, majority, vote


async def same(one: str, other: str) -> bool:
    return one.lower() == other.lower()


def letter(path: Path) -> str | None:
    return None if path.steps[-1] == "2" else path.steps[-1]


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


async def test_it_takes_the_first_trajectory_with_the_answer() -> None:
    grown = tree(3, 2, 1)
    result = await majority(grown, 9, letter, same)
    counts = Counter(letter(path) for path in result.paths)
    del counts[None]
    assert counts[letter(result.best)] == max(counts.values())
    assert result.best is next(p for p in result.paths if letter(p) == letter(result.best))
    assert [place for _, place, _ in grown.rolled] == [(i,) for i in range(9)]


async def test_where_nobody_answers_the_first_trajectory_stands() -> None:
    result = await majority(tree(3, 2, 1), 3, lambda path: None, same)
    assert result.best is result.paths[0]
    with pytest.raises(ValueError, match="at least one"):
        await majority(tree(3, 2, 1), 0, letter, same)
