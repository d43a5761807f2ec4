"""What an answer counts or measures is what the question asks for, or it is undecided."""

from __future__ import annotations

import pytest

from agentflow import domains
from agentflow.domains.math.answer_units import names_another

MATH = domains.get("math")
APPLES = "Tom has 9 apples and buys 5 more apples. How many apples does Tom have now?"
PENS = "A pen costs $2 and Mary buys 7 pens. How much does Mary pay in dollars?"
MINUTES = "How long does the trip take in minutes?"
FAR = "A car travels 60 miles per hour for 3 hours. How far does it travel?"
WEEK = "Tina makes $18.00 an hour. How much money does she make in dollars per week?"
METERS = "What is the distance in meters?"


async def judged(asked: str, text: str, gold: str) -> bool | None:
    said = MATH.answer(text)
    return None if said is None else await MATH.equal(MATH.parse(asked), said, gold)


@pytest.mark.parametrize(
    "said",
    [
        *("14 oranges", "14 rotten apples", "$14", "\\$14", "€14", "14 dollars", "14 cents"),
        *("14 kg", "14 minutes", "14\\text{ cm}", "14 bags of apples", "14 pairs of apples"),
        *("14 apples per day", "14 apple pies", "14 apples and 2 pears", "--14", "14-15", "1 4"),
        *("9 + 6 = 14", "14%", "~14", "about 14", "fourteen (15)", "at least 14"),
    ],
)
async def test_something_else_than_is_asked_for_is_undecided(said: str) -> None:
    assert await judged(APPLES, f"\\boxed{{{said}}}", "14") is None
    assert await judged(APPLES, f"Answer: {said}", "14") is None


@pytest.mark.parametrize(
    "said",
    [
        *("14", "14 apples", "14 (apples)", "14 (fourteen)", "exactly 14 apples", "14,"),
        *("a total of 14 apples", "14 apples in total", "14 apples now", "9 + 5 = 14 apples"),
        *("9 apples + 5 apples = 14 apples", "\\color{red}{14}", "\\textcolor{red}{14}"),
        *("\\large 14", "{\\bf 14}", "14\\ ", "Tom now has 14 apples"),
    ],
)
async def test_what_only_rounds_an_answer_off_changes_nothing(said: str) -> None:
    assert await judged(APPLES, f"\\boxed{{{said}}}", "14") is True


@pytest.mark.parametrize(
    ("asked", "text", "gold", "ok"),
    [
        (APPLES, "\\boxed{14} apples", "14", True),
        (APPLES, "The answer is fourteen (14) apples.", "14", True),
        (APPLES, "The answer is $9+5=14$ apples.", "14", True),
        (APPLES, "The answer is 14 apples!", "14", True),
        (APPLES, "The answer is 14.\n\nDouble check: 9 + 5 = 14. Correct!", "14", True),
        (APPLES, '{"answer": 14, "unit": "apples"}', "14", True),
        (APPLES, '{"answer": "14", "unit": "oranges"}', "14", None),
        (APPLES, "\\boxed{14} oranges", "14", None),
        (APPLES, "So $\\boxed{14}$ pears.", "14", None),
        (APPLES, "The total is 14 apples.", "14", True),
        (APPLES, "The total is 14 oranges.", "14", None),
        (APPLES, "So the total number of apples is 14.", "14", True),
        (APPLES, "So the total number of oranges is 14.", "14", None),
        (PENS, "Answer: $14", "14", True),
        (PENS, "The total is $14.", "14", True),
        (PENS, "The total cost is $2 * 7 = $14.", "14", True),
        (PENS, "The total cost is $2 * 8 = $14.", "14", None),
        (PENS, "Answer: 2 x 7 = 14", "14", True),
        (PENS, "Answer: 14 pens", "14", None),
        (PENS, "Answer: 14 euros", "14", None),
        (PENS, "Answer: 1400 cents", "14", True),
        (PENS, "Answer: 13 dollars and 100 cents", "14", True),
        (PENS, "Answer: 3 dollars and 50 cents", "14", False),
        (MINUTES, "Answer: 1 hour and 30 minutes", "90", True),
        (MINUTES, "Answer: 1.5 hours", "90", True),
        (MINUTES, "Answer: 1 hour and 20 minutes", "90", False),
        (MINUTES, "Answer: 90 hours", "90", None),
        (MINUTES, "Answer: 1h30", "90", None),
        (METERS, "Answer: 0.1 km", "100", True),
        (METERS, "Answer: 100 m^2", "100", None),
        (METERS, "Answer: 100 m/s", "100", None),
        (METERS, "Answer: 100 apples", "100", None),
        (MINUTES, "Answer: 90 km", "90", None),
        (FAR, "Answer: 180 miles", "180", True),
        (FAR, "Answer: 180 km", "180", None),
        (FAR, "Answer: 180 hours", "180", None),
        (FAR, "Answer: 180 mph", "180", None),
        (FAR, "It travels 180 miles.", "180", True),
        (WEEK, "Answer: $990 per week", "990", True),
        (WEEK, "Answer: $990 a week", "990", True),
        (WEEK, "Answer: $990 a month", "990", None),
        (WEEK, "Answer: $990 per day", "990", None),
        (WEEK, "Answer: 990 hours", "990", None),
        ("He earns 6000$. How much money will he still have?", "Answer: 350 dollars", "350", True),
        ("How old is Ben?", "Answer: 12 years old", "12", True),
        ("How old is Ben?", "Answer: 12 months", "12", None),
        ("What is the angle, in degrees?", "Answer: 45^\\circ", "45", True),
        ("What is the angle, in degrees?", "Answer: 45 radians", "45", None),
        ("What is the angle, in degrees?", "Answer: 45 cm", "45", None),
        ("How hot is it in degrees Celsius?", "Answer: 100\u00b0C", "100", True),
        ("How hot is it in degrees Celsius?", "Answer: 100\u00b0F", "100", None),
        ("AB = 5 cm. What is the angle at B?", "Answer: 45 degrees", "45", True),
        ("The sides are 3 cm and 4 cm. What is the area?", "Answer: 12 cm^2", "12", True),
        ("The sides are 3 cm and 4 cm. What is the area?", "Answer: 12 kg", "12", None),
        ("How much flour does she need?", "Answer: 14 cups of flour", "14", True),
        ("How much flour does she need?", "Answer: 14 cups of sugar", "14", None),
        ("What fraction of the cake is left?", "Answer: 3/4 of the cake", "3/4", True),
        ("What fraction of the cake is left?", "Answer: 3/4 of the pie", "3/4", None),
        ("What percentage of the students passed?", "60% of the students passed.", "60", True),
        ("What percentage of the students passed?", "60% of the students failed.", "60", None),
        ("What percentage of the students passed?", "Answer: 60 students", "60", None),
        ("What percentage of the students passed?", "Answer: 0.6", "60", None),
        ("What is the probability of a 6?", "Answer: 1 in 6", "1/6", True),
        ("What is the probability of a 6?", "Answer: 0.1667", "1/6", None),
        ("What is the probability of a 6?", "Answer: 1/6 ≈ 0.1667", "1/6", True),
        ("What is the probability of a 6?", "The probability is $\\frac{1}{6}$.", "1/6", True),
        ("If 2m + 1 = 29, what is m?", "n = 14", "14", None),
        ("If 2m + 1 = 29, what is m?", "Therefore, m = 14.", "14", True),
        ("If 2m + 1 = 29, what is m?", "Answer: m \\neq 14", "14", None),
        ("Solve the inequality x^2 < 9.", "Answer: -3 and 3", "(-3,3)", None),
    ],
)
async def test_units_are_those_of_the_question(
    asked: str, text: str, gold: str, ok: bool | None
) -> None:
    assert await judged(asked, text, gold) is ok


@pytest.mark.parametrize(
    ("question", "answer", "another"),
    [
        ("How fast is it in miles per hour?", "60 miles per minute", True),
        ("How fast is it in miles per hour?", "60 knots", True),
        ("How fast is it in miles per hour?", "60 mph", False),
        ("Tom has 3 bags. How many apples has he?", "10 apples per bag", True),
        ("There are 3 bags. How many apples are in each bag?", "4 apples per bag", False),
        ("How many pages does she read a day?", "4 pages per day", False),
        ("How many apple trees are there?", "5 apple trees", False),
        ("How many apple trees are there?", "5 trees", False),
        ("How many apple trees are there?", "5 apples", True),
        ("How many apple trees are there?", "5 tree apples", True),
        ("How many paper boxes has she?", "5 papers", True),
        ("How many paper boxes has she?", "5 boxes", False),
        ("How many students' desks are there?", "5 students", True),
        ("How many students' desks are there?", "5 desks", False),
        ("How many apples Tom has left?", "5 apples", False),
        ("How many sheep are there?", "5 sheep", False),
        ("How many red and blue shoe boxes are left?", "10 shoeboxes", False),
        ("How many red and blue shoe boxes are left?", "10 shoe boxes", False),
        ("How many red and blue shoe boxes are left?", "10 bookboxes", True),
        ("How many red and blue shoe boxes are left?", "10 shoes", True),
        ("How many shoeboxes are left?", "10 shoe boxes", True),
    ],
)
def test_a_rate_is_the_one_that_is_asked_for(question: str, answer: str, another: bool) -> None:
    assert names_another(question, answer) is another


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Each rack holds 8 CDs. How many total CDs can fit on the shelf?", "32 CDs"),
        (
            "It had 13 pairs of shoes left. How many pairs of shoes did it sell?",
            "83 pairs of shoes",
        ),
        ("Paul puts 7 baseball cards on pages. How many cards are on the last?", "1 card"),
        (
            "Ann has 26 pictures of cats. How many fewer pictures of cats has Bo?",
            "8 pictures of cats",
        ),
        (
            "Lucy put 68 shells in it. Now she has 89 shells. How many more did she find?",
            "21 shells",
        ),
        ("29 birds sat in a tree. How many more are there now?", "13 birds"),
        ("It goes 30 miles per hour. Find the time it took to go that distance.", "16 hours"),
        ("53 third graders came. How many fourth graders took classes?", "41 fourth graders"),
    ],
)
async def test_what_is_counted_may_be_said(question: str, said: str) -> None:
    assert await judged(question, f"\\boxed{{{said}}}", said.split()[0]) is True
    assert await judged(question, f"\\boxed{{{said}}}", "7") is False


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Lucy put 68 shells in 2 buckets. How many more did she find?", "21 buckets"),
        ("29 birds sat in a tree. How many more flew up to the tree?", "13 trees"),
        ("It had 13 pairs of shoes left. How many pairs of shoes did it sell?", "83 shoes"),
        ("It had 13 pairs of shoes left. How many shoes did it sell?", "83 pairs of shoes"),
    ],
)
async def test_something_else_that_is_counted(question: str, said: str) -> None:
    assert await judged(question, f"\\boxed{{{said}}}", said.split()[0]) is None


@pytest.mark.parametrize(
    ("question", "answer", "form"),
    [
        ("Ida hat 5 Karten und kauft 7. Wie viele Karten hat sie jetzt?", "12 Karten", "12"),
        ("Ida hat 5 Karten und kauft 7. Wie viele Karten hat sie jetzt?", "12 Bücher", None),
        ("Ida tiene 5 uvas y compra 7. ¿Cuántas uvas tiene ahora?", "12 uvas", "12"),
        ("Ida a 5 pommes. Combien de pommes a-t-elle maintenant ?", "12 pommes", "12"),
        ("Ida hat 5 Karten. Wie viele Karten hat sie jetzt?", "1.200 Karten", None),
    ],
)
def test_things_that_other_languages_ask_for(question: str, answer: str, form: str | None) -> None:
    assert MATH.normalise(MATH.parse(question), answer) == form
