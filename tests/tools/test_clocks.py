"""Times, dates, ratios and residues compared."""

from __future__ import annotations

import asyncio

import pytest

from agentflow import domains
from agentflow.tools.equality import compare


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("1171/5/4", "1171/05/04", True),
        ("2020-01-05", "2020/1/5", True),
        ("2020/2/3", "2020/2/4", False),
        ("1156/9/20", "1156/10/18", None),  # the same quotient
        ("2024-1-5", "2024-2-4", None),
        ("3/4/2020", "4/3/2020", None),  # the day first, or the month
        ("8-4-2", "8/4/2", None),
        ("1/0/5", "2/0/5", None),
        ("3:00 pm", "15:00", True),
        ("3:00 pm", "3:00 am", False),
        ("2:4", "1:2", True),
        ("2:4:6", "1:2:3", True),
        ("7 \\pmod{10}", "17 \\pmod{10}", None),
        ("7 \\pmod{10}", "8 \\pmod{10}", False),
    ],
)
def test_numbers_that_signs_join(one: str, other: str, equal: bool | None) -> None:
    assert [found.equal for found in compare([(one, other), (other, one)])] == [equal, equal]


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("912,900", "[[912,900]]", True),
        ("936,900,816", "[[936,900,816]]", True),
        ("900,912", "[[912,900]]", False),
        ("[912,900]", "[[912,900]]", None),
    ],
)
def test_a_list_in_double_brackets(one: str, other: str, equal: bool | None) -> None:
    assert compare([(one, other)])[0].equal is equal


@pytest.mark.parametrize(
    ("one", "equal"), [("x^2 + C", True), ("x^2", None), ("x^3", False), ("x^3 + C", False)]
)
def test_an_antiderivative_without_its_constant(one: str, equal: bool | None) -> None:
    maths = domains.get("math")
    problem = maths.parse("Find the antiderivative of 2x.")
    assert asyncio.run(maths.equal(problem, one, "x^2 + C")) is equal
