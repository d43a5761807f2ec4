"""What a text states, and characters in their plain spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.domains import answers, spelling


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Answer: 5", "5"),
        ("The answer is 5.", "5"),
        ("**Answer:** 5", "5"),
        ("**Answer**: 5", "5"),
        ("_Answer_: **5**", "5"),
        ("answer = 5", "5"),
        ("Answer:\n5\n", "5"),
        ("Answer: 4\nAnswer: 5\nso", "5"),
        ("\\boxed{4} and \\boxed{\\text{5}}\nAnswer: 6", "5"),
        ("\\boxed{\\frac{1}{2}}", "\\frac{1}{2}"),
        ("Answer: ", None),
        ("Answer: **\n", None),
        ("The answers are: 5", None),
        ("unanswer: 5", None),
        ("\\boxed{}", None),
        ("5", "5"),
    ],
)
def test_what_a_text_states(text: str, stated: str | None) -> None:
    assert answers.stated(text) == stated


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        ("Step 2: so it is", "so it is"),
        ("- **Step 2.** From 1, 3: so it is", "so it is"),
        ("From 1, 3: so it is\n", "so it is"),
        ("Step by step: so it is", None),
        ("From here: so it is", None),
        ("so it is", None),
    ],
)
def test_what_a_line_claims_as_a_step(line: str, claim: str | None) -> None:
    assert answers.step(line) == claim


def test_plain_spellings() -> None:
    assert spelling.plain("１–２ → “it’s”\u200b") == '1-2 -> "it\'s"'
    assert spelling.NUMBERS["nineteen"] == 19


@given(st.text())
def test_a_plain_text_stays_as_it_is(text: str) -> None:
    answers.stated(text), answers.step(text)
    plain = spelling.plain(text)
    assert spelling.plain(plain) == plain
