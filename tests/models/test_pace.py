"""How often a run can afford to check: by a clock of the test's own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.ledger import Entry, record
from agentflow.models.budget import Budget
from agentflow.models.pace import SHARE, Pace


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_first_check_is_due_and_what_it_takes_spaces_the_next() -> None:
    clock = Clock()
    pace = Pace(clock)
    assert pace.due(0)
    with pace.check(0):
        clock.now += 2.0
    due = []
    while clock.now < 100:
        clock.now += 1.0
        due.append(pace.due(0))
    assert due.index(True) + 3 == 80  # 2 s taken and 2 s to be taken are 5 % of 80


@given(
    st.lists(st.floats(0.01, 5), min_size=1, max_size=40),
    st.lists(st.floats(0.001, 3), min_size=1, max_size=400),
)
def test_checks_take_no_more_than_their_share(prices: list[float], tokens: list[float]) -> None:
    """Whatever they cost: the share is passed by one whose price was not foreseen, and no more are
    asked for until it is made up."""
    clock = Clock()
    pace, made = Pace(clock), 0
    for seconds in tokens:
        clock.now += seconds
        if pace.due(0):
            assert made == 0 or pace.seconds + pace.price(0) <= SHARE * clock.now
            before = pace.seconds
            with pace.check(0):
                clock.now += prices[made % len(prices)]
            assert pace.seconds - before == pytest.approx(prices[made % len(prices)])
            made += 1
    assert made
    most = max(prices[: made or 1])
    assert pace.seconds <= SHARE * clock.now + most


def test_one_that_has_more_to_read_is_dearer() -> None:
    clock = Clock()
    pace = Pace(clock)
    with pace.check(1000):
        clock.now += 1.0
    assert pace.price(4000) == 4.0
    assert pace.price(0) == pace.price(500) == 1.0
    clock.now = 60.0
    assert pace.due(1000)
    assert not pace.due(4000)


def test_one_under_way_counts_with_its_price_and_one_that_failed_too() -> None:
    clock = Clock()
    pace = Pace(clock)
    with pace.check(0):
        clock.now += 1.0
    clock.now = 41.0
    assert pace.due(0)

    def failed() -> None:
        with pace.check(0):
            assert not pace.due(0)
            clock.now += 3.0
            raise KeyError

    with pytest.raises(KeyError):
        failed()
    assert pace.seconds == 4.0


def test_a_run_that_goes_on_has_its_checks_of_before() -> None:
    entries = record("probe/0", Entry("probe", seconds=3.0)) | record(
        "solver/0", Entry("solver", seconds=40.0, until=50.0)
    )
    assert Budget().resumed(entries).pace.seconds == 3.0
