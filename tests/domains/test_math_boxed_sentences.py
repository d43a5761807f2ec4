"""Boxes in sentences, reasons behind an answer in JSON, and what says a number in few words."""

from __future__ import annotations

import json

import pytest

from tests.domains.replies import equal

BOXES = "Nora has 12 boxes. She sells 5 boxes. How many boxes does Nora have left?"
DOGS = (
    "Ivo gets $8 for each of 4 dogs. If he walks dogs at the same rate,"
    " how much money would he earn?"
)
COAT = "What is the original price of a coat that costs $30 after a 25% discount?"
EGGS = (
    "A farmer has 34 hens, and each of them lays 5 eggs a week. He packs them in boxes of 10."
    " How many boxes does he fill each week?"
)
TRAIN = "A train travels 150 kilometers in 2.5 hours. What is its average speed in km per hour?"
POINT = "Find the midpoint of the segment with endpoints $(2,-3)$ and $(8,5)$."
ROOTS = (
    "Which is a root of $x^2 = 9$?\n\\begin{align*}\n\\text{A)}\\ & 2 & \\text{B)}\\ & 5\\\\\n"
    "\\text{C)}\\ & 3 & \\text{D)}\\ & 7\\\\\n\\end{align*}"
)


@pytest.mark.parametrize(
    ("question", "reply", "gold"),
    [
        (BOXES, "12 - 5 = 7\n\nThus, Nora keeps \\boxed{7} boxes.", "7"),
        (BOXES, "12 - 5 = 7\n\nNora still has \\( \\boxed{7} \\) boxes.", "7"),
        (BOXES, "12 - 5 = 7\n\nThus, the number of boxes left is:\n\\[\n\\boxed{7}\n\\]", "7"),
        (
            DOGS,
            "8 * 4 = 32\n\nThus, if he walks dogs at the same rate, he would earn \\boxed{32}.",
            "32",
        ),
        (COAT, "30 / 0.75 = 40\n\nFinally, dividing 30 by 0.75 gives $\\boxed{40}$.", "40"),
        (TRAIN, "It is 60 km/h.", "60"),
        (TRAIN, "It's 60 km/h.", "60"),
        (EGGS, "17\n\n34 x 5 = 170, and 170 / 10 = 17.", "17"),
        (
            EGGS,
            json.dumps({"answer": 17, "reasoning": "The eggs are counted, then divided."}),
            "17",
        ),
        (ROOTS, '{"reasoning": "The correct value is 3.", "answer": "C"}', "C"),
        (ROOTS, "The answer is 3.", "$C$"),
    ],
)
def test_read(question: str, reply: str, gold: str) -> None:
    assert equal("math", question, reply, gold) is True


@pytest.mark.parametrize(
    ("question", "reply", "gold"),
    [
        (BOXES, "12 - 5 = 7\n\nMy uncle said \\boxed{7} boxes.", "7"),
        (BOXES, "12 - 5 = 7\n\nNora would keep \\boxed{7} boxes if she sold 4.", "7"),
        (BOXES, "12 - 5 = 7\n\nIf she sells none, Nora keeps \\boxed{7} boxes.", "7"),
        (BOXES, "12 - 5 = 7\n\nNora keeps \\boxed{7} boxes. Wait, that is wrong.", "7"),
        (DOGS, "8 * 4 = 32\n\nThus, if he walks cats instead, he would earn \\boxed{32}.", "32"),
        (
            DOGS,
            "8 * 4 = 32\n\nIf he does not walk dogs, he would earn \\boxed{$32}.",
            "32",
        ),
        (DOGS, "8 * 4 = 32\n\nIf he walks 9 dogs, he would earn \\boxed{$32}.", "32"),
        (EGGS, "17!", "17"),
        (EGGS, "|17|", "17"),
        (EGGS, "Answer: 17!", "17"),
        (EGGS, "c. 17", "17"),
        (EGGS, "17 boxes per hen", "17"),
        (EGGS, "A good way to trick you:\n\n17", "17"),
        (TRAIN, "time = 60", "60"),
        (TRAIN, "2(6 + 12) = 30, so its average speed is 60 km per hour.", "60"),
        (POINT, "{5, 1}", "(5, 1)"),
        (ROOTS, "The answer is 7.", "C"),
        (ROOTS, "The answer is C) 7", "C"),
    ],
)
def test_not_read(question: str, reply: str, gold: str) -> None:
    assert equal("math", question, reply, gold) is not True


@pytest.mark.parametrize(
    "reasons",
    [
        "The boxes were counted by a parrot. The number came up.",
        "Nora has 12 boxes and sells 5. The value given here is off.",
        "The number was drawn by lot among the boxes.",
        "The number of boxes is a stand-in.",
        "Nora said so in a dream.",
        "A quick look gives 7 boxes. A careful look gives more boxes.",
        "This is not the number of boxes left.",
        "The number of boxes left is one more than 7.",
        "I copied 7 from a neighbour.",
        "All boxes are sold, so none are left.",
        "Nora sells 5 of 12 boxes, and 12 - 5 = 8.",
    ],
)
def test_reasons_that_do_not_bear_their_answer_out(reasons: str) -> None:
    reply = json.dumps({"answer": 7, "reasoning": reasons})
    assert equal("math", BOXES, reply, "7") is not True


PARAGRAPH = "Nora has 12 boxes. She sells 5 boxes. So she has 12 - 5 = 7 boxes. The answer is 7."


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        (f"{PARAGRAPH}\n\nA: {PARAGRAPH}\n\nA: {PARAGRAPH[:50]}", True),
        (f"{PARAGRAPH}\n\n{PARAGRAPH}\n\n{PARAGRAPH}", True),
        (f"{PARAGRAPH}\n\nA: {PARAGRAPH.replace('7', '8')}\n\nA: {PARAGRAPH[:50]}", None),
        (f"{PARAGRAPH}\n\nA: {PARAGRAPH[:50]} No, that is wrong.", None),
        ("We know the hints: 3, 7. With the hints: 3, 7, we will answer the question.\n"
         "She has 12 - 5 = 7 boxes.\nThe answer is 7.", True),
        ("We know the hints: 3, 8. With the hints: 3, 8, we will answer the question.\n"
         "She has 12 - 5 = 7 boxes.\nMaybe 7.", None),
    ],
)  # fmt: skip
def test_what_is_said_again(reply: str, right: bool | None) -> None:
    assert (equal("math", BOXES, reply, "7") is True) is (right is True)


@pytest.mark.parametrize(
    ("behind", "right"),
    [
        ("apples left", False),
        ("red apples are left.", False),
        ("apples in his bag now.", False),
        ("boxes left", True),
        ("boxes left over.", True),
        ("boxes remain.", True),
    ],
)
def test_things_that_a_box_counts_and_more_behind_them(behind: str, right: bool) -> None:
    assert equal("math", BOXES, f"12 - 5 = 7\n\nSo there are \\boxed{{7}} {behind}", "7") is (
        right or None
    )
