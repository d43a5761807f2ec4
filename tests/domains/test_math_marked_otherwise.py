"""Replies that mark their answer in a way of their own: hashes in a sentence, a label behind it, a
loop, an option by its letter and by what it says."""

from __future__ import annotations

import asyncio

import pytest

from agentflow import domains

MATHS = domains.get("math")
PENS = (
    "A box holds 12 pens. Lea has 4 boxes and gives away 6 pens. How many pens does she have left?"
)
AREA = (
    "A circle has radius 3. What is its area?\n"
    "Choices:\n(A) $6 \\pi$\n(B) $9 \\pi$\n(C) $12 \\pi$\n(D) $9$\n(E) none of these"
)
PRIME = 'Is 9343 a prime number? Think step by step and then answer "[Yes]" or "[No]".'


def reads(question: str, reply: str, gold: str) -> bool | None:
    """Whether a reply's answer is the gold one; None where it is undecided."""
    problem, said = MATHS.parse(question), MATHS.answer(reply)
    return asyncio.run(MATHS.equal(problem, said, gold)) if said else None


@pytest.mark.parametrize(
    "reply",
    [
        "4 * 12 = 48 and 48 - 6 = 42. So Lea has 42 pens left. #### 42",
        "4 * 12 = 48 and 48 - 6 = 42. The answer is '#### 42'.",
        "4 * 12 = 48 and 48 - 6 = 42.\n\nThe answer is: $#### 42$",
        "4 * 12 = 48 and 48 - 6 = 42.\n\nThe answer is \\(#### 42\\).",
        "4 * 12 = 48 pens.\n48 - 6 = 42 pens.\n\nSo, in the end, she has #### 42 pens left.",
        "4 * 12 = #### 48 pens in all.\n\nTherefore, 48 - 6 = #### 42 pens are left.",
        "4 * 12 = 48, and 48 - 6 = 42.\n\n**42 answer**",
        "4 * 12 = 48, and 48 - 6 = 42.\n\n#### 42 answer",
        "4 * 12 = 48, and 48 - 6 = 42.\n\nThe final answer is: $\\boxed{42}$ answer.",
        "Step 1: 4 * 12 = 48 pens.\nStep 2: 48 - 6 = 42 pens.\nStep 3: The answer is: 42",
        "Step 1: 4 * 12 = 48 pens.\nStep 2: 48 - 6.\nStep 3: #### 42\nStep 4: The answer is: 42",
        f"4 * 12 = 48 and 48 - 6 = 42. The final answer is: $\\boxed{{42}}$.{' 42.' * 40}",
        "4 * 12 = 48 and 48 - 6 = 42.\n\nThe final answer is: 42 answer.",
        f"48 - 6 = 42. The answer is $\\boxed{{42}}$.{' I hope it is correct.' * 9} I ho",
        f"48 - 6 = 42 pens are left.\n\nAnswer: 42{(chr(10) + 'Answer: 42') * 30}",
    ],
)
def test_a_number_that_is_marked_in_another_way(reply: str) -> None:
    assert reads(PENS, reply, "42") is True
    assert reads(PENS, reply, "48") is not True


@pytest.mark.parametrize(
    "reply",
    [
        "Lea has #### 48 pens and gives away #### 6 pens.",
        "So she has less than #### 42 pens.",
        "So she has #### 42.5 pens.",
        "**42 answers**",
        "42 answer this question wrongly.",
        "Step 3: The answer is not: 42",
        f"The answer is 42.{' Or 43.' * 30}",
        f"The answer is 42. No, wait.{' It is 41.' * 30}",
    ],
)
def test_what_is_not_marked_as_the_answer(reply: str) -> None:
    assert reads(PENS, reply, "42") is not True


def test_a_row_of_the_same_digits_is_no_loop() -> None:
    assert reads("What is (10^48 - 1)/9?", f"\\boxed{{{'1' * 48}}}", "1" * 48) is True
    zeros = ", ".join(["0"] * 30)
    assert reads("List the first 30 terms.", f"\\boxed{{({zeros})}}", f"({zeros})") is True


@pytest.mark.parametrize(
    ("reply", "gold", "ok"),
    [
        ("The area is $\\pi \\cdot 3^2 = \\boxed{9\\pi}$.", "B", True),
        ("The area is $\\pi \\cdot 3^2 = \\boxed{9\\pi}$.", "C", False),
        ("The area is $\\pi \\cdot 3^2 = \\boxed{9\\pi}$.", "D", False),
        ("The area is $\\boxed{9\\pi}$.\n\nTherefore, the answer is (B).", "B", True),
        ("The area is $\\boxed{9\\pi}$.\n\nTherefore, the answer is (C).", "C", None),
        ("The area is $\\boxed{9\\pi}$. Answer choice $\\boxed{(B)}$", "B", True),
        ("The area is $\\boxed{9\\pi}$. Answer choice $\\boxed{(A)}$", "A", None),
        ("The area is $\\boxed{9\\pi}$, which is answer choice $\\boxed{\\text{(B)}}$.", "B", True),
        ("The area is $\\boxed{9\\pi}$, which is answer choice $\\boxed{\\text{(C)}}$.", "C", None),
        ("$\\boxed{9\\pi}$. $\\Rightarrow\\boxed{\\text{(B)}}$", "B", True),
        ("The area is $9\\pi$. So our selection is option B. #### B", "B", True),
        ("The option that says $9\\pi$ is B.\nSo our selection is option B. #### B", "B", True),
        ("The result is $\\boxed{5\\pi}$.", "E", None),
    ],
)
def test_an_option_by_its_letter_and_by_what_it_says(
    reply: str, gold: str, ok: bool | None
) -> None:
    assert reads(AREA, reply, gold) is ok


FIELD = (
    "A field is 8 m by 5 m. How big is it?\nChoices:\n(A) $13 \\mathrm{~m}^{2}$\n"
    "(B) $26 \\mathrm{~m}^{2}$\n(C) $40 \\mathrm{~m}^{2}$"
)


@pytest.mark.parametrize(
    ("reply", "gold", "ok"),
    [
        ("It has $8 \\cdot 5 = \\boxed{40 \\text{ m}^2}$.", "C", True),
        ("It has $8 \\cdot 5 = \\boxed{40 \\text{ m}^2}$.", "A", False),
        (
            "It has $8 \\cdot 5 = \\boxed{40 \\text{ m}^2}$. Therefore, the answer is (C).",
            "C",
            True,
        ),
        (
            "It has $8 \\cdot 5 = \\boxed{40 \\text{ m}^2}$. Therefore, the answer is (B).",
            "B",
            None,
        ),
        (
            "It has $8 \\cdot 5 = \\boxed{40}$, which is answer choice $\\boxed{\\text{(C)}}$.",
            "C",
            True,
        ),
        ("So, the answer is $\\boxed{\\text{(C)}}$ because $8 \\cdot 5 = 40$.", "C", True),
        ("So, the answer is $\\boxed{\\text{(C)}}$ because $8 \\cdot 5 = 30$.", "C", None),
    ],
)
def test_an_option_with_a_unit(reply: str, gold: str, ok: bool | None) -> None:
    assert reads(FIELD, reply, gold) is ok


@pytest.mark.parametrize(
    ("reply", "gold", "ok"),
    [
        ("No prime up to 96 divides 9343, so it is a prime number.\n\n[Yes]", "yes", True),
        ("No prime up to 96 divides 9343, so it is a prime number.\n\n[Yes]", "no", False),
        ("[No]", "No", True),
        ("[No]\n\nNo prime up to 96 divides it. Therefore, 9343 is a prime number.", "no", None),
        ("[number]", "number", None),
        (
            "The last digit of 9343 is even.\n\nTherefore, 9343 is not a prime number.\n\n[No]",
            "no",
            True,
        ),
        ("Since 9343 is divisible by 3, it is not a prime number.\n\n**No**", "no", True),
        ("Since 9343 is divisible by 3, it is not a prime number.\n\n**No**", "yes", False),
        ("Since no prime divides it, 9343 is a prime number.\n\n[No]", "no", None),
        ("Since 3 divides 9343, it is not a prime number.\n\n[Yes]", "yes", None),
        ("Therefore, 9345 is not a prime number.\n\n[No]", "no", None),
        ("If 3 divides 9343, it is not a prime number.\n\n[No]", "no", None),
        ("9343 is not an even number.\n\n[No]", "no", None),
        ("[Yes]\n\nTherefore, 9343 is not a prime number.\n\n[No]", "no", None),
    ],
)
def test_a_word_in_brackets(reply: str, gold: str, ok: bool | None) -> None:
    assert reads(PRIME, reply, gold) is ok
