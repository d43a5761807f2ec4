"""Signs and words right beside a number make another one of it."""

from __future__ import annotations

import pytest
from replies import equal, verdict

LINES = "Sean has 5 songs. How many lines does Sean have to memorize?"
PROFIT = "The hospital charges $200 an hour. How much profit does it make from these visits?"
AGES = "Ann's sister is 25% younger than he. What is the total age of all three of them?"
SHARE = "Each melon has 8 parts. What percentage of the melon does each adult get?"


@pytest.mark.parametrize(
    "said",
    [
        *("It is minus 30.", "It is - 30.", "It is !=30.", "It is >30.", "It is -$30."),
        *("#### - 30", "- 30", "It is 30 squared.", "It is 30i.", "It is 30 hundredths."),
        *("It is over 30.", "So the total is about 30.", "It is up to 30.", "#### at most 30"),
        *("30 less than 33", "It is 30 each.", "30 each way", "So the total is 30 per unit."),
        *("30 in total per person", "30 percentage points", "30 basis points", "30th"),
    ],
)
@pytest.mark.parametrize("asked", [LINES, PROFIT, AGES])
def test_what_makes_another_number_of_it_is_no_right_answer(asked: str, said: str) -> None:
    assert not equal("math", asked, said, "30")


@pytest.mark.parametrize(
    "said",
    ["The answer is minus 405.", "405i", "The answer is 405 less than 810", "It is over 405."],
)
def test_nor_is_it_the_value_of_a_calculation(said: str) -> None:
    assert not verdict("math", "What is 17 * 24 - 3?", said)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        *((AGES, f"30 {unit}") for unit in ("furlongs", "rupees", "millidollars", "bytes")),
        *((AGES, one) for one in ("30 nautical miles", "30 monkeys per zoo", "30 acres")),
        *((PROFIT, one) for one in ("30 degrees", "30°", "30 square units", "$30 per visit")),
        *((SHARE, one) for one in ("30 euros", "30 tons", "30 yen", "€30", "30 square feet")),
        ("A pizza costs $12. How much do 3 cost?", "They cost 30 cents."),
        ("A pizza costs $12. How much do 3 cost?", "They cost -$30."),
        ("How far does he drive, in miles?", "\\boxed{30 \\text{ nautical miles}}"),
    ],
)
def test_a_unit_that_the_question_says_nothing_of(asked: str, said: str) -> None:
    assert not equal("math", asked, said, "30")


def test_two_numbers_in_brackets_may_be_an_interval() -> None:
    assert equal("math", "Solve $x^2 - 5x + 6 = 0$.", "\\boxed{[2,3]}", "2, 3") is None
    assert equal("math", "Solve $x^2 - 5x + 6 = 0$.", "\\boxed{2, 3}", "2, 3")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        *((LINES, one) for one in ("30", "30 lines", "It is 30.", "#### 30", "**30**")),
        *((LINES, one) for one in ("So the total is 30.", "Sean memorizes 30 lines in total.")),
        *((PROFIT, one) for one in ("$30", "30 dollars", "It makes $30 profit.", "\\$30")),
        *((AGES, one) for one in ("30", "30 years", "Their total age is 30 years.")),
        *((SHARE, one) for one in ("30%", "30 percent", "30", "\\boxed{30\\%}")),
        ("A pizza costs $12. How much do 3 cost?", "They cost $30."),
        ("On which day of May is it?", "30th"),
    ],
)
def test_right_answers_in_other_words(asked: str, said: str) -> None:
    assert equal("math", asked, said, "30")


@pytest.mark.parametrize(
    "said", ["405", "The answer is 405.", "It is 405!", "17 * 24 = 408, and 408 - 3 is 405."]
)
def test_right_values(said: str) -> None:
    assert verdict("math", "What is 17 * 24 - 3?", said)
