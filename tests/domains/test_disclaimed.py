"""Replies that work an answer out, state it, and leave it open in a sentence somewhere else."""

from __future__ import annotations

import pytest
from replies import is_right

from agentflow import domains
from agentflow.domains import answers

REPLIES = {
    "sum": (
        "Let's work it out.\n\nIn April she sold 48 clips.\n\n{}\n\nIn May she sold 24 clips.\n\n"
        "48 + 24 = 72\n\n\\boxed{{72}}",
        "72",
        "73",
    ),
    "lt": (
        "Alex is kind.\n\n{}\n\nWhoever is kind is happy.\n\nSo Alex is happy.\n\nAnswer: True",
        "True",
        "False",
    ),
    "mz": (
        "The path goes right, down, left.\n\n{}\n\nThere are 2 right turns.\n\nAnswer: 2",
        "2",
        "3",
    ),
    "mpo": (
        "We look at the map.\n\n{}\n\nThe Cafe is to the Northeast of The Bank.\n\nAnswer: D",
        "D",
        "A",
    ),
    "g": (
        "8 / 8 = 1\n\n{}\n\n7 - 1 = 6\n\n6 * 4 = 24\n\n<answer>(7 - 8/8) * 4</answer>",
        "(7 - 8/8) * 4",
        "(7 - 8) * 4",
    ),
    "cs": (
        "The Otter Bridge is old.\n\n{}\n\nThe bridge was built in 1831.\n\n\\boxed{{1831}}",
        "1831",
        "1832",
    ),
}
"""Name -> (a right reply with room for a sentence, its answer, another one)."""
OPEN = [
    "{} is the answer if all goes well.",
    "The answer is almost surely {}.",
    "The answer is anything but {}.",
    "One can hardly believe that the answer is {}.",
    "There is more than one right answer.",
    "{other} is a right answer, too.",
    "Either {} or {other} is fine.",
    "It's {}, more or less.",
    "It once was {}.",
    "❌ {}",
    "I skipped the first half of the work.",
    "I assumed a thing or two.",
    "There is not enough information to tell.",
    "No solution exists.",
    "The problem cannot be solved.",
    "The puzzle contains a contradiction.",
    "A quick search disagrees.",
    "The textbook gives another value.",
    "The last check fails.",
    "~~{}~~ {other}",
    "<!-- it is {other} -->",
]
HARMLESS = [
    "The answer is {}.",
    "To find the answer, we go on.",
    "Let's find the answer.",
    "Let us check each step.",
    "The problem asks for the answer.",
    "We can see the answer now:",
]


@pytest.mark.parametrize("name", REPLIES)
@pytest.mark.parametrize("said", OPEN)
def test_an_answer_that_its_own_reply_leaves_open(said: str, name: str) -> None:
    reply, answer, other = REPLIES[name]
    assert is_right(name, reply.format(said.format(answer, other=other))) is not True


@pytest.mark.parametrize("name", REPLIES)
@pytest.mark.parametrize("said", HARMLESS)
def test_what_is_said_of_an_answer_and_leaves_it(said: str, name: str) -> None:
    reply, answer, _ = REPLIES[name]
    assert is_right(name, reply.format(said.format(answer))) is True


@pytest.mark.parametrize(
    "behind",
    ["Scratch that.", "It's 2, more or less.", "It once was 2.", "This solves half of it."],
)
def test_a_maze_whose_answer_is_left_open_behind_it(behind: str) -> None:
    reply = "The path goes right, down, left.\n\nAnswer: 2\n\n"
    assert is_right("mz", reply) is True
    assert is_right("mz", reply + behind) is not True


@pytest.mark.parametrize(
    "reply",
    [
        "Maybe the answer is 5. Wait, I skipped a step.\n\n4 + 3 = 7\n\nAnswer: 7",
        "```\n# no solution exists\n```\n\nAnswer: 7",
        "### The problem contains four numbers\n\nAnswer: 7",
        "Which is the correct answer?\n\nAnswer: 7",
        "[verifier: 6 is not the answer; count again]\nAnswer: 7",
    ],
)
def test_what_says_nothing_of_the_answer_that_is_given(reply: str) -> None:
    assert not answers.disclaimed(reply)


def test_a_program_is_read_with_what_is_said_around_it() -> None:
    of = domains.get("python")
    code = "```python\ndef double(x):\n    return 2 * x\n```"
    assert of.answer(f"To double a number, add it to itself.\n\n{code}") is not None
    assert of.answer(f"{code}\n\nScratch that.") is None
    assert of.answer(f"I skipped the case of zero.\n\n{code}") is None


@pytest.mark.parametrize("said", ["Alex is rude.", "Alex is not kind.", "Obviously, Alex is sad."])
def test_logic_reads_what_is_claimed_far_above(said: str) -> None:
    reply = "{}\n\nLet's go on.\n\nAlex is kind.\n\nSo Alex is happy.\n\nAnswer: True"
    assert is_right("lt", reply.format("Alex is kind.")) is True
    assert is_right("lt", reply.format(said)) is not True
