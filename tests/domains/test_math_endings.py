"""The last sentence of a reply is its answer where it says the number that is asked for."""

from __future__ import annotations

import pytest

from agentflow import domains

MATH = domains.get("math")
MUGS = (
    "Lena has 14 mugs. She buys 3 boxes with 6 mugs in each. Then she breaks 5 mugs. "
    "How many mugs does Lena have now?"
)
SHELLS = (
    "Ann has 12 shells. Bob has 4 shells more than Ann. Cid has twice as many shells as Bob. "
    "How many shells do they have together?"
)
WAGES = (
    "Ivo earns $15 an hour. He works 8 hours a day, 5 days a week. How much does he earn a week?"
)
PAGES = "Mia reads a book of 320 pages. She reads 45 pages and then 75. How many pages are left?"
TOYS = "A machine makes 12 toys a minute. How long does it take to make 180 toys, in minutes?"
LAUNDRY = "Ann washes 400 pounds and Bob 300. What is the difference between their loads?"
READ = [
    (MUGS, "14 + 18 = 32\n32 - 5 = 27\n\n**Lena has 27 mugs.**", "27"),
    (MUGS, "14 + 3 × 6 = 32, and 32 − 5 = 27, so she is left with **27 mugs** now. 😊", "27"),
    (MUGS, "The boxes hold 3 × 6 = 18. Mugs at the end: 14 + 18 − 5 = 27", "27"),
    (SHELLS, "Bob: 16\nCid: 32\n\nTotal = 12 + 16 + 32 = 60 shells", "60"),
    (SHELLS, "12 + 16 + 32 = 60. All together, that's 60 shells.", "60"),
    (WAGES, "8 × 5 = 40 hours, so he earns 40 × $15 = **$600** every week.", "600"),
    (WAGES, "15 × 8 = 120\n120 × 5 = 600\n\nIvo makes $600 per week.", "600"),
    (PAGES, "45 + 75 = 120, so 320 − 120 = 200 pages remain.", "200"),
    (PAGES, "Still left: 320 - 45 - 75 = 200 pages", "200"),
    (TOYS, "180 / 12 = 15, so it takes 15 minutes to make 180 toys.", "15"),
    (LAUNDRY, "The difference is 400 − 300 = 100 pounds.", "100"),
]
NOT_READ = [
    (MUGS, "She buys 3 × 6 = 18 mugs."),
    (MUGS, "14 + 18 = 32\nLena had 32 mugs before she broke some."),
    (MUGS, "14 + 18 = 32. If none had broken, Lena would have 32 mugs."),
    (MUGS, "14 + 18 = 32, 32 - 5 = 27. Does Lena have 27 mugs?"),
    (MUGS, "14 + 18 = 32, 32 - 5 = 27. Lena doesn't have 27 mugs."),
    (MUGS, "14 + 18 = 32, 32 - 5 = 27. Lena has about 27 mugs."),
    (MUGS, "Lena has 14 + 18 - 5 = 26 mugs."),
    (MUGS, "The boxes hold 18 mugs, and 5 break. Lena has 27 mugs."),
    (MUGS, "Lena has 14 mugs."),
    (SHELLS, "Bob: 12 + 4 = 16.\nCid has 2 × 16 = 32 shells."),
    (SHELLS, "Ann and Bob have 12 + 16 = 28 shells together."),
    (SHELLS, "Bob has 17 and Cid 32. 12 + 16 + 32 = 60 shells in total."),
    (WAGES, "15 × 8 = 120. Ivo earns $120 per day."),
    (WAGES, "15 × 8 = 120. Ivo earns $120."),
    (PAGES, "Mia reads 45 + 75 = 120 pages."),
    (PAGES, "45 + 75 = 120 pages in total."),
    (TOYS, "180 / 12 = 15, so it takes 15 hours."),
]


@pytest.mark.parametrize(("problem", "reply", "number"), READ)
async def test_a_last_sentence_that_says_what_is_asked_is_the_answer(
    problem: str, reply: str, number: str
) -> None:
    said = MATH.answer(reply)
    assert said is not None
    assert await MATH.equal(MATH.parse(problem), said, number)


@pytest.mark.parametrize(("problem", "reply"), NOT_READ)
def test_any_other_last_sentence_is_no_answer(problem: str, reply: str) -> None:
    said = MATH.answer(reply)
    assert said is None or MATH.normalise(MATH.parse(problem), said) is None


def test_a_number_that_hashes_mark_within_its_sentence() -> None:
    text = "14 + 18 = 32\n32 - 5 = 27\n\nTherefore, Lena has #### 27 mugs."
    assert MATH.normalise(MATH.parse(MUGS), MATH.answer(text) or "") == "27 mugs"


@pytest.mark.parametrize(
    ("question", "reply", "answer"),
    [
        ("Mo had 21 dimes. How many dimes does Mo have now?", "Mo has 34 dimes now.", "34"),
        ("Mo had 21 dimes. How many coins does Mo have now?", "Mo has $34 now.", None),
        ("How many eggs did Ida use in all?", "Ida used 12 eggs in all.", "12"),
        ("How many rolls did Ida bake in all?", "Ida baked 12 rolls in all.", "12"),
        ("How many rolls did Ida bake in all?", "Ida ate 12 rolls in all.", None),
    ],
)
def test_coins_that_are_counted_and_short_verbs(
    question: str, reply: str, answer: str | None
) -> None:
    problem = MATH.parse(question)
    found = MATH.answer(f"Answer: {reply}")
    assert (found and MATH.normalise(problem, found)) == answer


def test_a_heading_that_says_the_question_again() -> None:
    question = "How many mugs does Lena have now?"
    text = f"14 + 18 = 32\n32 - 5 = 27\n\nFinal answer: {question}\nLena has 27 mugs now."
    assert MATH.normalise(MATH.parse(MUGS), MATH.answer(text) or "") == "27"
    other = text.replace(question, "How many mugs does Otto have now?")
    assert MATH.normalise(MATH.parse(MUGS), MATH.answer(other) or "") is None
