"""Why an answer is undecided where something beside it was not understood: that is named."""

from __future__ import annotations

import asyncio

import pytest
from replies import PROBLEMS

from agentflow import domains
from agentflow.domains.answers import conclusions

STRANGE = "The moon smiles at the seven sleepers."


def why(domain: str, problem: str, text: str) -> str:
    """The reason of the verdict on the answer that a text states."""
    of = domains.get(domain)
    answer = of.answer(text)
    assert answer is not None
    verdict = asyncio.run(of.verify_answer(of.parse(problem), answer))
    assert verdict.ok is None
    return verdict.reason


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("lt", f"Therefore the second premise says that {STRANGE[:-1]}.\n\nAnswer: True"),
        ("mz", f"The turns are right, right.\n{STRANGE}\n\n\\boxed{{2}}"),
        ("mp", f"The Cafe is to the Northeast of The Bank.\n{STRANGE}\n\n\\boxed{{Northeast}}"),
        ("g", f"8/8 = 1\n{STRANGE}\n\n\\boxed{{(7 - 8/8) * 4}}"),
        ("sum of two", f"2 + 2 = 4.\n{STRANGE}\n\n\\boxed{{4}}"),
        ("cs", f"**When did it smile{STRANGE[15:-1]}?**\n\nAnswer: 1831"),
    ],
)
def test_the_line_that_was_not_read_is_named(name: str, text: str) -> None:
    domain, problem, _ = PROBLEMS[name]
    assert "at the seven sleepers" in why(domain, problem, text)


def test_of_calls_too() -> None:
    of = domains.get("calls")
    told = ["3 times 4", "3 times 5"]
    answer = conclusions.grounded("[multiply(a=3, b=4)]", told)
    verdict = asyncio.run(of.verify_answer(of.parse(of.example), answer))
    assert verdict.reason == f"could not read {told[1]!r}"


def test_another_number_of_what_is_asked_for_is_named() -> None:
    domain, problem, _ = PROBLEMS["sum"]
    reason = why(domain, problem, "In total, Natalia sold 73 clips.\n\n\\boxed{72}")
    assert reason == "could not read 'In total, Natalia sold 73 clips.'"


def test_what_the_map_does_not_say_is_told() -> None:
    domain, problem, _ = PROBLEMS["mp"]
    said = "The Zoo is to the Southwest of The Cafe.\n\n\\boxed{Northeast}"
    assert "it is wrong that" in why(domain, problem, said)


@pytest.mark.parametrize(
    ("bad", "named"),
    [("one", "one"), ("three", "three"), ("five", "five"), ("the answer", "the answer")],
)
def test_where_an_answer_ceases_to_be_understood(bad: str, named: str) -> None:
    answer = conclusions.grounded("the answer", ["told: one\ntwo\n\nthree", "says: four", "five"])
    assert conclusions.unread(answer, lambda one: bad not in one) == named
