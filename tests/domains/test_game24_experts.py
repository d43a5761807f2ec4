"""Replies of Game of 24 that tell who checked an answer, and those that check trial after trial."""

from __future__ import annotations

from functools import partial

import pytest
import replies

ANSWER = "Answer: 5 * 6 - (9 - 3) = 24"


verdict = partial(replies.verdict, "game24", "3 5 6 9")


@pytest.mark.parametrize(
    "told",
    [
        "The expression provided by Expert Analyst has been verified by Expert Mathematician.",
        "The expression 5 * 6 - (9 - 3) was found by Expert Python and checked by Expert Solver.",
        "It has been verified as accurate by the expert.",
        "The expression 5 * 6 - (9 - 3) equals 24, using each of the four integers 3, 5, 6 and 9"
        " only once.",
        "It uses the numbers 3, 5, 6, and 9 only once, combined with arithmetic operations, to"
        " achieve a total of 24.",
        "It evaluates to 24 using the given numbers 3, 5, 6, 9 and the four arithmetic operations"
        " (addition, subtraction, multiplication, and division).",
        "All four integers are used exactly once.",
        "The expression uses all four numbers exactly once and equals 24.",
        "Since it is correct and follows the rules, I will present it as the final answer.",
        "The provided solution has been verified by Expert Mathematician and found to be accurate.",
        "I will present this as the final answer.",
    ],
)
def test_who_found_or_checked_an_answer_claims_nothing_of_it(told: str) -> None:
    assert verdict(f"{told}\n\n{ANSWER}") is True
    assert verdict(f"{told}\n\nAnswer: 5 * 6 - 9 + 3 + 3 = 24") is False


@pytest.mark.parametrize(
    "told",
    [
        "The expression provided by Expert Analyst has been rejected by Expert Mathematician.",
        "The expression has not been verified by Expert Mathematician.",
        "The expression equals 23, as found by Expert Analyst.",
        "The expression uses the numbers 3, 5, 6 and 8 only once.",
        "It uses the numbers and a 7 to achieve 24.",
        "All four integers are negative.",
        "The four operations are additions.",
        "It needs seven operations.",
        "I will not present it as the final answer.",
        "Only three integers are used.",
    ],
)
def test_what_else_is_told_of_it_is_looked_at(told: str) -> None:
    assert verdict(f"{told}\n\n{ANSWER}") is None


REJECTED = (
    "Solver: one try is (9 + 3) * 6 / 5 = 24.\n"
    "Check: 9 + 3 = 12, 12 * 6 = 72, 72 / 5 = 14.4 which is not 24! That is not correct.\n"
    "Solver: another attempt: (9 - 5) * 3 + 6 = 24\n"
    "Check: 9 - 5 = 4, 4 * 3 = 12, 12 + 6 = 18, which is not 24. Try again.\n"
    "Solver: let me try another way: 5 * 6 - (9 - 3) = 24\n"
    "Check: 9 - 3 = 6, 5 * 6 = 30, 30 - 6 = 24.\n\n"
)


def test_a_trial_that_the_next_line_rejects_is_taken_back() -> None:
    assert verdict(f"{REJECTED}{ANSWER}") is True


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ("14.4 which is not 24! That is not correct.", "24. That is correct!"),
        ("18, which is not 24. Try again.", "24."),
        (" = 24\nCheck: 9 - 3 = 6, 5 * 6 = 30, 30 - 6 = 24.", " = 24\nCheck: 30 - 6 = 25."),
    ],
)
def test_a_wrong_trial_that_nothing_rejects_leaves_the_answer_undecided(
    said: str, instead: str
) -> None:
    assert said in REJECTED
    assert verdict(f"{REJECTED.replace(said, instead)}{ANSWER}") is None
    assert verdict(f"{REJECTED}Answer: 5 * 6 - 9 + 3 + 3 = 24") is False
