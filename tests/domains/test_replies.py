"""Replies as models write them, and what each domain makes of them: read, or left undecided."""

from __future__ import annotations

import pytest

from agentflow import domains

RULES = "Alex is kind. Ben is not tall. If someone is kind, then they are happy. Conclusion: "
FOLLOWS, OPEN = f"{RULES}Alex is happy.", f"{RULES}Ben is happy."
DRAWN = "#####\n#SX #\n##X##\n#EX #\n#####\n"
RIGHT = f"{DRAWN}How many right turns are there in the provided path from S to E?\nA. 0\nB. 1\nC. 2"
TOTAL = f"{DRAWN}How many total turns are there in the provided path from S to E?\nA. 0\nB. 1\nC. 2"
MAP = (
    "Up is in the map. Gale is to the Southwest of Up. Nina is to the Southeast of Gale. "
    "Nina is to the Southwest of Up. How many objects are in the Southwest of Up?\n"
    "A. 1\nB. 2\nC. 0\nD. 3"
)
SUM = "What is 17 - 3?"
FOUR = "4 7 8 8"

CASES = [
    # A conclusion is taken back in its own line, or behind it.
    ("math", SUM, "The answer is 14, sorry, 15.", None),
    ("math", SUM, "The answer is 15, sorry, 14.", None),
    ("math", SUM, "The answer is 14. Make that 15.", None),
    ("math", SUM, "14. No wait, 15.", None),
    ("logic", FOLLOWS, "True… actually False", None),
    ("logic", FOLLOWS, "The answer is True. Make that False.", None),
    ("maze", RIGHT, "C – sorry, A", None),
    ("maze", RIGHT, "The answer is C. Going with A.", None),
    ("maze", RIGHT, "The answer is C. The right one is 1.", None),
    ("game24", FOUR, "The answer is (7 - 8/8) * 4, sorry, 4 + 7 + 8 + 8.", None),
    ("game24", FOUR, r"\boxed{(7 - 8/8) * 4} => 25", None),
    ("logic", FOLLOWS, r"\boxed{True} NOT!", None),
    ("logic", FOLLOWS, r"\boxed{True} (not final)", None),
    ("logic", FOLLOWS, "The answer is True. The reverse holds.", None),
    ("logic", FOLLOWS, "The answer is True.\n🤷", None),
    ("spatialmap", MAP, "2 objects?", None),
    ("maze", RIGHT, "2 right turns?", None),
    ("maze", RIGHT, "~~2 right turns~~", None),
    # A mark behind a number is one of feet or inches.
    ("math", SUM, "The answer is 14'.", None),
    ("math", SUM, '\\boxed{14"}', None),
    ("maze", RIGHT, "Answer: 2'", None),
    ("math", SUM, "The answer is '14'.", True),
    ("math", SUM, 'The answer is "14".', True),
    # A sentence that ends with the answer's name, and a line without a space.
    ("math", SUM, "-14 is the answer.", False),
    ("math", SUM, "fourteen is the answer.", True),
    ("math", SUM, "Answer: +14", True),
    ("math", SUM, "Answer: minus fourteen", None),
    ("logic", FOLLOWS, "True is the correct answer.", True),
    ("logic", FOLLOWS, "None is the correct answer.", None),
    ("logic", FOLLOWS, "Answer:True", True),
    ("maze", RIGHT, "C. 2 is the answer.", True),
    ("maze", RIGHT, "2 right turns is the answer.", True),
    ("game24", FOUR, "(7 - 8 ÷ 8) × 4 is the answer.", True),
    # An explanation may state a rule; a condition on which the answer depends is another thing.
    ("logic", FOLLOWS, "True\nIf someone is kind, then they are happy, and Alex is kind.", True),
    ("logic", FOLLOWS, "True. If someone is kind, they are happy. Alex is kind.", True),
    ("logic", FOLLOWS, "True if Ben is tall.", None),
    ("logic", FOLLOWS, "True. If the premises are right, the statement holds.", None),
    ("logic", OPEN, "Uncertain, the premises do not tell.", True),
    ("logic", OPEN, "Unknown, because the premises do not say.", True),
    ("logic", FOLLOWS, "Uncertain, the premises do not tell.", False),
    ("logic", OPEN, "Uncertain, the premises do not tell, but it is true.", None),
    # Turns that are added up, and objects that are counted and listed.
    ("maze", TOTAL, "2 right turns and 0 left turns, so the total is 2", True),
    ("maze", TOTAL, "1 right turn and 1 left turn, so the total is 2", None),
    ("maze", TOTAL, "2 right turns and 0 left turns, so the total is 1", False),
    ("spatialmap", MAP, "There are two objects in the Southwest of Up: Gale and Nina.", True),
    ("spatialmap", MAP, "There are two objects in the Southwest of Up: Gale and Up.", None),
    ("spatialmap", MAP, "There are 2 objects.", True),
    ("spatialmap", MAP, "There are 3 objects.", False),
]


@pytest.mark.parametrize(("name", "problem", "reply", "ok"), CASES)
async def test_a_reply_is_read_or_left_undecided(
    name: str, problem: str, reply: str, ok: bool | None
) -> None:
    domain = domains.get(name)
    answer = domain.answer(reply)
    said = await domain.verify_answer(domain.parse(problem), answer) if answer else None
    assert (said.ok if said else None) is ok


X = "Let m be such that 2m = 28. Find m."
CHANCE = "What is the probability that it rains?"
GOLD = [
    ("math", X, "2m = 28, so m = 14", "14", True),
    ("math", X, "Since 2m = 28, m = 14.", "14", True),
    ("math", X, "2m = 28 => m = 14", "14", True),
    ("math", X, "2m = 28, so m = 15", "14", False),
    ("math", X, "Answer: 15, 14", "14", None),
    ("math", CHANCE, "75%", "3/4", True),
    ("math", CHANCE, "70%", "3/4", False),
    ("math", CHANCE, "75%", "75", None),
    ("math", "What is x?", "75%", "75", None),
    ("math", "How many apples are left?", "75%", "3/4", None),
    ("math", "How many feet long is the rope?", "14'", "14", True),
    ("math", "How many feet long is the rope?", '14"', "14", None),
    ("math", "How many apples are left?", "14'", "14", None),
    ("commonsense", "How many moons has Mars?", "two is the answer.", "2", True),
    ("commonsense", "How many moons has Mars?", "My friend says the answer is 3.", "2", None),
    ("commonsense", "Who wrote Hamlet?", "William Shakespeare is the answer.",
     "William Shakespeare", True),
    ("commonsense", "Who wrote Hamlet?", "The opposite of Bacon.", "William Shakespeare", None),
    ("commonsense", "Who wrote Hamlet?", "The answer is Bacon. It is William Shakespeare.",
     "William Shakespeare", None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "question", "reply", "gold", "same"), GOLD)
async def test_a_reply_against_the_gold_answer(
    name: str, question: str, reply: str, gold: str, same: bool | None
) -> None:
    domain = domains.get(name)
    problem, answer = domain.parse(question), domain.answer(reply)
    assert (await domain.equal(problem, answer, gold) if answer else None) is same
