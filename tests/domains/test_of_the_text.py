"""A sentence above an answer that speaks of the reply itself has to be understood."""

from __future__ import annotations

import pytest
from counting import is_linear

from agentflow.domains import answers

WORK = "The train covers 150 km in 2.5 hours.\n150 / 2.5 = 60.\n\nAnswer: 60"


@pytest.mark.parametrize(
    "opening",
    [
        "The following solution contains a mistake.",
        "Below is an example of a flawed argument.",
        "Here's what a careless student might write:",
        "The model's old answer, now withdrawn:",
        "Incorrect solution:",
        "Bad example:",
        "Student's attempt:",
        "Sample output:",
        "Template:",
        "The answer key says:",
        "Ignore the following line.",
        "Warning: the solution below is false.",
        "This solution is not mine.",
    ],
)
def test_an_opening_that_is_not_understood(opening: str) -> None:
    assert answers.disclaimed(f"{opening}\n\n{WORK}")


@pytest.mark.parametrize(
    "opening",
    [
        "Here is the solution:",
        "Solution:",
        "Worked solution:",
        "The following solution uses the hours of the train.",
        "Below is the full reasoning.",
        "Here is one possible solution.",
        "The problem says:",
        "This solution is correct.",
        "Step-by-step explanation:",
    ],
)
def test_an_opening_that_claims_nothing(opening: str) -> None:
    assert not answers.disclaimed(f"{opening}\n\n{WORK}")


@pytest.mark.parametrize(
    ("reply", "left_open"),
    [
        ("> Answer: 60", True),
        (">> FINAL ANSWER:\n60", False),
        ("Answer: 60\n\nHmm, let me re-check:", True),
        ("Answer: 60\n\nHowever, the", True),
        ("Answer: 60\n\nHowever, 60 km is no speed.\n\nBut", True),
        ("Answer: 60\n\nHope this helps!", False),
    ],
)
def test_a_reply_that_quotes_or_breaks_off(reply: str, left_open: bool) -> None:
    assert answers.disclaimed(reply) is left_open


@pytest.mark.parametrize("piece", ["solution ", "a, ", "the following ", "'s "])
def test_it_takes_time_in_proportion_to_the_length(piece: str) -> None:
    is_linear(lambda size: answers.disclaimed(f"{piece * size}\n\nAnswer: 60"), size=250)
