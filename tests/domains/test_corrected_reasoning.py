"""Replies that correct a reasoning that they were given, and answer below."""

import pytest

from agentflow import domains

LOGIC = domains.get("logic")
PROBLEM = LOGIC.parse(
    "All cats purr.\nTom is a pet.\nConclusion: Tom purrs.\n"
    "Options:\nA) True\nB) False\nC) Uncertain"
)


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        (
            "The original reasoning process is incorrect because it takes Tom for a cat.\n\n"
            "A pet need not be a cat. Therefore, the correct answer is C) Uncertain.",
            "Uncertain",
        ),
        (
            "A pet need not be a cat. Therefore, without any further information about Tom, the "
            "correct answer is C) Uncertain.",
            "Uncertain",
        ),
        ("My original reasoning was incorrect.\n\nThe correct answer is C) Uncertain.", None),
        ("The reasoning is incorrect.\n\nThe correct answer is C) Uncertain.", None),
        ("The correct answer is C) Uncertain.\n\nThe original reasoning above is incorrect.", None),
    ],
)
def test_a_given_reasoning_is_corrected(reply, read):
    answer = LOGIC.answer(reply)
    assert (answer and LOGIC.normalise(PROBLEM, answer)) == read


@pytest.mark.parametrize(
    ("behind", "read"), [("", "Uncertain"), ("\n\nHmm, let me recheck.", None)]
)
def test_what_announces_more_work_leaves_a_sentence_open(behind, read):
    answer = LOGIC.answer(f'The statement "Tom purrs" is unknown.{behind}')
    assert (answer and LOGIC.normalise(PROBLEM, answer)) == read
