"""The reward of the fast verifier: its two parts, and which of them is the stronger."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.flexive.rewards import F1, LENGTH_WEIGHT, correctness, length

INDEXES = st.integers(-1, 5)


@given(INDEXES, INDEXES)
def test_only_the_right_index_is_rewarded(said: int, index: int) -> None:
    assert correctness(f"Step {said} slips.\n\\boxed{{{said}}}", 6, index) == float(said == index)


@pytest.mark.parametrize(
    "reply", ["", "step 1 is wrong", r"\boxed{}", r"\boxed{6}", r"\boxed{-2}", r"\boxed{1"]
)
def test_a_malformed_reply_is_never_right(reply: str) -> None:
    assert all(correctness(reply, 6, index) == 0 for index in range(-1, 6))


def test_the_last_box_counts() -> None:
    assert correctness(r"\boxed{0} no, \boxed{2}", 3, 2) == 1
    assert correctness(r"\boxed{2} no, \boxed{0}", 3, 2) == 0


def test_length_is_the_share_of_what_is_allowed() -> None:
    assert length(0, 1024) == 0
    assert length(512, 1024) == pytest.approx(-LENGTH_WEIGHT / 2)
    assert length(1024, 1024) == pytest.approx(-0.1)


@given(st.integers(0, 5000), st.integers(0, 5000), st.integers(1, 4096))
def test_no_length_outweighs_the_right_index(right: int, wrong: int, maximum: int) -> None:
    assert 1 + length(right, maximum) > 0 + length(wrong, maximum)


def test_a_maximum_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="positive, not 0"):
        length(1, 0)


SHARES = st.floats(0.05, 0.95)


@given(SHARES, SHARES, SHARES)
def test_a_right_index_is_worth_what_f1_gains(wrong: float, named: float, passed: float) -> None:
    def f1(named: float, passed: float) -> float:
        return 2 * named * passed / (named + passed)

    reward, little = F1(wrong, named, passed), 1e-6
    gained = f1(named + little * wrong, passed) - f1(named, passed)
    assert reward.worth(2) * wrong**2 == pytest.approx(gained / little, rel=1e-3)
    gained = f1(named, passed + little * (1 - wrong)) - f1(named, passed)
    assert reward.worth(-1) * (1 - wrong) ** 2 == pytest.approx(gained / little, rel=1e-3)


@given(SHARES, st.sampled_from([-1, 3]))
def test_a_constant_answer_comes_to_be_worth_less_than_what_it_misses(
    wrong: float, answer: int
) -> None:
    reward = F1(wrong)
    for index in (-1, 3) * 400:
        reward.see(index, float(index == answer))
    missed = 3 if answer < 0 else -1
    share = {3: wrong, -1: 1 - wrong}
    assert reward.worth(answer) * share[answer] < 0.1 < 1 < reward.worth(missed) * share[missed]


@pytest.mark.parametrize("shares", [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
@pytest.mark.parametrize("wrong", [0.0, 1.0])
def test_a_worth_is_a_number_at_the_edges_too(wrong: float, shares: tuple[float, float]) -> None:
    reward = F1(wrong, *shares)
    for index in (-1, 0):
        assert 0 <= reward.worth(index) < float("inf")
