"""What a planner's reply says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.nodes.plan import SENTENCES, read_plan


def test_the_plan_stands_between_its_tags() -> None:
    assert read_plan(" <plan>Factor it.\nThen solve.</plan>\n") == "Factor it. Then solve."


def test_of_more_sentences_the_first_three() -> None:
    said = read_plan("<plan>One, 1.5 of it. Two! Three? Four. Five.</plan>")
    assert said == "One, 1.5 of it. Two! Three?"


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Factor it.",
        "<plan></plan>",
        "<plan> \n </plan>",
        "Here it is: <plan>Factor it.</plan>",
        "<plan>Factor it.</plan> Good luck!",
        "<plan>Factor it.</plan><plan>Solve.</plan>",
        "<plan>Factor it.",
    ],
)
def test_malformed(reply: str) -> None:
    with pytest.raises(ValueError, match="plan"):
        read_plan(reply)


@given(st.text(alphabet="ab .!?<>/plan\n", max_size=60))
def test_any_text(text: str) -> None:
    try:
        said = read_plan(f"<plan>{text}</plan>")
    except ValueError:
        return
    assert said
    assert "\n" not in said
    ends = [c for c, after in zip(said, said[1:] + " ", strict=True) if c in ".!?" and after == " "]
    assert len(ends) <= SENTENCES
