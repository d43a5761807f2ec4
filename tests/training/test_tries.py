"""Second tries: some reviews are mistaken, and the trace behind them is right all the same."""

from __future__ import annotations

from collections import Counter
from itertools import islice

from agentflow.nodes.critic import doubted
from training import flawed, game24
from training.flawed import SHOULD_BE
from training.tries import RIGHT, tries


def test_reviewers_are_mistaken_now_and_then() -> None:
    found = list(islice(tries(1), 300))
    assert all(one.first.reason for one in found)
    right = sum(one.first.wrong < 0 for one in found)
    assert abs(right / len(found) - RIGHT) < 0.1
    vague = sum(one.first.reason.startswith(doubted("")) for one in found)
    assert 0.15 < vague / len(found) < 0.35
    assert {one.first.problem.domain for one in found} == set(flawed.TURNS)


def test_a_vague_review_names_a_line_of_the_solution() -> None:
    for one in islice(tries(2), 100):
        if one.first.reason.startswith(doubted("")):
            lines = map(doubted, "".join(one.first.steps).splitlines())
            assert one.first.reason in lines


def test_what_a_mistaken_reviewer_wants_instead_is_wrong() -> None:
    """Else a solver would learn to obey whoever says what should be there."""
    seen = Counter[tuple[bool, bool]]()
    for one in islice(tries(5), 200):
        if one.first.reason.startswith(SHOULD_BE):
            solved = "".join(part.text for part in one.trace).splitlines()
            seen[one.first.wrong < 0, one.first.reason.removeprefix(SHOULD_BE) in solved] += 1
    assert seen[True, False] > 3 * seen[True, True]
    assert seen[False, True] > 10


def test_a_right_puzzle_is_solved_the_same_way_again() -> None:
    seen = Counter[bool]()
    for one in islice(tries(3), 120):
        if one.first.problem.domain != "game24":
            continue
        answer = game24.DOMAIN.answer("".join(one.first.steps))
        again = game24.DOMAIN.answer("".join(part.text for part in one.trace))
        seen[one.first.wrong < 0] += 1
        if one.first.wrong < 0:
            assert game24.DOMAIN.shown(answer or "") == game24.DOMAIN.shown(again or "")
    assert min(seen.values()) > 3


def test_tries_depend_on_the_seed_alone() -> None:
    assert list(islice(tries(4), 8)) == list(islice(tries(4), 8))
    assert list(islice(tries(4), 8)) != list(islice(tries(5), 8))
