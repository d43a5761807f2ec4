"""Short answers that say one amount, place in a row, span or list in other words."""

from __future__ import annotations

import asyncio

import pytest
from counting import is_linear

from agentflow import domains
from agentflow.domains.commonsense import amounts

COMMON = domains.get("commonsense")


def equal(question: str, one: str, other: str) -> bool | None:
    return asyncio.run(COMMON.equal(COMMON.parse(question), one, other))


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("How many miles is the trail?", "17", "17 miles"),
        ("How many miles is the trail?", "17-mile", "17"),
        ("How many more goals did Ida score?", "two goals", "2"),
        ("How many people lived on the island?", "4,120 people", "4120"),
        ("What percent of the votes were cast by post?", "12.5", "12.5%"),
        ("What percentage was it?", "12.5 percent", "12.5%"),
        ("How long did the strike last?", "six weeks", "6 weeks"),
        ("How long is the tunnel?", "8 km", "8 kilometers"),
        ("How tall is the door?", "7 ft 2 in", "7 feet 2 inches"),
        ("What did the bridge cost?", "$2.5 million", "2,500,000 dollars"),
        ("In which act does she die?", "the third act", "3rd act"),
        ("From which century is it?", "twenty-first century", "21st century"),
        ("Which one?", "First", "1st"),
        ("Which one?", "twentieth", "20th"),
        ("What was the score?", "3-2", "3 to 2"),
        ("When did it run?", "1931-1936", "from 1931 to 1936"),
        ("Who founded it?", "Ann Lee and Bo Dahl", "Bo Dahl and Ann Lee"),
        ("Who founded it?", "Ann, Bo, and Cy", "Cy, Ann and Bo"),
        ("Who wrote it?", "J. B. Stone", "J.B. Stone"),
    ],
)
def test_the_same_in_other_words(question: str, one: str, other: str) -> None:
    assert equal(question, one, other) is equal(question, other, one) is True


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("How many miles is the trail?", "17", "71 miles"),
        ("How many miles is the trail?", "17", "17 km"),
        ("How many goals did Ida score in 3 matches?", "3", "3 matches"),
        ("What percent was it?", "12.5", "87.5%"),
        ("How long did the strike last?", "6 weeks", "6 months"),
        ("How long did the strike last?", "6", "6 weeks"),
        ("What did the bridge cost?", "$2 million", "£2 million"),
        ("What did the bridge cost?", "$2 million", "$2 billion"),
        ("What did the bridge cost?", "$2 million", "2"),
        ("In which act does she die?", "third act", "fourth act"),
        ("What was the score?", "3-2", "2 to 3"),
        ("How cold was it?", "-4 degrees", "4 degrees"),
        ("In which order did they finish?", "Ann and Bo", "Bo and Ann"),
        ("Who founded it?", "Ann and Bo", "Ann and Cy"),
        ("Where was she born?", "Paris, France", "Paris and France"),
        ("What share was it?", "50%", "0.5%"),
        ("Which grade did she get?", "B+", "B"),
        ("Which grade did she get?", "B*", "B"),
        ("Which code opens it?", "0415", "415"),
        ("Which agent was it?", "007", "7"),
        ("Which one?", "vitamin A pills", "vitamin pills"),
        ("How tall is it?", "6'", "6"),
    ],
)
def test_what_may_be_something_else(question: str, one: str, other: str) -> None:
    assert equal(question, one, other) is not True
    assert equal(question, other, one) is not True


@pytest.mark.parametrize(
    ("one", "other"),
    [("a 17-mile trail", "17"), ("colour", "color"), ("the Theatre Organisation", "theater")],
)
def test_a_number_in_more_words_or_another_spelling_is_not_refuted(one: str, other: str) -> None:
    assert equal("What is it?", one, other) is None


@pytest.mark.parametrize("piece", ["twenty-", "1 to ", " and ", "a ", "first "])
def test_long_texts_take_linear_time(piece: str) -> None:
    is_linear(
        lambda size: amounts.same(f"How many {piece * size}", piece * size, f"{piece * size}1")
    )
