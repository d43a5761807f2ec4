"""Questions that are a calculation and nothing else are decided exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow import domains
from agentflow.domains.math import question

MATH = domains.get("math")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("What is 2+2?", 4),
        ("2 + 2 = ?", 4),
        ("Calculate 3 × (4 - 1).", 9),
        ("What's 17 * 23?", 391),
        ("What is the value of 7 ÷ 2?", Fraction(7, 2)),
        ("Compute 1.5 * 2", 3),
        ("What is -3 + 5?", 2),
    ],
)
def test_a_calculation_has_a_value(text: str, value: Fraction | int) -> None:
    assert question.value(text) == value
    assert MATH.decides(MATH.parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "What is 5?",
        "What is 2+2 in base 3?",
        "What is not 2+2?",
        "What is 2+2+?",
        "What is 6/2(1+2)?",
        "What is 08+1?",
        "What is 1,000 + 1?",
        "What is 2^3?",
        "What is 1/0?",
        "2+2=5?",
        "What is 2+2=4?",
        "What is 2+2? And 3+3?",
        "Ann has 2+2 apples. How many?",
        "What is 2 + 2 mod 3?",
        "What is 3.4.5 + 1?",
    ],
)
def test_anything_else_is_not_decided(text: str) -> None:
    assert question.value(text) is None
    assert not MATH.decides(MATH.parse(text))


@pytest.mark.parametrize(
    ("text", "answer", "ok"),
    [
        ("What is 2+2?", "4", True),
        ("What is 2+2?", "8/2", True),
        ("What is 2+2?", "4.0", True),
        ("What is 2+2?", "3", False),
        ("What is 2+2?", "-4", False),
        ("What is 2+2?", "4 or 5", None),
        ("What is 2+2?", "x", None),
        ("What is 10/3?", "3.33", None),
        ("What is 10/3?", "3.3", None),
        ("What is 10/3?", "3.5", False),
        ("What is 10/3?", "10/3", True),
    ],
)
async def test_its_answer_is_told_right_from_wrong(text: str, answer: str, ok: bool | None) -> None:
    assert (await MATH.verify_answer(MATH.parse(text), answer)).ok is ok


@given(st.lists(st.integers(0, 99), min_size=2, max_size=5), st.data())
def test_its_value_is_that_of_python(numbers: list[int], data: st.DataObject) -> None:
    text = str(numbers[0])
    for number in numbers[1:]:
        text += f" {data.draw(st.sampled_from('+-*'))} {number}"
    assert question.value(f"What is {text}?") == eval(text)


@given(st.text(alphabet="0123456789+-*/(). =?Whatis", max_size=30))
def test_no_text_is_an_error(text: str) -> None:
    assert isinstance(question.value(text), Fraction | None)
    assert isinstance(question.said(text), Fraction | None)
