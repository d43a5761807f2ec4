"""Sentences that say nothing but a value, above the answer: another one is a second answer."""

from __future__ import annotations

import pytest
from replies import is_right

from agentflow.domains.answers import bare_values

REPLIES = {
    "sum": ("In April she sold 48 clips, in May 24.\n\n{}\n\n\\boxed{{72}}", "72", "70"),
    "prob": ("Two balls are drawn.\n\n{}\n\nAnswer: 5/14", "5/14", "3/14"),
    "lt": ("Alex is kind. Whoever is kind is happy.\n\n{}\n\nAnswer: True", "True", "False"),
    "lo": ("Alex is kind. Whoever is kind is happy.\n\n{}\n\n\\boxed{{A}}", "A", "B"),
    "cs": ("The Otter Bridge is old.\n\n{}\n\nThe answer is 1831.", "1831", "1832"),
    "who": (
        "Hamlet is a play.\n\n{}\n\nThe answer is William Shakespeare.",
        "William Shakespeare",
        "Christopher Marlowe",
    ),
}
"""Name -> (a right reply with room for a sentence, its answer, another one)."""
SENTENCES = ["So we get {}.", "Thus {}.", "It's {}!", "Version 2: {}", "I'd say {}.", "Final: {}"]
ALONE = ["# {}", "**{}**", "→ {}", ">>> {}"]


@pytest.mark.parametrize("name", REPLIES)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_another_value(name: str, sentence: str) -> None:
    reply, answer, other = REPLIES[name]
    describes = name == "who" and sentence.startswith("It's")  # what is spoken of
    assert describes or is_right(name, reply.format(sentence.format(other))) is not True
    assert is_right(name, reply.format(sentence.format(answer))) is True


@pytest.mark.parametrize("name", [name for name in REPLIES if name != "who"])
@pytest.mark.parametrize("line", ALONE)
def test_another_value_alone(name: str, line: str) -> None:
    reply, answer, other = REPLIES[name]
    assert is_right(name, reply.format(line.format(other))) is not True
    assert is_right(name, reply.format(line.format(answer))) is True


@pytest.mark.parametrize("name", [name for name in REPLIES if name not in ("who", "lt")])
@pytest.mark.parametrize(
    "line",
    [
        "A second run gave {}.",
        "final_answer({})",
        "Observation: {}",
        "return {}",
        "Action: Finish[{}]",
        "[answer]{}[/answer]",
        "Wikipedia says {}.",
    ],
)
def test_a_short_paragraph_that_ends_in_another_value(name: str, line: str) -> None:
    reply, answer, other = REPLIES[name]
    assert is_right(name, reply.format(line.format(other))) is not True
    assert is_right(name, reply.format(line.format(answer))) is True


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("So we get 14.\n\n14 - 4 = 10\n\n\\boxed{10}", "10"),  # one on the way
        ("1.\nTom eats 6.\n\n2.\nHe gives 4 away.\n\n\\boxed{10}", "10"),  # a list
        ("48\n24\n\n\\boxed{72}", "72"),  # a column
        ("This is about 9.8.\n\n\\boxed{10}", "10"),  # rounded
        ("**Output**\n\n\\boxed{Paris}", "Paris"),  # a heading
        ("So 2 apples.\n\n\\boxed{10}", "10"),  # of something else
        ("It is a tragedy.\n\n\\boxed{the gluon}", "the gluon"),
        ("## Step 3\n\nIt works.\n\n\\boxed{10}", "10"),
        ("Now divide by 7.\n\n\\boxed{10}", "10"),
        ("- Linda: $27.47\n- Sherry: $35.23\n\n\\boxed{59}", "59"),
        ("Premise 2 is False.\n\n\\boxed{True}", "True"),
        ("So B.\n\n\\boxed{10}", "10"),
    ],
)
def test_no_other_answer(text: str, answer: str) -> None:
    assert not [*bare_values.others(text, answer)]
