"""A reply that ends in a calculation for which it uses all that it works out before."""

from __future__ import annotations

import pytest

from agentflow import domains

MATH = domains.get("math")

GROOMING = (
    "Otto takes his dog to a groomer who charges $80. He gets a 25% discount for being new."
    " How much does the grooming cost?"
)
BAGS = (
    "Nora buys 6 packs of 4 bags for $3 each and sells the bags for $5 each at a fair."
    " How much profit did she earn on her bags?"
)
READING = (
    "Ivo has 5 pages of history, 15 of music and 12 of art to read. He has 4 days."
    " How many pages does he need to read in one day?"
)
CALORIES = (
    "Ruth ate 6 biscuits on Monday and 9 the next day. Her brother ate 4 on Monday and 5 the next"
    " day. A biscuit has 70 calories. How many more calories did Ruth eat than her brother?"
)
PARTY = "At a party were 24 men and 16 women. 9 men and 11 women left. How many guests are left?"
FILMS = (
    "A film is 1 hour and 20 minutes long and the next 2 hours and 10 minutes."
    " How many minutes will it take Ada to watch the two films?"
)
ROWS = "Ben plants 42 roses, 6 in a row, and 24 lilies, 8 in a row. What is the number of rows?"

READ = [
    (GROOMING, "The discount is 80 * 0.25 = $20. The cost after the discount is $80 - $20 = $60."),
    (
        GROOMING,
        "25% of $80 is 80 * 0.25 = $20. Then, subtract the discount from the original cost:"
        " $80 - $20 = $60.",
    ),
    (
        GROOMING,
        "He saves 80 * 0.25 = $20. Subtracting the discount from the price, the grooming costs"
        " $80 - $20 = $60.",
    ),
    (
        BAGS,
        "She has 6 * 4 = 24 bags. They cost her 24 * $3 = $72, and she sold them for"
        " 24 * $5 = $120. The profit is the total revenue minus the total cost, which is"
        " $120 - $72 = $48.",
    ),
    (READING, "He has 5 + 15 + 12 = 32 pages. To find how many he needs to read each day, we divide"
     " the pages by the number of days: 32 / 4 = 8 pages per day."),
    (
        CALORIES,
        "Ruth ate 6 + 9 = 15 and her brother 4 + 5 = 9 biscuits. The difference is 15 - 9 = 6,"
        " so Ruth ate 6 * 70 = 420 more calories.",
    ),
    (PARTY, "15 men stayed: 24 - 9 = 15. 5 women stayed: 16 - 11 = 5. The total is 15 + 5 = 20"
     " guests left."),
    (FILMS, "The first takes 60 + 20 = 80 minutes, the next 2 * 60 + 10 = 130. Adding these times"
     " together, 80 + 130 = 210 minutes."),
    # said again in words of the story
    (GROOMING, "The discount is 80 * 0.25 = $20.\n\n80 - 20 = $60\n\nTherefore, the total cost"
     " after the 25% discount is $60."),
    (ROWS, "There are 42 / 6 = 7 rows of roses and 24 / 8 = 3 rows of lilies. The total number of"
     " rows is 7 + 3 = 10."),
]  # fmt: skip


@pytest.mark.parametrize(("problem", "reply"), READ)
async def test_the_end_of_a_derivation_is_read(problem: str, reply: str) -> None:
    said = MATH.answer(reply)
    asked = MATH.parse(problem)
    assert said is not None
    last = reply.rpartition(" = ")[2].split()[0].rstrip(".")
    assert MATH.normalise(asked, said) is not None
    assert await MATH.equal(asked, said, last.strip("$")) is True


NOT_READ = [
    # another thing
    (GROOMING, "The cost is 80 * 0.75 = $60. The discount is $80 - $60 = $20."),
    (GROOMING, "The cost is 80 - 20 = $60, so he saves 80 * 0.25 = $20."),
    (BAGS, "6 * 4 = 24 bags cost 24 * $3 = $72. The revenue is 24 * $5 = $120."),
    (BAGS, "She sold 6 * 4 = 24 bags for 24 * $5 = $120 and her sister lost $120 - $72 = $48."),
    (
        BAGS,
        "6 * 4 = 24. 24 * $3 = $72, 24 * $5 = $120. The price of the packs is $120 - $72 = $48.",
    ),
    (BAGS, "6 * 4 = 24. 24 * $3 = $72, 24 * $5 = $120. She gave away $120 - $72 = $48."),
    (GROOMING, "80 * 0.25 = $20, and 80 - 20 = $60. Answer: The discount is $60."),
    (GROOMING, "80 * 0.25 = $20, and 80 - 20 = $60. Therefore, the dog weighs $60."),
    # another person
    (BAGS, "6 * 4 = 24. 24 * $3 = $72, 24 * $5 = $120, 120 - 72 = 48. Her sister earned $48."),
    (CALORIES, "6 + 9 = 15, 4 + 5 = 9, 15 - 9 = 6. Otto ate 6 * 70 = 420 more calories."),
    (CALORIES, "6 + 9 = 15, 4 + 5 = 9. Ruth ate 15 - 9 = 6 more biscuits of 70 calories."),
    # a part, or what is not left
    (PARTY, "24 - 9 = 15 men and 16 - 11 = 5 women are left. In all, 9 + 11 = 20 guests came."),
    (READING, "He has 5 + 15 + 12 = 32 pages, for 4 days. The number of hours is 32 / 4 = 8."),
    # denied, doubted, supposed, asked
    (GROOMING, "The discount is 80 * 0.25 = $20. The cost is not $80 - $20 = $60."),
    (GROOMING, "The discount is 80 * 0.25 = $20. The cost may be $80 - $20 = $60."),
    (GROOMING, "The discount is 80 * 0.25 = $20. Does the grooming cost $80 - $20 = $60?"),
    (GROOMING, "The discount is 80 * 0.25 = $20. A fool says the cost is $80 - $20 = $60."),
    (GROOMING, "The discount is 80 * 0.25 = $20. It is wrong that the cost is $80 - $20 = $60."),
    # per something else
    (READING, "He has 5 + 15 + 12 = 32 pages in 4 days. He reads 32 / 4 = 8 pages per hour."),
]


@pytest.mark.parametrize(("problem", "reply"), NOT_READ)
def test_any_other_end_is_not(problem: str, reply: str) -> None:
    said = MATH.answer(reply)
    form = said and MATH.normalise(MATH.parse(problem), said)
    last = reply.rpartition("= ")[2].split()[0].strip(".?$")
    assert form is None or last not in form
