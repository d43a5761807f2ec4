"""Values from which a solution calculates its answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.verifiers.on_the_way import goes_on_with

ROOM = ("The room has 6 * 6 = 36 square metres.\n", "36 - 20 = 16\n", "Answer: 16")


@pytest.mark.parametrize(
    ("value", "answer", "steps"),
    [
        ("36", "16", ROOM),
        ("36.0", "16", ROOM),
        ("6", "16", ROOM),
        ("24", "72", ("In May 48 / 2 = 24 clips.", "Together: $48 + 24 = 72$.")),
        ("24", "72", ("2. 48 clips + 24 clips = 72 clips",)),
        ("24", "72", (r"- \(48 + 24 = 72\)", "- so")),
        ("1200", "1300", ("1,200 + 100 = 1,300",)),
    ],
)
def test_on_the_way(value: str, answer: str, steps: tuple[str, ...]) -> None:
    assert goes_on_with(value, answer, steps)


@pytest.mark.parametrize(
    ("value", "answer", "steps"),
    [
        ("16", "16", ROOM),  # the answer itself
        ("35", "16", ROOM),
        ("72", "70", ("48 + 24 = 72", "Answer: 70")),  # it stands there, and nothing comes of it
        ("72", "70", ("72 - 3 = 70", "Answer: 70")),  # not true
        ("72", "70", ("72, rounded, is 70", "If a tool says 72, the tool is broken.")),
        ("72", "70", ("72 = 70",)),
        ("70", "72", ("72 - 2 = 70", "48 + 24 = 72")),  # comes behind it
        ("36", "blue", ROOM),
        ("1/0", "16", ROOM),
        ("36", "16", ()),
    ],
)
def test_not_on_the_way(value: str, answer: str, steps: tuple[str, ...]) -> None:
    assert not goes_on_with(value, answer, steps)


@given(st.lists(st.text("0123456789=+-*/(). $x,\n", max_size=30), max_size=6), st.text(max_size=5))
def test_any_text_is_read(steps: list[str], answer: str) -> None:
    assert isinstance(goes_on_with("36", answer, steps), set)


def test_only_what_comes_behind_the_value_is_told() -> None:
    assert goes_on_with("36", "16", ROOM) == {36, 20}
    assert goes_on_with("72", "70", ("48 + 24 = 72", "72 - 2 = 70")) == {72, 2}
    long = ("4 * 9 = 36", "36 - 20 = 16", "2 * 5 = 10", "16 * 10 = 160")
    assert goes_on_with("36", "160", long) == {36, 20, 16, 10}
