"""Units of another dimension than what is asked, residues, and boxes that hold another side."""

from __future__ import annotations

import asyncio

import pytest

from agentflow import domains

MATHS = domains.get("math")
AREA, SPEED = "What is its area in cm^2?", "What is its speed in m/s?"
ROOT = "Solve 3x = 21 for x."


def equal(question: str, text: str, gold: str) -> bool | None:
    answer = MATHS.answer(text)
    assert answer is not None
    return asyncio.run(MATHS.equal(MATHS.parse(question), answer, gold))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (AREA, "12 cm"),
        (AREA, "12 cm^3"),
        ("What is its area in square centimeters?", "12 cm"),
        ("A square has a side of 12 cm. What is its area?", "12 cm"),
        ("Find the volume of a cube with edges of 2 cm.", "12\\text{ cm}^2"),
        ("A field is 12 m wide. What is its perimeter?", "12 m^2"),
        (SPEED, "12 m"),
        ("What is its acceleration in m/s^2? Round to a whole number.", "12 m/s"),
        ("How much does he earn in dollars per hour?", "12 dollars"),
        ("What is the angle in radians?", "12^\\circ"),
        ("What is the angle in degrees?", "12\\text{ radians}"),
        ("What is x?", "12 \\pmod{20}"),
    ],
)
def test_a_unit_of_another_dimension_leaves_it_open(question: str, answer: str) -> None:
    assert equal(question, f"\\boxed{{{answer}}}", "12") is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (AREA, "12\\text{ cm}^2"),
        (AREA, "12 square centimeters"),
        ("What is its area in square feet?", "12\\text{ sq ft}"),
        ("A square has a side of 2 cm. What is its area?", "12\\text{ cm}^2"),
        ("What is the side of a square with an area of 144 cm^2?", "12 cm"),
        (SPEED, "12\\text{ m/s}"),
        (SPEED, "12 meters per second"),
        ("How much does he earn in dollars per week?", "\\$12 per week"),
        ("How hot is it in degrees Celsius?", "12°C"),
        ("How many degrees is the angle?", "12^\\circ"),
        ("How many miles does he run in 3 hours?", "12 miles"),
        ("What is the remainder of 52 divided by 20?", "12 \\pmod{20}"),
    ],
)
def test_a_unit_of_that_dimension_is_right(question: str, answer: str) -> None:
    assert equal(question, f"\\boxed{{{answer}}}", "12") is True


@pytest.mark.parametrize(
    "side",
    [
        "2x",
        "-x",
        "x^2",
        "x + 1",
        "\\log x",
        "\\frac{x}{2}",
        "\\sqrt{x}",
        "3 - x",
        "1/x",
        "2 \\cdot x",
    ],
)
def test_a_box_that_holds_what_is_made_of_the_variable(side: str) -> None:
    assert equal(ROOT, f"So ${side} = \\boxed{{7}}$.", "7") is None


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (ROOT, "$x = \\boxed{7}$"),
        (ROOT, "$3 + 4 = \\boxed{7}$"),
        ("What is f(3)?", "$f(3) = \\boxed{7}$"),
        ("Find 2x.", "So $2x = \\boxed{7}$."),
        ("What is the value of $x^2$?", "$$x^2 = \\boxed{7}$$"),
        ("Find y.", "$y = 2x = \\boxed{7}$"),
        ("Find m+n.", "$m+n = \\boxed{7}$"),
    ],
)
def test_a_box_that_holds_what_is_asked(question: str, text: str) -> None:
    assert equal(question, text, "7") is True
