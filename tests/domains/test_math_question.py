"""Questions that are a calculation and nothing else are decided exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow import domains
from agentflow.domains.math import calculation, naming, question

MATH = domains.get("math")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("What is 2+2?", 4),
        ("2 + 2 = ?", 4),
        ("Calculate 3 × (4 - 1).", 9),
        ("What's 17 * 23?", 391),
        ("What is the value of 7 ÷ 2?", Fraction(7, 2)),
        ("Compute 1.5 * 2", 3),
        ("What is -3 + 5?", 2),
        ("What is 2^3?", 8),
        ("Compute $2^{10} - 24$.", 1000),
        ("What is (1 + 2)^2 * 3?", 27),
        ("Calculate 20 percent of (30 + 20).", 10),
        ("Calculate 7! / 5!.", 42),
        ("What is 5!?", 120),
        ("What is 2^10?", 1024),
        ("What is 2**3 + 1?", 9),
        ("What is 2 to the power of 10?", 1024),
        ("Calculate 7 squared minus 3.", 46),
        ("What is 15% of 80?", 12),
        ("How much is 15 percent of 80?", 12),
        ("What is 20% * 50 + 2?", 12),
        ("What is (2 + 3)^2 * 4?", 100),
        ("What is the sum of 12 and 30?", 42),
        ("What is 12 times 3 plus 4?", 40),
        ("What is \\frac{3}{4} + 1?", Fraction(7, 4)),
        ("What is 8 \\times 7?", 56),
        ("What is the square root of 196?", 14),
        ("What is √144 + 3?", 15),
        ("What is three quarters of 80?", 60),
        ("What is the factorial of 5?", 120),
    ],
)
def test_a_calculation_has_a_value(text: str, value: Fraction | int) -> None:
    assert calculation.value(text) == value
    assert MATH.decides(MATH.parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "What is 5?",
        "What is 2+2 in base 3?",
        "What is not 2+2?",
        "What is 2+2+?",
        "What is 6/2(1+2)?",
        "What is 08+1?",
        "What is 1,000 + 1?",
        "What is 12 + 3!",
        "What is -3^2?",
        "What is the square root of 144 + 25?",
        "What is half of 80 plus 20?",
        "What is 7 + 8 squared?",
        "What is the third of 90?",
        "What is the square root of 2?",
        "What is 50 + 10%?",
        "What is 2^3^2?",
        "What is 10 minus the sum of 3 and 4 * 5?",
        *("What is the sum of 1 to 10?", "Add the sum of 3 to 5.", "sum of 1 to 10"),
        *("What is the difference between 3 and 8?", "the difference of 1/3 and 1/2"),
        "What is 3% 4?",
        "What is 2 1/2 + 1?",
        "What is 2^0.5?",
        "What is 1/0?",
        "2+2=5?",
        "What is 2+2=4?",
        "What is 2+2? And 3+3?",
        "Ann has 2+2 apples. How many?",
        "What is 2 + 2 mod 3?",
        "What is 3.4.5 + 1?",
    ],
)
def test_anything_else_is_not_decided(text: str) -> None:
    assert calculation.value(text) is None
    assert not MATH.decides(MATH.parse(text))


@pytest.mark.parametrize(
    ("text", "answer", "ok"),
    [
        ("What is 2+2?", "4", True),
        ("What is 2+2?", "8/2", True),
        ("What is 2+2?", "4.0", True),
        ("What is 2+2?", "3", False),
        ("What is 2+2?", "-4", False),
        ("What is 2+2?", "4 or 5", None),
        ("What is 2+2?", "x", None),
        ("What is 10/3?", "3.33", None),
        ("What is 10/3?", "3.3", None),
        ("What is 10/3?", "3.5", False),
        ("What is 10/3?", "10/3", True),
        ("What is 17 * 3 + 4?", "17 * 3 + 4 = 55", True),
        ("What is 17 * 3 + 4?", "17 \\times 3 + 4 = 51 + 4 = 55", True),
        ("What is 17 * 3 + 4?", "x = 55", True),
        ("What is 17 * 3 + 4?", "= 55", True),
        ("What is 17 * 3 + 4?", "17 * 3 + 4 = 54 = 55", None),
        ("What is 17 * 3 + 4?", "17 * 3 = 51", None),
        ("What is 17 * 3 + 4?", "2x = 55", None),
        ("What is 17 * 3 + 4?", "55 = 17 * 3 + 4", True),
    ],
)
async def test_its_answer_is_told_right_from_wrong(text: str, answer: str, ok: bool | None) -> None:
    assert (await MATH.verify_answer(MATH.parse(text), answer)).ok is ok


@given(st.lists(st.integers(0, 99), min_size=2, max_size=5), st.data())
def test_its_value_is_that_of_python(numbers: list[int], data: st.DataObject) -> None:
    text = str(numbers[0])
    for number in numbers[1:]:
        text += f" {data.draw(st.sampled_from('+-*'))} {number}"
    assert calculation.value(f"What is {text}?") == eval(text)


@given(st.text(alphabet="0123456789+-*/(). =?Whatis", max_size=30))
def test_no_text_is_an_error(text: str) -> None:
    assert isinstance(calculation.value(text), Fraction | None)
    assert isinstance(calculation.said(text), Fraction | None)


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        ("First, 17 * 3 = 51.\n\nSo, 17 * 3 + 4 = 55.", True),
        ("First multiply.\n17 * 3 + 4 is **55**.", True),
        ("First multiply.\n\nThe result is 55.", True),
        ("First multiply.\n\nThe result is 55.\n\nHope this helps!", True),
        ("First multiply.\n\n- 17 * 3 + 4 = 55", True),
        ("First multiply.\n\n-17 * 3 + 4 = 55", None),
        ("First multiply.\n\nThe result is 55 in hex.", None),
        ("First multiply.\n\nThe result is 55 or 56.", None),
        ("Is it 55?\n\nThe result is 55.", None),
        ("The student wrote:\n\nThe result is 55.", None),
        ("So 17 * 3 + 4 = 55.", True),
        ("So 17 * 3 = 51.", None),
    ],
)
async def test_the_last_line_may_say_what_it_comes_to(text: str, ok: bool | None) -> None:
    said = MATH.answer(text)
    of = MATH.parse("What is 17 * 3 + 4?")
    assert (None if said is None else (await MATH.verify_answer(of, said)).ok) is ok


@pytest.mark.parametrize(
    ("asked", "said", "number"),
    [
        ("How many apples does Tom have?", "Tom has 55 apples", "55"),
        ("How many apples does Tom have?", "Tom has a total of 1,055 apples in total", "1,055"),
        ("How many apples does Tom have?", "Tom has $11 \\times 5 = 55$ apples.", "55"),
        ("How many apples does Tom have left?", "Tom has 55 apples left.", "55"),
        ("How many red pens will Tom need?", "Tom will need 5 red pens", "5"),
        ("How many apples does Tom have left?", "Tom has 55 apples.", None),
        ("How many apples does Tom have?", "Tim has 55 apples.", None),
        ("How many apples does Tom have?", "Little Tom has 55 apples.", None),
        ("How many apples does Tom have?", "Tom has 55 pears.", None),
        ("How many apples did Tom buy?", "Tom bought 55 apples.", "55"),
        ("How many apples does Tom have now?", "He now has 55 apples.", "55"),
        ("A mill made cars. How many cars did it make?", "Ann made 55 cars.", None),
        ("How many hours does the trip take?", "The trip takes 2 hours.", "2"),
        ("How much does Ann pay in dollars?", "Ann pays $2 * 7 = $14.", "$14"),
        ("How much does Ann pay?", "Ann pays $14 in total.", "$14"),
        ("How many pens did Ann sell in May?", "Ann sold 3 + 4 = 7 pens altogether in May.", "7"),
        ("How many pens did Ann sell in May?", "Ann sold 7 pens in June.", None),
        ("How much does she make every day at the shop?", "She makes $18 every day.", "$18"),
        ("How many apples does Tom have?", "Tom has about 55 apples.", None),
        ("How many apples does Tom have?", "Tom has 55 apples per bag.", None),
        ("How many apples does Tom have?", "Tom has 11 * 5 = 50 or 55 apples.", None),
        ("How many apples does Tom have? And Ann?", "Tom has 55 apples.", None),
        ("How much does Tom have?", "Tom has 55 apples.", None),
    ],
)
def test_a_sentence_may_say_how_many(asked: str, said: str, number: str | None) -> None:
    assert naming.said(asked, said.strip(" .")) == number


async def test_a_sentence_as_the_last_line_is_its_number() -> None:
    of = MATH.parse("Tom has 11 bags with 5 apples each. How many apples does Tom have?")
    said = MATH.answer("11 * 5 = 55\n\nTherefore, Tom has **55** apples.")
    assert said is not None
    assert MATH.normalise(of, said) == "55"
    assert await MATH.equal(of, said, "55")


@pytest.mark.parametrize(
    ("asked", "said", "value"),
    [
        ("The ratio is m/n in lowest terms. Find $m + n$.", "m+n = 107", "107"),
        ("Find m+n.", "$m+n=100+7$", "100+7"),
        ("What is the value of $x+z$ if x=2?", "x + z = 5", "5"),
        ("Determine \\(xy\\), where x=2.", "xy=6", "6"),
        ("If x+z=1, find x.", "x+z=1", None),
        ("Find x+z=1.", "x+z=1", None),
        ("Find m+n+p.", "m+n=107", None),
        ("Find m+n.", "m+n=100=107", None),
        ("Find an equation of the line.", "x+y=5", None),
        ("Find m+n.", "m-n=5", None),
        ("What is the largest $n$ such that n^2 < 1200?", "The largest $n$ is 34", "34"),
        (
            "Find the largest integer n for which it holds.",
            "The largest integer n is $34$.",
            "$34$",
        ),
        ("Find the largest value of $n$.", "**The largest value of $n$ is 34 cm**", "34 cm"),
        ("Find the largest n such that it holds.", "The largest such n is 34", "34"),
        ("Find the largest value of $n$.", "The largest possible $n$ is 34", "34"),
        ("What is the largest $n$?", "The smallest $n$ is 34", None),
        ("What is the largest n?", "The largest number is 34", None),
        ("What is the largest number?", "The largest n is 34", None),
        ("What is the largest n?", "The largest n is at most 34", None),
        ("What is the largest n?", "The largest n is less than 34", None),
        ("If the largest n is even, what is m?", "The largest n is 34", None),
        ("Find the square of the largest n.", "The largest n is 34", None),
        ("Between which two numbers is it?", "between 3 and 4", "3 and 4"),
        ("Between which two numbers is it?", "between 3, 4", "3, 4"),
        ("How large is it?", "between 3 and 4", None),
    ],
)
async def test_the_value_of_what_is_asked_for(asked: str, said: str, value: str | None) -> None:
    assert question.value_asked_for(asked, said) == value
    equal = await MATH.equal(MATH.parse(asked), said, value or "1")
    assert equal is True if value else equal is not True


@pytest.mark.parametrize(
    ("asked", "one", "other", "equal"),
    [
        (
            "What is its average speed in kilometers per hour?",
            "The average speed is 60 km/h",
            "60",
            True,
        ),
        (
            "What is its average speed in kilometers per hour?",
            "The average speed is 60 m/s",
            "60",
            None,
        ),
        ("How many feet is it?", "28 inches", "28", None),
        ("How many feet is it?", "28", "28 inches", None),
        ("How many feet is it?", "28 feet", "28", True),
        ("How many feet is it?", "28 ft", "28", True),
        ("How many feet is it?", "336 inches", "28 feet", True),
        ("How many days is it?", "3 weeks", "21", True),
        ("How many days is it?", "21 weeks", "21", None),
        ("How many days is it?", "4 weeks", "21", False),
        ("What is the price in dollars?", "92 cents", "92", None),
        ("What is the price in dollars?", "92\\%", "92", None),
        ("What is the price in dollars?", "\\$92", "92", True),
        ("How many minutes are in 2 hours?", "120 minutes", "120", True),
        ("What is the probability?", "50\\%", "50", None),
        ("What percentage is it?", "50\\%", "50", True),
        ("How long is it?", "28 inches", "28", True),
    ],
)
async def test_a_number_in_another_unit_than_asked_for_is_undecided(
    asked: str, one: str, other: str, equal: bool | None
) -> None:
    assert await MATH.equal(MATH.parse(asked), one, other) is equal


async def test_an_answer_may_be_the_last_of_several_equations() -> None:
    of = MATH.parse("What is 17 * 3 + 4?")
    for text, ok in (
        ("17 × 3 = 51, and 51 + 4 = **55**.", True),
        ("17 × 3 = 52, and 51 + 4 = **55**.", None),
        ("17 × 3 = 51, and 51 + 5 = **56**.", None),
    ):
        said = MATH.answer(text)
        assert said is not None
        assert (await MATH.verify_answer(of, said)).ok is ok


async def test_a_last_line_may_say_what_the_thing_asked_for_is() -> None:
    of = MATH.parse("What is the largest $n$ such that it holds?")
    said = MATH.answer("We try some.\n\nThe largest $n$ is **34**.")
    assert said is not None
    assert MATH.normalise(of, said) == "34"
    other = MATH.answer("We try some.\n\nThe smallest $n$ is **34**.")
    assert other is not None
    assert MATH.normalise(of, other) is None


@pytest.mark.parametrize(
    "said", [r"\frac{7}{8}", r"\dfrac{7}{8}", r"\frac78", r"-\frac{7}{8}", "7/8"]
)
def test_a_typeset_fraction_is_the_number(said: str) -> None:
    assert calculation.said(said) == Fraction(-7 if said[0] == "-" else 7, 8)


@pytest.mark.parametrize(
    ("asked", "said", "equal"),
    [
        ("Find $m+n$.", "So $m=\\boxed{107}$.", None),
        ("What is the value of m + n?", "The answer is m = 107.", None),
        ("Find the sum m+n.", "n = \\boxed{107}", None),
        ("Compute $x^2+1$.", "$x=\\boxed{107}$", None),
        ("Find $m+n$.", "So $m+n=\\boxed{107}$.", True),
        ("Find $m+n$.", "So m + n = \\boxed{107}.", True),
        ("Find $m+n$.", "m = 50\n\nThe answer is 107.", True),
        ("Find m.", "$m=\\boxed{107}$", True),
        ("Solve for x: 2x = 214", "$x=\\boxed{107}$", True),
        ("Find the smallest n such that n+1 is prime.", "n = \\boxed{107}", True),
    ],
)
async def test_a_part_of_what_is_asked_for_is_undecided(
    asked: str, said: str, equal: bool | None
) -> None:
    answer = MATH.answer(said)
    assert answer is not None
    assert await MATH.equal(MATH.parse(asked), answer, "107") is equal


@pytest.mark.parametrize(
    ("asked", "answer", "gold", "equal"),
    [
        ("Solve x^2 < 4 in interval notation.", "-2, 2", "(-2,2)", None),
        ("What is the domain of f?", "[-2, 2]", "-2, 2", None),
        ("Find the ordered pair.", "2, 3", "(2,3)", True),
        ("What is the probability?", "1:2", "1/2", None),
        ("How many apples are there?", "14%", "14", None),
        ("How many apples are there?", "~14", "14", None),
        ("How many apples are there?", "14!", "14", None),
        ("Which one? A) 3 B) 4", "(B) 3", "B", None),
        ("Which one? A) 3 B) 4", "(B) 4", "B", True),
    ],
)
async def test_what_may_be_something_else_is_undecided(
    asked: str, answer: str, gold: str, equal: bool | None
) -> None:
    assert await MATH.equal(MATH.parse(asked), answer, gold) is equal


@pytest.mark.parametrize(
    ("asked", "answer", "gold", "equal"),
    [
        # Values of one letter, or of two: none of them follows from the others.
        ("Find all solutions x.", "x=2, x=3", "3, 2", True),
        ("Find all solutions x.", "x=2, x=3", "3", False),
        ("Find all solutions x.", "x_1=2, x_2=3", "2, 3", True),
        ("Find the coordinates of the point.", "x=1, y=2", "(1,2)", True),
        ("Find the coordinates of the point.", "x=1, y=2", "2", None),
        ("Find m.", "2m = 28, m = 14", "14", True),
        ("Find v(X) and d(X).", "$v(X)=2, \\quad d(X)=5$", "$v(X)=3, \\quad d(X)=5$", False),
        ("Find s(t) and v(t).", "$s(t)=2t$, $v(t)=2$", "$s(t)=3t$, $v(t)=2$", False),
        (
            "Find P(t) and its limit.",
            "$P=2 e^{-t} ; \\lim _{t \\rightarrow \\infty} P(t)=0$",
            "$P=3 e^{-t} ; \\lim _{t \\rightarrow \\infty} P(t)=0$",
            None,
        ),
        ("Find AB and CD.", "AB=2, CD=5", "AB=3, CD=5", False),
        # A number in decimals may be rounded.
        ("What is x?", "1.414", "\\sqrt{2}", None),
        ("What is x?", "1.415", "\\sqrt{2}", False),
        ("What is x?", "3.14159", "\\pi", None),
        ("What is x?", "3.14159265", "\\pi", None),
        ("What is x?", "2.6457513110645907", "\\sqrt{7}", None),
        ("What is x?", "2.6457514", "\\sqrt{7}", False),
        (
            "What is A?",
            "\\begin{pmatrix}0.67\\\\2\\end{pmatrix}",
            "\\begin{pmatrix}\\frac23\\\\2\\end{pmatrix}",
            None,
        ),
        (
            "What is A?",
            "\\begin{pmatrix}0.57\\\\2\\end{pmatrix}",
            "\\begin{pmatrix}\\frac23\\\\2\\end{pmatrix}",
            False,
        ),
        (
            "What is A?",
            "\\begin{bmatrix}1&2\\\\3&4\\end{bmatrix}",
            "\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}",
            True,
        ),
        ("What is x?", "66.67%", "2/3", None),
        ("What is x?", "66.76%", "2/3", False),
        # Brackets of a vector, and of an interval.
        ("Find the vector v.", "[1,2]", "(1,2)", None),
        ("Find the interval.", "[1,2]", "(1,2)", False),
        ("What is the angle in degrees?", "1 rad", "1", None),
    ],
)
async def test_answers_beside_gold(asked: str, answer: str, gold: str, equal: bool | None) -> None:
    assert await MATH.equal(MATH.parse(asked), answer, gold) is equal


LCM = "What is the least common multiple of 51, 68 and 85?"
TALL = "The third child is 69 inches tall. How tall is the fourth child, in inches?"
BIG = "If Pete's locker is 5 cubic inches, how big is Tim's locker in cubic inches?"
AGES = "The ages come to 20. Akbar is 3 years old, calculate the age of Wilfred."
CAPITAL = "Mr. Josue had $5000. Mr. Josue got $12000. How much capital does he have now?"
SPEED = (
    "He types 47 words per minute (WPM), then 57 WPM. What will be the average of the two tests?"
)


@pytest.mark.parametrize(
    ("question", "clause", "number"),
    [
        (LCM, "the least common multiple of 51, 68, and 85 is 1020", "1020"),
        (LCM, "So, the least common multiple of 51, 68 and 85 equals $1020$.", "1020"),
        (AGES, "Therefore, Wilfred is 3 years old", "3"),
        (CAPITAL, "Mr. Josue now has $17000 in capital", "$17000"),
        (SPEED, "So, the average of the two tests is 52 WPM", "52"),
        (TALL, "The fourth child is 72 inches tall", "72 inches"),
        (TALL, "So the fourth child is 72 inches.", "72 inches"),
        (BIG, "Tim's locker is 40 cubic inches", "40 cubic inches"),
        (TALL, "The third child is 72 inches tall", None),
        (TALL, "The fourth child is not 72 inches tall", None),
        (TALL, "The fourth child is 72 inches wide", None),
        (TALL, "The fourth child is 3 inches taller", None),
        (BIG, "Zack's locker is 40 cubic inches", None),
        (LCM, "the least common multiple of 51, 68 and 86 is 1020", None),
        (LCM, "the least common multiple of 51 and 68 is 204", None),
        (LCM, "the greatest common divisor of 51, 68 and 85 is 17", None),
        (LCM, "the least common multiple of 51, 68 and 85 is not 1020", None),
        (LCM, "the least common multiple of 51, 68 and 85 may be 1020", None),
        (LCM, "the least common multiple of 51, 68 and 85 is 1020 apples", None),
        (AGES, "Therefore, Akbar is 3 years old", None),
        (CAPITAL, "Mr. Ruiz now has $17000 in capital", None),
        (SPEED, "the average of the three tests is 52 WPM", None),
        (SPEED, "the average of the two tests is 52 km", "52 km"),
    ],
)
def test_a_clause_that_says_again_what_is_asked_for(
    question: str, clause: str, number: str | None
) -> None:
    assert naming.said(question, clause) == number


FAR = "Tom walks 5 km in 30 minutes, then 3 km. What is the total distance?"


@pytest.mark.parametrize(
    ("question", "text", "ok"),
    [
        (FAR, "The total distance is 8 km.", True),
        (FAR, "The total distance is 8.", True),
        (FAR, "The total distance is 8 minutes.", None),
        (FAR, "The distance in total is 8 minutes.", None),
        (FAR, "The total distance is 8 hours.", None),
        (SPEED, "The average of the two tests is 8 km.", None),
    ],
)
async def test_what_is_asked_for_has_its_unit(question: str, text: str, ok: bool | None) -> None:
    said = MATH.answer(text)
    assert said is not None
    assert await MATH.equal(MATH.parse(question), said, "8") is ok


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        ("So, the least common multiple of 51, 68, and 85 is \\(\\boxed{1020}\\).", True),
        ("The least common multiple of 51, 68 and 85 is 340.\n\n\\boxed{1020}", None),
        ("The least common multiple of 51, 68, and 85 is \\(1021\\).\n\n\\boxed{1020}", None),
    ],
)
async def test_another_number_of_what_is_asked_for(text: str, ok: bool | None) -> None:
    said = MATH.answer(text)
    assert said is not None
    assert await MATH.equal(MATH.parse(LCM), said, "1020") is ok


KIN = "What is Eric to Thomas?\n1. Eric is Thomas' sibling.\n2. Eric is Thomas' grandchild."


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        ("Option 2: Eric is Thomas's grandchild is the answer.\n\n\\boxed{2}", True),
        ("Answer: option 2: Eric is Thomas's grandchild\n\n\\boxed{2}", True),
        ("Answer: option 2: Eric is Thomas's sibling\n\n\\boxed{2}", None),
        ("Answer: option 1: Eric is Thomas's sibling\n\n\\boxed{2}", None),
        ("Answer: option 2: Thomas is Eric's grandchild\n\n\\boxed{2}", None),
    ],
)
async def test_an_option_with_a_name_spelled_otherwise(text: str, ok: bool | None) -> None:
    said = MATH.answer(text)
    equal = None if said is None else await MATH.equal(MATH.parse(KIN), said, "2")
    assert equal is ok
