"""What is said of numbers that a sentence names is true of them, or leaves it unread."""

from __future__ import annotations

import pytest

from agentflow.domains.math import facts


@pytest.mark.parametrize(
    "said",
    [
        "The denominators 8 and 12 have a least common multiple of 24.",
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
        "400 is not a perfect square.",
        "The denominators 8 and 12 have a least common multiple of 48.",
        "8/15, a little less than one half",
    ],
)
def test_what_is_false_is_not_read(said: str) -> None:
    assert facts.without(said) is None


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("59, which happens to be a prime number", "59 "),
        ("68, just under 70", "68 "),
    ],
)
def test_what_is_said_on_the_way_remains(said: str, rest: str) -> None:
    assert facts.without(said) == rest
