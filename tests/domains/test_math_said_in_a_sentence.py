"""Answers in sentences that are not quite those of the question, and what stands beside answers."""

from __future__ import annotations

import asyncio

import pytest

from agentflow import domains
from agentflow.domains.math import naming
from agentflow.domains.math.question import value_asked_for

MATHS = domains.get("math")
HIKE = (
    "Kim hiked 14 kilometers per hour for 8 hours. Lou hiked 9 kilometers per hour for 5 hours."
    " How many kilometers farther did Kim hike?"
)
PENS = "A pen costs $2 and a book costs $3. How much do 6 pens and 8 books cost?"
PAINT = "A firm paints rooms for $15 each. Ann has 6 rooms. How much will this cost her?"
LIGHTS = (
    "Each pole has 4 street lights. There are 24 poles. Calculate the total number of working"
    " street lights if 20 of them are not working."
)
TRUCK = (
    "A tow truck pulled ten cars on Monday and 44 on Tuesday."
    " Calculate the total number of cars it towed that week."
)
BALLOONS = (
    "Eva gave each of her 4 friends 2 water balloons. Then she got 16 more."
    " How many total balloons did the girls have?"
)
ADS = (
    "A company spends $15000 on ads for a year, then a third of that for another year."
    " What's the total amount the company spent on ads for the two years?"
)


@pytest.mark.parametrize(
    ("question", "sentence", "said"),
    [
        (HIKE, "So, Kim hiked 67 kilometers farther than Lou", "67"),
        (HIKE, "So, Lou hiked 67 kilometers farther than Kim", None),
        (HIKE, "So, Kim hiked 67 kilometers farther than Max", None),
        (PENS, "the total cost of 6 pens and 8 books is $36", "$36"),
        (PENS, "the total cost of 6 pens is $36", None),
        (PENS, "the total cost of 6 pens and 9 books is $36", None),
        (PAINT, "So, the total cost for Ann will be $90", "$90"),
        (PAINT, "So, the total cost for Ben will be $90", None),
        (PAINT.replace("Ann has", "Ann and Ben have"), "the total cost for Ben is $90", None),
        (LIGHTS, "There are 76 working street lights", "76"),
        (LIGHTS, "There are 76 broken street lights", None),
        (TRUCK, "The tow truck towed a total of 54 cars that week", "54"),
        (TRUCK, "The other truck towed a total of 54 cars that week", None),
        (TRUCK, "The tow truck missed a total of 54 cars that week", None),
        (BALLOONS, "The girls had a total of 24 water balloons", "24"),
        (BALLOONS, "The girls had a total of 24 red balloons", None),
        (ADS, "The company spent a total of $20,000 on ads for the two years", "$20,000"),
        (ADS, "The company earned a total of $20,000 on ads for the two years", None),
    ],
)
def test_a_sentence_that_says_what_is_asked(question: str, sentence: str, said: str | None) -> None:
    found = naming.said(question, sentence) or value_asked_for(question, sentence)
    assert found == said


DIE = (
    "A die is rolled. What is the probability that it shows a 1 or a 2?"
    " Express your answer as a common fraction."
)
TIMES = "Mia practices 9 songs each time she sings. How many times does she sing for 45 songs?"
WATER = "Gus does laundry for $6 a week. How much does Gus spend on water for laundry in a year?"
VOTES = (
    "If the winner got 3/4 of the votes and 80 students voted, calculate the number of votes the"
    " loser got."
)
CARDS = "Ken keeps 1/3 of his cards and sells 100. How many cards did he start with?"
MIDPOINT = "Find the midpoint of the segment between $(-5,5)$ and $(3,7)$, as an ordered pair."


@pytest.mark.parametrize(
    ("question", "reply", "gold", "ok"),
    [
        (DIE, "2/6 = 1/3.\n\nTherefore, the probability is \\boxed{\\frac{1}{3}}.", "1/3", True),
        (DIE, "This is probably wrong.\n\n\\boxed{\\frac{1}{3}}", "1/3", None),
        (DIE, "Both methods confirm the same answer.\n\nAnswer: \\boxed{\\frac13}", "1/3", True),
        (DIE, "Both methods confirm another answer.\n\nAnswer: \\boxed{\\frac13}", "1/3", None),
        (DIE, "The probability is 2 / 6 = 1 / 3.\n\nAnswer: The probability is 1/3.", "1/3", True),
        (DIE, "The probability is 3 / 6 = 1 / 2.\n\nAnswer: The probability is 1/3.", "1/3", None),
        (DIE, "This gives me 1/3 as the final answer.\n\n# Answer\n\n1/3", "1/3", True),
        (DIE, "This gives me 1/2 as the final answer.\n\n# Answer\n\n1/3", "1/3", None),
        (
            DIE,
            "The total is 2, so we can write the final answer as $2/6 = \\boxed{\\frac13}$.",
            "1/3",
            True,
        ),
        (TIMES, "45/9 = 5.\n\nTherefore, Mia has to sing \\(\\boxed{5}\\) times.", "5", True),
        (
            WATER,
            "Therefore, Gus spends $\\boxed{\\$312}$ on water for laundry in a year.",
            "312",
            True,
        ),
        (WATER, "Therefore, Gus spends $\\boxed{\\$312}$ for now.", "312", None),
        (VOTES, "Answer: The loser got 20 votes.", "20", True),
        (VOTES, "Answer: The winner got 20 votes.", "20", None),
        (CARDS, "**Answer:** Ken started with $\\boxed{150}$ cards.", "150", True),
        (CARDS, "He sells 100 = #### 100\n\nSo 100 / (2/3) = #### 150.", "150", True),
        (TIMES, "45/9 = 5.\n\nTherefore, Mia has to sing \\(\\boxed{5}\\) times nine.", "5", None),
        (TIMES, "45/9 = 5.\n\nSo, in the end, she has \\boxed{5} times.", "5", True),
        (
            MIDPOINT,
            "Step 1: Average both.\nStep 2: Write the final answer as an ordered pair.\n"
            "The midpoint is (-1, 6).\n\nThe answer is: (-1,6)",
            "(-1,6)",
            True,
        ),
        (MIDPOINT, "The midpoint is (2, 6).\n\nThe answer is: (-1,6)", "(-1,6)", None),
        (MIDPOINT, "I write the answer of another one.\n\nAnswer: (-1,6)", "(-1,6)", None),
    ],
)
def test_what_stands_beside_an_answer(
    question: str, reply: str, gold: str, ok: bool | None
) -> None:
    problem, said = MATHS.parse(question), MATHS.answer(reply)
    assert (asyncio.run(MATHS.equal(problem, said, gold)) if said else None) is ok
