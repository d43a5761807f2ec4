"""Between what the entropy over a whole vocabulary lies, where an engine tells of some tokens."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.models.model import Distribution, distribution

WEIGHTS = st.lists(st.floats(1e-6, 1), min_size=1, max_size=40)


def entropy_of(probabilities: Sequence[float]) -> float:
    return -math.fsum(p * math.log(p) for p in probabilities if p)


def told(weights: Sequence[float], top: int) -> tuple[float, Distribution]:
    """The entropy of a whole distribution, and what an engine tells of it."""
    total = math.fsum(weights)
    whole = sorted((weight / total for weight in weights), reverse=True)
    listed = [(str(n), math.log(p)) for n, p in enumerate(whole[:top])]
    return entropy_of(whole), distribution(listed)


@given(WEIGHTS, st.integers(0, 40))
def test_the_entropy_lies_within_its_bounds(weights: list[float], top: int) -> None:
    entropy, found = told(weights, top)
    least, most = found.entropy_bounds(len(weights))
    assert found.entropy - 1e-9 <= least <= most
    assert least - 1e-9 <= entropy <= most + 1e-9


@given(WEIGHTS)
def test_a_whole_distribution_leaves_no_room(weights: list[float]) -> None:
    entropy, found = told(weights, len(weights))
    assert found.entropy == pytest.approx(entropy, abs=1e-12)
    assert found.entropy_bounds(len(weights)) == (found.entropy, found.entropy)


@given(st.integers(1, 20), st.integers(0, 30))
def test_both_bounds_are_reached(listed: int, unlisted: int) -> None:
    even, found = told([1.0] * (listed + unlisted), listed)
    assert found.entropy_bounds(listed + unlisted)[1] == pytest.approx(even)
    # All that may be missing lies on one token, as likely as the last that is listed.
    steep, found = told([1.0] * (listed + 1), listed)
    assert found.entropy_bounds(listed + 1 + unlisted)[0] == pytest.approx(steep)


def test_of_nothing_anything_may_be() -> None:
    assert Distribution((), 1.0).entropy_bounds(100) == (0.0, pytest.approx(math.log(100)))


def test_a_vocabulary_is_not_smaller_than_what_is_listed() -> None:
    with pytest.raises(ValueError, match="2 alternatives of a vocabulary of 1"):
        Distribution((("a", 0.5), ("b", 0.5)), 0.0).entropy_bounds(1)
