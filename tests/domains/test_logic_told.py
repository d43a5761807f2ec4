"""What a reply says of the premises, the rules and the facts themselves, beside its answer."""

from __future__ import annotations

import pytest
from replies import verdict

LOGIC = "Alex is kind. Everyone who is kind is happy. Conclusion: Alex is happy."


@pytest.mark.parametrize(
    "told",
    [
        "Let's go through the premises step by step.",
        "From the premises, we derive that Alex is happy.",
        "We apply the rules given.",
        "Alex is kind, so the rule applies.",
        "By premises 1 and 2, Alex is happy.",
        "It is not the case that Alex is not happy.",
    ],
)
def test_what_claims_nothing_or_follows_goes_with_an_answer(told: str) -> None:
    assert verdict("logic", LOGIC, f"{told}\n\nAnswer: True") is True


@pytest.mark.parametrize(
    "told",
    [
        "All of the premises are about Alex.",
        "Half of the rules here are superfluous.",
        "The second premise is a mere decoration.",
        "From the premises we derive that Alex is not happy.",
        "By the rules, we find that Alex is not kind.",
        "By premise 3, Alex is happy.",  # of two
        "Premise 9 says that Alex is happy.",
        "It is by no means the case that Alex is happy.",
        "Not everyone who is kind is happy.",
        "So the conclusion is the opposite of what follows.",
        "The negation of the conclusion follows.",
        "Alex being kind means that Alex is not happy.",
        'A fact that we use is $\\neg$("Alex is kind").',
    ],
)
def test_what_is_false_or_not_understood_leaves_it_undecided(told: str) -> None:
    assert verdict("logic", LOGIC, f"{told}\n\nAnswer: True") is None
