"""Which solution the next one refines: a new one where new ones are good, else the best below."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.search.branching import Solution, likeliest, most_promising, next_parent, worth

SCORES = st.floats(0, 1)


@st.composite
def trees(draw: st.DrawFn) -> list[Solution]:
    found: list[Solution] = []
    for at in range(draw(st.integers(0, 12))):
        parent = draw(st.none() | st.sampled_from(range(at))) if at else None
        if parent is not None and not found[parent].refines:
            parent = None
        found.append(Solution(parent, draw(SCORES), draw(st.booleans())))
    return found


@given(trees(), st.integers(0, 99))
def test_only_what_may_be_refined_is(tree: list[Solution], seed: int) -> None:
    parent = next_parent(tree, Random(seed))
    assert parent is None or tree[parent].refines
    assert parent == next_parent(tree, Random(seed))  # the same again


def chosen(tree: list[Solution], draws: int = 2000) -> Counter[int | None]:
    return Counter(next_parent(tree, Random(seed)) for seed in range(draws))


def test_the_first_is_new() -> None:
    assert next_parent([], Random(0)) is None


def test_nothing_is_refined_where_nothing_may_be() -> None:
    assert chosen([Solution(None, 0.9, refines=False)] * 3, 100) == {None: 100}


@pytest.mark.parametrize(("new", "below"), [(0.9, 0.1), (0.1, 0.9)])
def test_the_better_arm_is_drawn_more_often(new: float, below: float) -> None:
    """Wider where new solutions are good, deeper where refinements were better."""
    tree = [Solution(None, new)] * 4 + [Solution(0, below)] * 4
    wider = chosen(tree)[None]
    assert (wider > 1500) if new > below else (wider < 500)


def test_the_better_of_several_is_refined_more_often() -> None:
    tree = [Solution(None, 0.1), Solution(None, 0.8), Solution(0, 0.1), Solution(1, 0.9)]
    found = chosen(tree)
    assert found[1] + found[3] > 3 * (found[0] + found[2])


def test_each_node_has_a_chance() -> None:
    tree = [Solution(None, 0.2), Solution(0, 0.6), Solution(None, 0.5)]
    assert {*chosen(tree)} == {None, 0, 1, 2}


@given(st.lists(SCORES, max_size=20), st.integers(0, 99))
def test_a_worth_is_a_share(scores: list[float], seed: int) -> None:
    assert 0 <= worth(scores, Random(seed)) <= 1


def test_the_model_that_writes_better_solutions_is_asked_more_often() -> None:
    arms = {0: [0.1, 0.2, 0.1], 1: [0.9, 0.8], 2: []}
    found = Counter(likeliest(arms, Random(seed)) for seed in range(1000))
    assert found[1] > 5 * found[0]
    assert found[2] > found[0]  # nobody knows yet how good it is


@given(trees(), st.floats(0, 5), st.integers(1, 4))
def test_an_upper_bound_refines_only_what_may_be(
    tree: list[Solution], explore: float, width: int
) -> None:
    parent = most_promising(tree, explore, width)
    if parent is None:
        refined = [at for at, one in enumerate(tree) if one.refines]
        children = Counter(one.parent for one in tree)
        assert all(children[at] >= width for at in refined)
    else:
        assert tree[parent].refines


def test_without_exploring_the_best_is_refined_until_one_of_its_own_is_better() -> None:
    tree = [Solution(None, 0.2), Solution(None, 0.6)]
    assert most_promising(tree, 0.0, 2) == 1
    tree += [Solution(1, 0.5), Solution(1, 0.4)]
    assert most_promising(tree, 0.0, 2) == 1, "none of its own is better"
    tree.append(Solution(1, 0.9))
    assert most_promising(tree, 0.0, 2) == 4


def test_what_was_tried_little_is_explored() -> None:
    tree = [Solution(None, 0.6), Solution(None, 0.5), *[Solution(0, 0.55)] * 6]
    assert most_promising(tree, 2.0, 9) == 1
    assert most_promising(tree, 0.0, 9) == 0


def test_a_solution_is_worth_what_came_of_it() -> None:
    """The first has a refinement that is bad, the second one that is good."""
    tree = [Solution(None, 0.5), Solution(None, 0.5), Solution(0, 0.1), Solution(1, 0.4)]
    assert most_promising(tree, 0.0, 3) == 1
