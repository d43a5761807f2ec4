from __future__ import annotations

import asyncio
import json
from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.domains import Game24
from agentflow.monitors import Context, Increment, KStable
from agentflow.state import State
from agentflow.verdict import Verdict

DATA = Path(__file__).parents[1] / "data"
GAME = Game24()
PROBLEM = GAME.parse("4 7 8 8")
RIGHT = "Answer: (7 - 8 / 8) * 4 = 24\n"
SAME = "4 * (7 - (8 / 8)) = 24\n"
THIRD = "So the answer is (7 - 8 / 8) * 4. Wait, let me check.\n"
OTHER = "Answer: 4 + 7 + 8 + 8\n"
PARTIAL = "Answer: 4 * 6 = 24\n"


def fold(monitor: KStable, text: str, *, answering: bool = False) -> list[State]:
    memory, found, offset = monitor.start(), [], 0
    for line in text.splitlines(keepends=True):
        increment = Increment(line, offset, 1, answering)
        memory, states = monitor.feed(json.loads(json.dumps(memory)), increment)
        found += states
        offset += len(line)
    return found


def counts(text: str) -> list[int]:
    return [state.data["count"] for state in fold(KStable(PROBLEM, GAME), text)]


def stops(text: str, k: int) -> list[bool]:
    monitor = KStable(PROBLEM, GAME, k)
    verdicts = [asyncio.run(monitor.verify(state, Context())) for state in fold(monitor, text)]
    return [verdict.ok is False for verdict in verdicts]


def test_equal_answers_in_a_row_are_counted_in_normal_form() -> None:
    assert counts(RIGHT + "hm\n" + SAME + THIRD) == [1, 2, 3]


def test_the_same_line_counts_twice_and_no_more() -> None:
    """An answer that was checked may be stated again in the same words; a loop is not stable."""
    assert counts(RIGHT * 20) == [1, 2]
    assert counts((RIGHT + "Wait, let me check.\n") * 20) == [1, 2]
    assert counts((RIGHT + SAME) * 20) == [1, 2, 3, 4]
    assert counts((RIGHT + OTHER) * 3) == [1] * 6  # answers that differ are kept in order


def test_long_paragraphs_of_a_thought_are_read() -> None:
    """It ends where the answer is stated in a second paragraph, at 60 % of the trace: not at its
    end, as where paragraphs of more than 300 characters were not read."""
    text = (DATA / "crafted" / "r1_game24.txt").read_text("utf-8")
    assert sum(len(part) > 300 for part in text.split("\n\n")) == 4
    monitor = KStable(GAME.parse("2 4 7 8"), GAME, 2)
    states = fold(monitor, text)
    assert [state.data["count"] for state in states] == [1, 2, 1, 1]
    fires = states[1].end
    assert text[:fires].endswith("So 4 * (7 * 2 - 8) = 24.\n")
    assert len(text[:fires].split()) / len(text.split()) < 0.62


def test_another_answer_starts_again() -> None:
    assert counts(RIGHT + OTHER + RIGHT + SAME) == [1, 1, 1, 2]


def test_only_expressions_over_all_four_numbers_are_answers() -> None:
    assert counts(RIGHT + PARTIAL + "8 - 7 = 1 (left: 1 4 8)\n" + SAME) == [1, 2]


def test_it_stops_at_k() -> None:
    assert stops(RIGHT + SAME, 2) == [False, True]
    assert stops(RIGHT + SAME, 3) == [False, False]
    assert stops(OTHER, 1) == [True]


def test_the_answer_part_is_left_alone() -> None:
    assert fold(KStable(PROBLEM, GAME), RIGHT + RIGHT, answering=True) == []


def test_feedback_does_not_reset_the_count() -> None:
    monitor = KStable(PROBLEM, GAME)
    memory, _ = monitor.feed(monitor.start(), Increment(RIGHT, 0, 1, False))
    memory, states = monitor.feed(memory, Increment("", 40, 0, False, "feedback"))
    assert states == []
    _, states = monitor.feed(memory, Increment(RIGHT, 40, 1, False))
    assert [state.data["count"] for state in states] == [2]


def test_it_closes_the_thinking_behind_the_answer() -> None:
    monitor = KStable(PROBLEM, GAME)
    state = State("stable_answer", {"answer": "x", "count": 2}, 3, 30)
    verdict = asyncio.run(monitor.verify(state, Context()))
    intervention = monitor.intervene(state, verdict, answering=False)
    assert (intervention.kind, intervention.offset, intervention.text) == ("close", 30, "")
    assert intervention.reason == "the same answer 2 times in a row"
    assert monitor.intervene(state, Verdict(None), answering=False).kind == "continue"


@given(st.lists(st.sampled_from([RIGHT, SAME, THIRD, OTHER, PARTIAL, "hm\n"])), st.integers(1, 4))
def test_counting_is_what_a_slow_recount_says(lines: list[str], k: int) -> None:
    stating = [line for line in lines if line not in (PARTIAL, "hm\n")]
    expected = list[int]()
    for _, run in groupby(stating, lambda line: line == OTHER):
        counted = sum(min(times, 2) for times in Counter(run).values())  # a loop counts no more
        expected += range(1, counted + 1)
    assert counts("".join(lines)) == expected
    assert stops("".join(lines), k) == [n >= k for n in expected]


@pytest.mark.parametrize("name", ["start", "feed"])
def test_memory_is_never_changed_in_place(name: str) -> None:
    monitor = KStable(PROBLEM, GAME)
    memory = monitor.start()
    if name == "feed":
        memory, _ = monitor.feed(memory, Increment("Available numbers: 4 7 8 8\n", 0, 1, False))
    kept = json.loads(json.dumps(memory))
    monitor.feed(memory, Increment(RIGHT, 27, 1, False))
    monitor.feed(memory, Increment("Operation: 8 - 7 = 1\n", 27, 1, False))
    assert memory == kept
