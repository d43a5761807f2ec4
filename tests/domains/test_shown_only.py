"""An answer that a reply only shows: in a box that is not ticked, above an empty one, as the output
of something else, or for its fault."""

from __future__ import annotations

import pytest
from counting import is_linear

from agentflow import domains
from agentflow.domains import answers, restated

OWN = [
    "Write it as <answer></answer>.\n\n<answer>60</answer>",
    "Output:\n\n150 / 2.5 = 60.\n\nAnswer: 60",
    "Output of the calculation:\n\n150 / 2.5 = 60.\n\nAnswer: 60",
    "Find the speed.\n\n150 / 2.5 = 60.\n\nAnswer: 60",
    "We use the following.\n\n150 / 2.5 = 60.\n\nAnswer: 60",
    'The tag "<think>" is not needed here.\n\nAnswer: 60',
    "Answer: 60\n\nThe line above gives the speed.",
]
SHOWN = [
    "- [ ] Answer: 60",
    "☐ Answer: 60",
    "<answer>60</answer>\n<answer></answer>",
    "\\boxed{60}\n\n\\boxed{}",
    "Answer: 60\n\nFinal answer: <answer> </answer>",
    "Output of the broken version:\n\n150 / 2.5 = 60.\n\nAnswer: 60",
    "Answer from an untested build:\n\n150 / 2.5 = 60.\n\nAnswer: 60",
    "Exercise: find the flaw.\n\n150 / 2.5 = 60.\n\nAnswer: 60",
    "Can you spot the mistake in this?\n\n150 / 2.5 = 60.\n\nAnswer: 60",
    "Everything below is fiction.\n\n150 / 2.5 = 60.\n\nAnswer: 60",
    "The reverse of the following holds.\n\n150 / 2.5 = 60.\n\nAnswer: 60",
    "\\boxed{<think>\nAnswer: 60\n",
    "Answer: 60\n\nCorrect: false",
    "Answer: 60\nvalid: no",
    "Answer: 60\n\nOn the other hand, it may",
    "Answer: 60\n\nThe block above shows the required format.",
]


def _left_open(reply: str) -> bool:
    return answers.stated(reply) is None or answers.disclaimed(reply)


@pytest.mark.parametrize("reply", SHOWN)
def test_what_is_only_shown(reply: str) -> None:
    assert _left_open(reply)


@pytest.mark.parametrize("reply", OWN)
def test_what_is_given(reply: str) -> None:
    assert not _left_open(reply)


def test_calls_in_a_text_that_is_printed_are_not_made() -> None:
    calls = domains.get("calls")
    call = "[look_up(word='owl')]"
    assert calls.answer(call) is not None
    assert calls.answer(f'print("{call}")') is None


@pytest.mark.parametrize(
    ("said", "year"),
    [
        ("The Otter Bridge opened in 1831.", "1831"),
        ("The Otter Bridge opened in May of 1831.", "1831"),
        ("The Otter Bridge opened on 3 May 1831.", "1831"),
        ("The Otter Bridge opened before 1831.", None),
        ("The Otter Bridge opened a year after 1831.", None),
        ("The Otter Bridge opened until 1831.", None),
    ],
)
def test_a_year_is_that_of_a_date(said: str, year: str | None) -> None:
    found = restated.slot("In which year did the Otter Bridge open?", said)
    assert found == year or (year is None and found != "1831")


@pytest.mark.parametrize("piece", ["- [ ] ", "the following ", "a mistake ", "answer </answer>"])
def test_it_takes_time_in_proportion_to_the_length(piece: str) -> None:
    is_linear(lambda size: _left_open(f"{piece * size}\n\nAnswer: 60\n\n{piece * size}"), size=250)
