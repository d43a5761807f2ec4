"""An answer beside the number that it is rounded to."""

from __future__ import annotations

import asyncio

import pytest

from agentflow import domains
from agentflow.tools.equality import compare

MATHS = domains.get("math")


def equal(one: str, other: str) -> bool | None:
    return asyncio.run(MATHS.equal(MATHS.parse("What is the length?"), one, other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("\\frac{5}{8} \\approx 0.63", "5/8"),
        ("\\sqrt{7} \\approx 2.65", "\\sqrt{7}"),
        ("\\frac{\\sqrt{5}}{5} \\approx 0.447", "\\frac{1}{\\sqrt{5}}"),
        ("6\\pi ≈ 18.85", "6\\pi"),
        ("2\\sqrt[3]{5} ≈ 3.42", "2\\sqrt[3]{5}"),
        ("250\\pi ≈ 785.4 cm^2", "250\\pi"),
        ("1000\\pi ≈ 3,141.6", "1000\\pi"),
        ("$\\ln 3 \\approx 1.0986$", "\\ln 3"),
    ],
)
def test_a_number_that_it_is_rounded_to_says_no_more(one: str, other: str) -> None:
    assert equal(one, other) is True


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("\\frac{5}{8} \\approx 6.3", "5/8"),
        ("5/8 ≈ 6.3", "5/8"),
        ("\\frac{5}{8} ≈ 6.3", "5/8"),
        ("\\sqrt{7} \\approx 3.65", "\\sqrt{7}"),
        ("6\\pi ≈ 18.95", "6\\pi"),
        ("6\\pi ≈ 18.85 million", "6\\pi"),
        ("6\\pi ≈ 18.85%", "6\\pi"),
        ("6\\pi ≈ 18.85 not", "6\\pi"),
        ("6\\pi ≈ 18.85 is wrong", "6\\pi"),
        ("6\\pi ≈ 18.85 ≈ 20", "6\\pi"),
        ("6\\pi \\approx 18.95", "6\\pi"),
    ],
)
def test_a_number_that_it_is_not_rounded_to_leaves_it_open(one: str, other: str) -> None:
    assert equal(one, other) is None


@pytest.mark.parametrize("sign", ["≈", "\\approx "])
def test_the_tool_takes_the_sign_for_no_end(sign: str) -> None:
    [outcome] = compare([(f"5/8{sign}6.3", "5/8")])
    assert outcome.equal is None
