"""What a reply to a calculation says beside its answer has to be right, or is undecided."""

from __future__ import annotations

import pytest
from counting import is_linear

from agentflow import domains
from agentflow.domains.math import calculation, held, spoken
from agentflow.judge import judge

MATH = domains.get("math")
FLAT, BRACKETS, LATE = "What is 26 * 13 + 7?", "Calculate (9 + 14) × 5.", "Evaluate 80 - 12 * 6"
WORKED = {
    FLAT: "26 * 13 = 338\n338 + 7 = 345\n\n",
    BRACKETS: "9 + 14 = 23\n23 × 5 = 115\n\n",
    LATE: "12 * 6 = 72\n80 - 72 = 8\n\n",
}
ANSWER = {FLAT: "345", BRACKETS: "115", LATE: "8"}


async def verdict(problem: str, reply: str) -> bool | None:
    judged = await judge(MATH, MATH.parse(problem), reply)
    return False if judged.ok is False else judged.answer_ok


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (FLAT, "You asked for 26 * 31 + 7."),
        (FLAT, "## 26 * 13 - 7"),
        (FLAT, "The expression is 26 * 13."),
        (FLAT, "The question is 300 + 45 = 345."),
        (FLAT, "The numbers are 26, 31 and 7."),
        (FLAT, "We divide 26 by 13 first."),
        (FLAT, "We begin with the addition."),
        (FLAT, "First we add, then we multiply."),
        (FLAT, "We multiply 26 by 13 and subtract 7."),
        (FLAT, "The product of 26 and 13 is 345."),
        (FLAT, "The value of the expression is 338."),
        (FLAT, "The result of the multiplication is 345."),
        (FLAT, "Addition goes before multiplication in the order of operations."),
        (FLAT, "There are three operations."),
        (FLAT, "The result is odd and larger than 400."),
        (FLAT, "The exact value is 345.2."),
        (FLAT, "There is no addition here."),
        (FLAT, "26 * 13 is about 3000."),
        (FLAT, "The parentheses come first."),
        (FLAT, "345 is prime."),
        (FLAT, "The answer is 345 if we multiply first."),
        (FLAT, "Is it 345?"),
        (FLAT, "Working from right to left gives the same."),
        (FLAT, "Division and addition have equal precedence."),
        (FLAT, "Double 345."),
        (FLAT, "7 multiplied by itself 7 times."),
        (FLAT, "@26@."),
        (FLAT, "Take away 26."),
        (BRACKETS, "There are no brackets here."),
        (BRACKETS, "Multiply 14 by 5 first."),
        (BRACKETS, "We multiply, and then we add."),
        (LATE, "We work from left to right."),
        (LATE, "Subtract 12 from 80."),
    ],
)
async def test_a_false_or_unknown_sentence_does_not_pass(problem: str, said: str) -> None:
    last = f"Answer: {ANSWER[problem]}"
    assert await verdict(problem, f"{said}\n\n{WORKED[problem]}{last}") is not True
    assert await verdict(problem, f"{WORKED[problem]}{said}\n\n{last}") is not True


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (FLAT, "To evaluate 26 * 13 + 7, we follow the order of operations (PEMDAS/BODMAS)."),
        (FLAT, "What is 26 * 13 + 7?"),
        (FLAT, "Let's work through this step by step:"),
        (FLAT, "Multiplication is performed before addition."),
        (FLAT, "First multiply 26 by 13 to get 338, then add 7 to the result."),
        (FLAT, "1. **Multiply** 26 and 13: 26 \\times 13 = 338\n2. **Add** 7: 338 + 7 = 345"),
        (FLAT, "The product of 26 and 13 is 338."),
        (FLAT, "The numbers are 26, 13 and 7."),
        (FLAT, "There are no parentheses or exponents."),
        (FLAT, "We work from left to right."),
        (FLAT, "26 * 13 + 7\n= 338 + 7\n= 345"),
        (FLAT, "| Step | Result |\n|---|---|\n| 1 | 26 * 13 = 338 |\n| 2 | 338 + 7 = 345 |"),
        (BRACKETS, "First, solve inside the parentheses: (9 + 14) = 23."),
        (BRACKETS, "We add first, and then we multiply."),
        (LATE, "Now subtract 72 from 80."),
    ],
)
async def test_a_true_sentence_passes(problem: str, said: str) -> None:
    last = f"Answer: {ANSWER[problem]}"
    assert await verdict(problem, f"{said}\n\n{WORKED[problem]}{last}") is True


@pytest.mark.parametrize(
    "last",
    [
        "In summary, the value of the expression is 345.",
        "And there you have it: the answer is 345!",
        "> **Answer:** 345",
        "Adding 7 gives 345.",
        "Die Antwort ist 345.",
    ],
)
async def test_an_answer_is_read_where_all_is_understood(last: str) -> None:
    assert await verdict(FLAT, f"{WORKED[FLAT]}{last}") is True
    assert await verdict(FLAT, f"{WORKED[FLAT]}{last}\n\nOr is it?") is None


@pytest.mark.parametrize(
    ("answer", "ok"),
    [
        ("345.", True),
        ("The answer is 345.", True),
        ("The sum of 338 and 7 is 345", True),
        ("26 * 13 + 7 equals 345.", True),
        ("The answer is 345, an even number.", None),
        ("The answer is 345, an odd number.", True),
        ("The answer is 344.", None),
    ],
)
async def test_an_answer_may_be_a_sentence(answer: str, ok: bool | None) -> None:
    assert (await MATH.verify_answer(MATH.parse(FLAT), answer)).ok is ok


async def test_only_the_end_of_a_long_reply_is_held_against_the_problem() -> None:
    trials = "Perhaps it is odd.\n" * 50
    last = f"{WORKED[FLAT]}Answer: 345"
    assert await verdict(FLAT, f"{trials}\n{last}") is True
    assert await verdict(FLAT, f"{trials}\n{last}, an even number") is None


async def test_a_word_problem_with_a_gold_answer_is_not_held_against_its_numbers() -> None:
    problem = MATH.parse("Tom has 26 bags of 13 nuts, and 7 nuts. How many nuts does Tom have?")
    said = MATH.answer("Tom has many nuts.\n26 * 13 = 338\n338 + 7 = 345\n\nAnswer: 345") or ""
    assert MATH.shown(said) == "345"
    assert await MATH.equal(problem, said, "345")


@pytest.mark.parametrize("text", ["-" * 5_000, "(" * 5_000, "1 + " * 5_000, "no brackets, " * 900])
def test_odd_texts_cost_little(text: str) -> None:
    assert all(spoken.read(one) is None for one in spoken.sentences(text))
    assert held.ends_in(text) is None


@pytest.mark.parametrize(
    ("problem", "reply", "ok"),
    [
        (
            "What is 30% of 250?",
            "As a decimal, 30% = 0.30. Multiply: 0.30 × 250 = 75\n\n**75**",
            True,
        ),
        ("What is 30% of 250?", "10% of 250 is 25, and 3 * 25 = 75.\n\nAnswer: 75", True),
        ("What is 30% of 250?", "10% of 250 is 20.\n\nAnswer: 75", False),
        ("Compute 2^6 - 4.", "We know that $2^6 = 64$, so $64 - 4 = \\boxed{60}$", True),
        ("Compute 2^6 - 4.", "The power first: 2⁶ = 64. Subtracting 4 leaves 60.", True),
        ("Compute 2^6 - 4.", "We know that $2^6 = 62$, which leaves\n\n\\boxed{60}", False),
        ("Compute 2^6 - 4.", "The power 2^6 means 2 times 6.\n\n\\boxed{60}", None),
        ("Calculate 6! / 4!.", "$$\\frac{6!}{4!} = 6 \\cdot 5 = 30$$\n\nAnswer: 30", True),
        ("Calculate 6! / 4!.", "6! = 700 and 4! = 24.\n\nAnswer: 30", None),
        (
            "What is 3 * 4 + 5 * 6?",
            "Both products come first. 3 * 4 = 12 and 5 * 6 = 30\n\nAnswer: 42",
            True,
        ),
        ("What is 3 * 4 + 5?", "Both products come first. 3 * 4 = 12\n\nAnswer: 17", None),
        ("What is 40 - 3 * 4?", "Subtraction goes before multiplication.\n\nAnswer: 28", None),
    ],
)
async def test_powers_and_percentages_are_read(problem: str, reply: str, ok: bool | None) -> None:
    assert await verdict(problem, reply) is ok


@pytest.mark.parametrize(
    ("problem", "reply", "ok"),
    [
        ("What is 144 / 12?", "144 divided by 12 is 12, because 12 × 12 = 144.", True),
        ("What is 144 / 12?", "144 divided by 12 is 13, because 12 × 12 = 144.", None),
        ("What is 144 / 12?", "12 goes into 144 exactly 11 times, so the answer is 12.", None),
        ("What is 48 + 26?", "8 + 6 = 14, write 1 and carry 4. 4 + 2 + 1 = 7.\n\n74", None),
        ("What is 2^8?", "2^8 means 2 multiplied by itself 7 times.\n\n256", None),
        ("What is 25% of 64?", "25% is one quarter, and 64 / 4 = 16.", True),
        ("What is 25% of 64?", "25% is one third, and 64 / 4 = 16.", None),
        ("What is 9^2 - 4^2?", "A difference of squares: (9 - 4)(9 + 4) = 5 × 13 = 65.", True),
        ("What is 7/8 + 1/4?", "9/8 (or 1.25)", None),
        ("What is 17 * 23?", "So the sum is 400 − 9 = 391.\n\n**391**", None),
        ("What is 17 + 24?", "By the commutative law, 24 + 17 = 41.\n\n41", True),
        ("What is 17 - 24?", "By the commutative law, 24 - 17 = 7.\n\n-7", None),
        ("What is √144 + 3?", "√144 = 12. Then we add 3: 12 + 3 = 15.", True),
        ("What is 9 / 2 - 0.25?", "It is 4.25, which is the same as $4\\tfrac{1}{4}$.", True),
        ("What is 100 - 37?", "100 − 37 = 63\n\nCheck: 63 + 37 = 100 ✓", True),
        ("What is 15% of 80?", "15% as a decimal: 0.15. Then multiply 0.15 by 80.\n\n12", True),
        ("What is 15% of 80?", "15% of 80 is 12.", True),
        ("What is 15% of 80?", "10% of 80 is 8, and 5% of 80 is 4.\n\nAnswer: 12", True),
        ("What is 15% of 80?", "10% of 80 is 9.\n\nAnswer: 12", None),
        ("What is 15% of 80?", "Answer: 12%", None),
        ("What is 15% of 80?", "Answer: 13", False),
        ("What is 2^10?", "$$2^{10} = 1024$$\n\n\\boxed{1024}", True),
        ("What is 2^10?", "There are no exponents.\n\nAnswer: 1024", None),
        ("What is 2^10?", "2^10 is 1000.\n\nAnswer: 1024", None),
        ("What is 2^3 + 4 * 5?", "First the exponent: 2^3 = 8. Then 4 * 5 = 20.\n\n28", True),
        ("What is 2^3 + 4 * 5?", "First we add, then the exponent.\n\nAnswer: 28", None),
    ],
)
async def test_powers_and_percents(problem: str, reply: str, ok: bool | None) -> None:
    judged = await judge(MATH, MATH.parse(problem), reply)
    assert judged.answer_ok is ok


@pytest.mark.parametrize(
    ("problem", "said", "ok"),
    [
        ("Compute 5/6 - 3/8.", "As 11 is prime and does not divide 24, 11/24 is all. {}", None),
        ("Compute 5/6 - 3/8.", "Since 3 does not divide 24, we are done. {}", None),
        ("What is (48 + 12) / (7 - 2)?", "We evaluate the two brackets separately. {}", True),
        ("What is (48 + 12) / 5?", "We evaluate the two brackets separately. {}", None),
        ("Calculate 3.6 / 0.45.", "Multiply both numbers by 10: 3.6 / 0.45 = 360 / 45. {}", None),
        ("What is 15% of 240?", "15% of 240: 10% is 24. So 15% is 24 + 12 = 36. {}", True),
        ("What is 15% of 240?", "15% of 240: 10% is 24. So 20% is 24 + 12 = 36. {}", None),
        ("What is 36 * 25?", "36 * 25 is easy if you think of 25 as a third of 100. {}", None),
    ],
)
async def test_facts_and_wholes_are_held(problem: str, said: str, ok: bool | None) -> None:
    exact = calculation.value(problem)
    assert await verdict(problem, said.format(f"\n\nAnswer: {exact}")) is ok


def test_a_number_said_of_what_is_asked_is_another_than_a_root() -> None:
    asked = "What is the radius of the tank, in meters?"
    reply = "The radius of the tank is therefore $r = {}$ metres.\n\n$$\\boxed{{\\sqrt{{5}}}}$$"
    for said, fits in (("5", False), ("\\sqrt{5}", True)):
        answer = MATH.answer(reply.format(said))
        assert answer is not None
        assert (MATH.normalise(MATH.parse(asked), answer) is not None) is fits


TWO = "What is (7 * 3 - 5) - (4 - 9)?"
RULE = (
    "1. Parentheses/Brackets\n2. Exponents/Orders\n3. Multiplication and Division (from left to "
    "right)\n4. Addition and Subtraction (from left to right)"
)


@pytest.mark.parametrize(
    ("said", "ok"),
    [
        ("For the second set of parentheses:", True),
        ("Inside the first brackets:", True),
        ("Step 2: Subtract the second expression from the first expression.", True),
        ("Step 2: Subtract the first expression from the second expression.", None),
        ("Now, subtract the two results:", True),
        ("Let's break it down into smaller parts and solve them step by step.", True),
        ("Subtracting a negative number is the same as adding its positive counterpart:", True),
        ("Subtracting a negative number is the same as subtracting its counterpart:", None),
        (RULE, True),
        (RULE.replace("left to right", "right to left"), None),
        ("I am confident in the accuracy of the answer.", True),
        ("Take the second half of it.", None),
        ("Divide the second set of parentheses.", None),
    ],
)
async def test_which_brackets_are_meant(said: str, ok: bool | None) -> None:
    worked = "7 * 3 - 5 = 21 - 5 = 16\n4 - 9 = -5\n16 - (-5) = 21"
    assert await verdict(TWO, f"{said}\n\n{worked}\n\nThe answer is 21.") is ok


BOXES = (
    "A farmer has 34 hens, and each of them lays 5 eggs a week. He packs the eggs in boxes of 10."
    " How many boxes does he fill each week?"
)


@pytest.mark.parametrize(
    ("reply", "same"),
    [
        ("17\n\nCheck: 17 × 10 = 170", True),
        ("17\n\nCheck: 34 × 5 = 170, and 170 / 10 = 17.", True),
        ("17\n\nDouble-check: 34 × 6 / 10 = 20.4", None),
        ("17 **Check:** 17 × 12 = 204", None),
        ("17\n\nSo 17 boxes.", True),
        ("17\n\nSo 17 hens.", None),
        ("x = 17", True),
        ("The key says that x = 17", None),
        ("Let x = 17.", None),
    ],
)
async def test_a_check_or_a_count_behind_an_answer(reply: str, same: bool | None) -> None:
    domain = domains.get("math")
    problem, said = domain.parse(BOXES), domain.answer(reply)
    assert (await domain.equal(problem, said, "17") if said else None) is same


@pytest.mark.parametrize("piece", ["**", "**check: ", "(check ", "*_("])
def test_checks_in_long_lines_are_found_in_linear_time(piece: str) -> None:
    is_linear(lambda size: held.checks_told(piece * size), size=100)
