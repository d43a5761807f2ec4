"""What a reply of Game of 24 tells beside its answer: read and right, or the reply is undecided."""

from __future__ import annotations

import pytest
from replies import is_right

from agentflow import domains
from agentflow.domains.game24.judging import judge_answer
from agentflow.judge import judge

GAME = domains.get("game24")
PROBLEM = GAME.parse("3 5 6 9")
STEPS = "9 - 5 = 4 (left: 3 4 6)\n6 - 3 = 3 (left: 3 4)\n"  # 3 * 4 is 12: no way
RIGHT = "9 - 3 = 6 (left: 5 6 6)\n5 * 6 = 30 (left: 6 30)\n30 - 6 = 24 (left: 24)\n"
ANSWER = "Answer: 5 * 6 - (9 - 3) = 24"


def verdict(text: str) -> bool | None:
    said = GAME.answer(text)
    return None if said is None else judge_answer(PROBLEM, said).ok


@pytest.mark.parametrize(
    "told",
    [
        "We have 5 * 6 for the 30 and 9 - 3 for the 6.",
        "Make 30 and subtract 6.",
        "I need 31 from 5 and 6, which is not possible.",
        "Subtraction is used twice.",
        "Take the 3 off the 9 and you have 6.",
        "5 * 6 = 30, which happens to be 24 + 6.",
        "The difference in the bracket is 6.",
        "The bracket contains the 9 and the 3.",
        "The given numbers are 3, 5, 6 and 9.",
        "We have to make 24 using 3, 5, 6, 9.",
        "First we multiply: 5 * 6 = 30.",
        "9 minus 3 is 6.",
        "Subtract 3 from 9 to get 6.",
        "Multiplying 5 and 6 gives 30.",
        "The difference of 9 and 3 is 6.",
        "Multiply 5 by 6: 5 * 6 = 30",
        "Let me try 3 * 5 + 9 = 24. That leaves 6.",
        "I tried 9 * 3 + 6 - 5 = 28, which is too big.",
        "Trying 3 + 5 + 6 + 9 = 23, not 24.",
        "Each number is used exactly once.",
        "Available numbers: 3 5 6 9",
        "Step 1: subtract 3 from 9.",
        "Note that 5 * 6 - 6 = 24.",
        "Here is a step-by-step solution:",
        "I need 30 from 5 and 6: 5 * 6 = 30.",
        "9 - 5 = 4, and 4 * 6 = 24, but that leaves the 3. That doesn't work.",
        "What about 3 * 5 + 9 = 24? The 6 would be left over.",
        "9 - 3 = 6. Multiply it by 5: 30.",
        "5 * 6 = 30. That is 6 too many.",
        "6 is used once.",
        "There are several ways to do this.",
        "No fractions are needed.",
        "| Step | Operation | Result |\n|---|---|---|\n| 1 | 9 - 3 | 6 |",
        "Rearranging the approach, I grouped the pieces: 5 * 6 = 30.",
        "5 * 6 = 30, which is six more than 24.",
        "9 and 5 differ by 4.",
        "The 9 and the 6 differ by 3.",
        "3² = 9.",
        "The product 5 * 6 = 30 is 6 above the target.",
        "Let me know if you have any questions!",
    ],
)
def test_what_is_true_goes_with_an_answer(told: str) -> None:
    assert verdict(f"{told}\n\n{RIGHT}{ANSWER}")


@pytest.mark.parametrize(
    "told",
    [
        "The given numbers are 3, 5, 6 and 8.",
        "The numbers are 3, 5 and 6.",
        "We have to make 42 using 3, 5, 6, 9.",
        "The target is 30.",
        "9 minus 3 is 7.",
        "Subtract 3 from 9 to get 5.",
        "Adding 5 and 6 gives 30.",
        "The sum of 5 and 6 is 30.",
        "First we add: 5 * 6 = 30.",
        "We only divide.",
        "The largest number is 6.",
        "Every result is negative.",
        "All numbers are even.",
        "Two of the numbers are equal.",
        "The numbers add up to 24.",
        "The first number is 24.",
        "This is the only solution.",
        "No other way exists.",
        "24 cannot be made without fractions.",
        "I tried 9 * 3 + 6 - 5 = 28, which is too small.",
        "I tried 5 * 6 - 9 + 3 = 24, not 24.",
        "9 * 3 + 6 - 5 also works.",
        "8 * 3 = 24",
        "5 * 6 = 31",
        "10 / 3 = 3.5",
        "Number 9 is not used.",
        "The 6 is used twice.",
        "The 9 is squared first.",
        "Is this right?",
        "5 * 6 ❌",
        "The first step gives 30.",
        "We divide 9 by 5.",
        "We reach 24 in 2 steps.",
        "Since 24 = 4 * 7, we look for 4 and 7.",
        "I need 30 from 5 and 7.",
        "9 - 5 = 4, and 4 * 6 = 24, but that leaves the 5.",
        "9 - 3 = 6. Multiply it by 5: 35.",
        "5 * 6 = 30. That is 5 too many.",
        "The largest of the numbers is 5.",
        "3, 5 and 6 are odd.",
        "6 is used twice.",
        "This is a fraction.",
        "Using the numbers 3, 5 and 6, we reach 24.",
        "Five times six is 35.",
        "We have 5 * 6 for the 31.",
        "Dividing by 1/3 is the same as multiplying by 4.",
        "I need 31 from 5 and 6.",
        "We get 31 using 5 and 6.",
        "Subtraction is used once.",
        "There are two operations.",
        "Finally divide by 4.",
        "Five sixes make 36.",
        "Take the 3 off the 9 and you have 5.",
        "5 * 6 = 30, which happens to be 24 + 8.",
        "The difference in the bracket is 5.",
        "The bracket contains the 9 and the 5.",
        "Adding all four numbers gives 24.",
        "We use addition only.",
        "One way to get 28 is this.",
        "| Step | Operation | Result |\n|---|---|---|\n| 1 | 9 - 3 | 5 |",
        "I take that back.",
        "6 is one of the results.",
        "5 * 6 = 30, which is seven more than 24.",
        "We need 30 - x = 24, so x = 5.",
        "The factor pairs of 24 are (1, 24), (2, 12), (3, 8) and (4, 7).",
        "5 and 6 cannot be combined into 30.",
        "9 and 5 differ by 3.",
        "The three largest numbers are 3, 6 and 9.",
        "Fractions are needed here.",
        "The result is a touch under 24.",
        "This breaks the rule that every number appears once.",
        "24 has the factorization 4 * 7.",
        "The last step is a multiplication.",
        "The 3 stays behind.",
        "Were it allowed, it would be this one.",
        "The 9 is used four time.",
        "Multiplying all of them gives it.",
        "The product of the digits is small.",
        "The 9 and the 6 are equal.",
        "The answer is a whole number.",
        "We use only addition.",
        "The 3 is doubled.",
        "9 can be reached from 5.",
        "All of them are different.",
        "The bracket contains just the 5.",
    ],
)
def test_what_is_false_or_not_understood_leaves_it_undecided(told: str) -> None:
    assert verdict(f"{told}\n\n{RIGHT}{ANSWER}") is None
    assert verdict(f"{RIGHT}{ANSWER}\n\n{told}") is None


def test_what_was_given_up_further_up_is_not_looked_at() -> None:
    tries = "Let me try 9 * 6 - 5 * 3, which is hopeless, I fear.\n" * 3
    assert verdict(f"{tries}\nSo we get:\n\n{ANSWER}")
    assert verdict(f"{tries}\nAll numbers are even.\n\n{ANSWER}") is None


def test_steps_may_stand_below_the_answer() -> None:
    assert verdict(f"{ANSWER}\n\nExplanation:\n{RIGHT}")


def test_a_wrong_answer_is_refuted_whatever_stands_beside_it() -> None:
    assert verdict(f"The largest number is 9.\n\n{STEPS}\nAnswer: (9 - 5) * (6 - 3)") is False
    assert verdict(f"{ANSWER}\n\nAnswer: (9 - 5) * (6 - 3)") is None


def test_the_one_solution_that_is_shown_is_the_answer() -> None:
    assert verdict("5 * 6 - (9 - 3) = 24\n\nWhy? 5 * 6 = 30, and 9 - 3 = 6.") is True
    assert verdict("5 * 6 - (9 - 3) = 24\n\nThe moon is made of 6 cheeses.") is None
    assert GAME.answer("5 * 6 - (9 - 3) = 24\n\nIt is blue in there.") is not None


@pytest.mark.parametrize("said", ["I think {}", "{}!", "{}, which is the answer", "- {}"])
def test_a_line_alone_is_judged_as_it_stands(said: str) -> None:
    said = said.format("5 * 6 - (9 - 3)")
    for text in (said, f"Answer: {said}", f"\\boxed{{{said}}}\n\\boxed{{"):
        assert verdict(text) is None


@pytest.mark.parametrize(
    ("problem", "reply", "ok"),
    [
        ("6 6 6 6", "6 + 6 + 6 + 6 = 24. Alternatively, 6 × 6 − 6 − 6 = 24.", True),
        ("6 6 6 6", "6 + 6 + 6 + 6 = 24. Alternatively, 6 × 6 + 6 − 6 = 24.", None),
        ("5 6 7 8", "(5 + 7) × (8 − 6) = 24. Also 6 × 8 ÷ (7 − 5) = 24 is not valid.", None),
        ("3 8 8 9", "3 × 8 × (9 − 8) = 24. The bracket is worth 1.", True),
        ("3 8 8 9", "3 × 8 × (9 − 8) = 24. The bracket is worth 2.", None),
        ("5 6 6 9", "I looked for two products that differ by 24.\n\nAnswer: 6 × 9 − 5 × 6", True),
        ("5 6 6 9", "I looked for two products that differ by 25.\n\nAnswer: 6 × 9 − 5 × 6", None),
        (
            "5 6 7 9",
            "7 − 5 = 2, 2 × 9 = 18, add the 7 that's still unused.\n\nAnswer: (7 − 5) × 9 + 6",
            None,
        ),
        (
            "4 4 4 10",
            "Two ways:\n\nOption A: 4 × 10 − 4 × 4 = 24\nOption B: 4 × (4 × 4 − 10) = 24",
            True,
        ),
        ("1 4 5 6", "No solution stays in whole numbers.\n\nAnswer: 4 / (1 − 5/6)", True),
        (
            "1 4 5 6",
            "There is no solution that stays in whole numbers.\n\nAnswer: 4 / (1 − 5/6)",
            True,
        ),
        (
            "3 8 8 9",
            "There is no solution that stays in whole numbers.\n\nAnswer: 3 × 8 × (9 − 8)",
            None,
        ),
        (
            "1 11 11 13",
            "13 − 11 = 2\n11 + 1 = 12\nAdding them:\n\nAnswer: (13 − 11) × (11 + 1)",
            None,
        ),
        ("4 4 10 10", "(10 × 10 − 4) ÷ 4 = 24. This does not change the result.", None),
        ("2 3 5 12", "12 divided by one half is 6. 12 / (3 − 5 / 2) = 24", None),
    ],
)
async def test_other_solutions_and_brackets_are_read(
    problem: str, reply: str, ok: bool | None
) -> None:
    judged = await judge(GAME, GAME.parse(problem), reply)
    assert (False if judged.ok is False else judged.answer_ok) is ok


@pytest.mark.parametrize(
    ("problem", "reply"),
    [
        ("1 2 9 12", "24 = (2 + (9 + (1 + 12))) : 1"),
        ("1 2 9 12", "24 = 2 + 9 + 1 + 12 : 1"),
        ("1 2 9 12", "(2 + 9 + 1 + 12) = 24 : 1"),
        ("1 2 9 12", "24 = (2 + 9 + 1 + 12) | 1"),
        ("1 2 9 12", "24 = 2 + 9 + 1 + 12, 1"),
        ("1 1 12 12", "1\n* (1 * (12 + 12)) * 1 = 24"),
        ("12 12 12 12", "Answer: 12\n+ 12 + (12 - 12) = 24"),
        ("12 12 12 12", "\\boxed{12}\n+ 12 + (12 - 12) = 24"),
        ("2 2 4 8", "Therefore, one solution is 2\n* 4 + 2 * 8 = 24."),
        ("3 3 5 5", "1. +5 * 5 - 3 / 3 = 24"),
        ("1 3 5 21", "Answer: 1. + 21 + 5 - 3 = 24"),
    ],
)
async def test_what_may_go_on_is_neither_right_nor_wrong(problem: str, reply: str) -> None:
    judged = await judge(GAME, GAME.parse(problem), reply)
    assert judged.answer_ok is None


@pytest.mark.parametrize(
    "reply", ["Answer: 12\n\nDone.", "Answer: 12 + 12 + 12", "Answer: 12\n= 12"]
)
async def test_an_answer_that_ends_is_wrong(reply: str) -> None:
    judged = await judge(GAME, GAME.parse("12 12 12 12"), reply)
    assert judged.answer_ok is False


async def test_braces_are_brackets() -> None:
    judged = await judge(GAME, GAME.parse("4 6 9 13"), "So 13 - {4 + {9 + 6}} equals 24.")
    assert judged.answer_ok is not True
    judged = await judge(
        GAME, GAME.parse("4 6 9 13"), "So {13 - 9} * {6 / {4 - {4 - 1}}} equals 24."
    )
    assert judged.answer_ok is not True


@pytest.mark.parametrize(
    ("said", "ok"),
    [
        ("To achieve a total of 24, we can use the following equation:", True),
        ("To achieve a total of 25, we can use the following equation:", None),
        ("The expression given by Expert Solver has been verified by Expert Reader.", True),
        ("The expression given by Expert Solver has been doubted by Expert Reader.", None),
        ("Therefore, I can now present the final answer.", True),
    ],
)
def test_an_expression_that_is_handed_in(said: str, ok: bool | None) -> None:
    assert is_right("g", f"{said}\n\nAnswer: (7 - 8/8) * 4") is ok
