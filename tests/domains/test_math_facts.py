"""What is said of numbers that a sentence names is true of them, or leaves it unread."""

from __future__ import annotations

import pytest

from agentflow.domains.math import facts


@pytest.mark.parametrize(
    "said",
    [
        "97 is a prime number, the largest one below 100.",
        "The denominators 8 and 12 have a least common multiple of 24.",
        "19 and 24 share no factor other than 1.",
        "7 and 14 share a factor of 7, while 27 and 9 share a factor of 9.",
        "1/2, 1/3 and 1/6 are three distinct unit fractions whose sum is a whole number.",
        "Multiplying by 25 is the same as multiplying by 100 and dividing by 4.",
        "Division and multiplication have equal priority.",
        "If the expression were 144 / (6 * 3), the answer would be 8 instead.",
    ],
)
def test_what_is_true_claims_nothing_more(said: str) -> None:
    rest = facts.without(said)
    assert rest is not None
    assert not any(sign.isdigit() for sign in rest)


@pytest.mark.parametrize(
    "said",
    [
        "91 is a prime number.",
        "97 is a prime number, the largest one below 110.",
        "400 is not a perfect square.",
        "The denominators 8 and 12 have a least common multiple of 48.",
        "10 and 24 share no factor other than 1.",
        "16/30 is already in lowest terms.",
        "8/15, a little less than one half",
        "11/20, which is slightly more than a quarter",
        "1/2, 2/3 and 1/6 are three distinct unit fractions.",
        "Multiplying by 25 is the same as multiplying by 100 and dividing by 5.",
        "Division and addition have equal priority.",
        "If the expression were 144 / (6 * 3), the answer would be 9 instead.",
        "The multiples of 10 are 10, 20, 40.",
    ],
)
def test_what_is_false_is_not_read(said: str) -> None:
    assert facts.without(said) is None


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        (
            "10% of 240 is 24, and 5% is half of that, which is 12.",
            "10% of 240 is 24 and 5% of 240 is 12.",
        ),
        ("16/30, which is 8/15 after dividing top and bottom by 2", "16/30, which is 8/15"),
        ("59, which happens to be a prime number", "59 "),
        ("68, just under 70", "68 "),
    ],
)
def test_what_is_said_on_the_way_remains(said: str, rest: str) -> None:
    assert facts.without(said) == rest


@pytest.mark.parametrize(
    "said",
    [
        "10% of 240 is 24, and 5% is a third of that, which is 12.",
        "16/30, which is 8/15 after dividing top and bottom by 3",
    ],
)
def test_what_is_false_on_the_way_stays(said: str) -> None:
    assert facts.without(said) == said
