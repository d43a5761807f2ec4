"""Whole replies of many kinds: no wrong one passes, and right ones are read."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from agentflow import domains
from agentflow.domains import restated, restated_values
from agentflow.domains.telling_more import tells_more
from agentflow.thinking import split

DATA = Path(__file__).parents[1] / "data" / "replies"


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


REPLIES = _rows("replies.jsonl")


@cache
def _problem(name: str) -> Any:
    row = next(one for one in _rows("problems.jsonl") if one["id"] == name)
    return domains.get(row["domain"]), row["problem"], row["gold"]


@pytest.mark.parametrize("row", REPLIES, ids=[row["id"] for row in REPLIES])
async def test_a_whole_reply(row: dict[str, Any]) -> None:
    domain, text, gold = _problem(row["of"])
    problem, said = domain.parse(text), split(row["reply"]).answer
    answer = None if said is None else domain.answer(said)
    ok = None
    if answer is not None:
        ok = (await domain.verify_answer(problem, answer)).ok
        if ok is None and gold is not None:
            ok = await domain.equal(problem, answer, gold)
    assert not (ok and not row["right"])
    assert not (ok is False and row["right"])
    if row["read"]:
        assert ok is True


@pytest.mark.parametrize(
    ("sentence", "more"),
    [
        ("It stretches about 6,400 kilometers from the Andes to the Atlantic Ocean.", True),
        ("It handed the seat of government over to Sydney in 1999.", False),
        ("It shrank below the Parana in 2020.", False),
        ("It flows through Peru, and the Parana beats it.", False),
        ("It carries the credit of another explorer.", False),
        ("They measured the Parana afterwards and it won.", False),
    ],
)
def test_a_sentence_that_only_tells_more_of_a_thing(sentence: str, more: bool) -> None:
    assert tells_more(sentence, "Amazon") is more


TANK = (
    "A tank holds 240 liters. It is filled at 15 liters per minute and leaks 3 liters per minute."
    " How many minutes does it take to fill the empty tank?"
)


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ("\\boxed{20}\n\nIt takes **20 minutes** to fill the tank.", True),
        ("\\boxed{20}\n\nIt takes 20 minutes to empty the tank.", False),
        ("\\boxed{20}\n\nIt takes at most 20 minutes to fill the tank.", False),
        ("It takes 20 minutes.\n\nCheck: 20 × 12 = 240.", True),
        ("It takes 20 minutes.\n\nCheck: 20 × 15 = 300, which overflows 240.", False),
        ("20 minutes\n\nThe tank gets 15 - 3 = 12 liters per minute, and 240/12 = 20.", True),
        ("20 minutes\n\n240/15 = 16", False),
    ],
)
async def test_what_stands_behind_an_answer_is_judged_with_the_question(
    reply: str, read: bool
) -> None:
    domain = domains.get("math")
    problem, said = domain.parse(TANK), domain.answer(reply)
    ok = await domain.equal(problem, said, "20") if said else None
    assert ok is (True if read else None)


ASKED = "Which particle carries the strong force?"


@pytest.mark.parametrize(
    ("question", "sentence", "said"),
    [
        (ASKED, "The strong force is carried by the **gluon**.", "gluon"),
        (ASKED, "Gluons carry the strong force, binding quarks together.", "Gluons"),
        (ASKED, "The weak force is carried by the gluon.", None),
        (ASKED, "Some say the strong force is carried by the gluon.", None),
        (ASKED, "The strong force is not carried by the gluon.", None),
        (ASKED, "The strong force is carried by the pion, not the gluon.", None),
        (ASKED, "The strong force is carried by the **gluon** or the pion.", None),
        ("What is the capital of Peru?", "The capital of Peru was Lima.", None),
        (
            "What is the capital of Peru?",
            "The capital of Peru is **Lima**, located on the coast.",
            "Lima",
        ),
        (
            "What is the capital of Peru?",
            "The capital of Peru is **Lima**, which handed that role to Cusco.",
            None,
        ),
        ("In which year did the ship sink?", "The ship sank on **May 5, 1912**.", "1912"),
    ],
)
def test_what_a_sentence_answers_that_says_the_question_again(
    question: str, sentence: str, said: str | None
) -> None:
    assert restated.slot(question, sentence) == said


@pytest.mark.parametrize(
    ("question", "sentence", "said"),
    [
        ("What is its average speed?", "The average speed is 60 km/h.", "60 km/h"),
        ("How many boxes does he fill each week?", "He fills 17 boxes each week.", "17"),
        ("How many boxes does he fill each week?", "He fills 17 boxes each month.", None),
        ("How many boxes does he fill each week?", "He fills at least 17 boxes each week.", None),
        ("How many stickers does Emma have?", "Jack has 28 stickers.", None),
        ("What is the midpoint of the segment?", "The midpoint is (5, 1).", "(5, 1)"),
        ("What is the sum of 2 and 3?", "The sum of 2 and 3 is 2 + 3 = 6.", None),
    ],
)
def test_the_value_that_a_sentence_gives_what_is_asked_for(
    question: str, sentence: str, said: str | None
) -> None:
    assert restated_values.value(question, sentence, {"km", "h"}) == said
