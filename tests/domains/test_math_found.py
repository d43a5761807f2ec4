"""Answers and steps in mathematics found by reading: wrong ones passed, right ones refuted."""

from __future__ import annotations

import asyncio

import pytest

from agentflow import domains
from agentflow.judge import judge

MATHS = domains.get("math")


def right(question: str, answer: str) -> bool | None:
    return asyncio.run(MATHS.verify_answer(MATHS.parse(question), answer)).ok


def equal(one: str, other: str, question: str = "What is it?") -> bool | None:
    return asyncio.run(MATHS.equal(MATHS.parse(question), one, other))


def steps(line: str) -> bool | None:
    problem = MATHS.parse("How many eggs are there?")
    return asyncio.run(judge(MATHS, problem, line)).steps_ok


@pytest.mark.parametrize(
    ("question", "answer", "ok"),
    [
        *(("What is 7 / 2?", "3\\frac{1}{2}", True), ("What is 3/2?", "1\\frac{1}{2}", True)),
        *(("What is -3/2?", "-1\\frac{1}{2}", True), ("What is -3/2?", "-1\\frac12", True)),
        *(("What is 3/2?", "\\frac{3}{2}", True), ("What is 3/2?", "(3)/(2)", True)),
        *(("What is -3/2?", "-\\frac{3}{2}", True), ("What is 7 - 9?", "-(2)", True)),
        *(("What is 7 - 9?", "(-2)", True), ("What is 3 + 1/2?", "3 + \\frac12 = 3\\frac12", True)),
        *(("What is 6 + 6?", "12", True), ("What is 6 + 6?", "13", False)),
        *(("What is 7 / 2?", "3\\frac{1}{3}", False), ("What is 6 + 6?", "(13)", False)),
        *(("What is 62/2?", "3\\frac{1}{2}", False), ("What is 1/3 + 1/3?", "0.(6)", None)),
        *(("What is 31 + 2?", "3(1/2)", None), ("What is 6 + 6?", "(1)(2)", None)),
        *(
            ("What is 6 + 6?", "1(2)", None),
            ("What is 32 + 0?", "3²", None),
            ("What is 9 + 0?", "3²", None),
            ("What is 6/10?", "0.(6)", None),
        ),
        *(
            ("What is 7 / 2?", "3\\frac{1}{2}\\frac{1}{2}", None),
            ("What is 6 * 2?", "2.4\\frac{5}{1}", None),
        ),
    ],
)
def test_calculations(question: str, answer: str, ok: bool | None) -> None:
    assert right(question, answer) is ok


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is 31/2?", "3\\frac{1}{2}"),
        ("What is 31/2?", "3(1/2)"),
        ("What is 11/2?", "1\\frac12"),
    ],
)
def test_a_mixed_number_is_no_row_of_digits(question: str, answer: str) -> None:
    assert right(question, answer) is not True


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        *(("a quarter", "1/4", None), ("siete", "7", None), ("DNE", "does not exist", None)),
        *(("x>1 and x<2", "(1,2)", None), ("3 km 500 m", "3500 m", True), ("3{,}5", "3.5", True)),
        *(
            ("12345.6", "12345.64", None),
            ("0.666667", "2/3", True),
            ("\\varnothing", "\\emptyset", True),
        ),
    ],
)
def test_answers(one: str, other: str, same: bool | None) -> None:
    assert equal(one, other) is same
    assert equal(other, one) is same


def test_a_length_in_two_units_and_a_number() -> None:
    assert equal("5 ft 6 in", "66") is None
    assert equal("5 ft 6 in", "66", "How many inches tall is he?") is True
    assert equal("5 ft 6 in", "5.5", "How many feet tall is he?") is True


@pytest.mark.parametrize(
    "line",
    [
        *("$5 + €3 = $8", "$5 + £3 = $8", "€5 + $3 = €8", "5 dollars + €3 = 8 dollars"),
        *("\\frac{\\pi}{2} = 90^\\circ", "2π = 360°", "60^\\circ = \\pi/3", "π = 180°"),
        *("8 + 7 = 5, carry the 1", "7 * 8 = 6 (units digit)", "2 - 5 = 7 (borrow 1)"),
        *("8 + 7 = 5. Carry 1.", "Carry the one: 8 + 7 = 5", "The last digit: 7 * 8 = 6"),
        *("2 pens + 3 pencils = 13", "2 adults + 3 kids = $25", "3/4 = 60"),
        *("This means 1 + 1 = 3. Contradiction!", "Then 1 + 1 = 3, absurd."),
        *("Then 1 + 1 = 3, which is a contradiction.", "1·2·3···5 = 120", "1·2···5 = 10"),
    ],
)
def test_steps_that_nobody_can_tell(line: str) -> None:
    assert steps(line) is None


@pytest.mark.parametrize(
    ("line", "ok"),
    [
        *(("$5 + $3 = $8", True), ("€5 + €3 = €8", True), ("€5 + €3 = €9", False)),
        *(("$5 + $3 = $9", False), ("8 + 7 = 15", True), ("8 + 7 = 5", False)),
        *(("2 pens + 3 pens = 13", False), ("2 pens + 3 pencils = 5 items", True)),
        *(
            ("2 red apples + 3 red apples = 6 apples", False),
            ("6/3 = 3", False),
            ("24/3 = 9", False),
        ),
        *(
            ("5/100 = 20", False),
            ("€5 * 1.1 = $5.50", True),
            ("1·2·3·4·5 = 120", True),
            ("1·2·3·4 = 120", False),
        ),
        *(
            ("He borrowed 5 + 3 = 9 dollars.", False),
            ("Total units: 3 * 4 = 13", False),
            ("They carry 3 boxes each, so 3 * 4 = 13 boxes.", False),
            ("They carry 1 box each, so 4 * 1 = 5 boxes.", False),
            ("2 * 45^\\circ = 100^\\circ", False),
        ),
        *(("This means 1 + 1 = 3. So we go on.", False), ("16 eggs - 3 eggs = 12 eggs", False)),
    ],
)
def test_steps(line: str, ok: bool | None) -> None:
    assert steps(line) is ok


@pytest.mark.parametrize(
    "line",
    [
        "4 * 15 + 8 = 60 pears in crates + 8 loose pears = 68",
        "(4 crates * 15 pears/crate) + 8 = 60 pears in crates + 8 loose ones",
    ],
)
def test_a_sum_whose_parts_are_told_in_words_is_not_cut_off(line: str) -> None:
    assert steps(line) is not False
    assert steps("4 * 15 + 8 = 60 pears in crates") is False


def test_brackets_that_a_problem_gives_a_meaning() -> None:
    line = "[2.5] + [3.5] = 2 + 3 = 5"
    floors = "Let [x] be the greatest integer not above x. What is [2.5] + [3.5]?"
    plain = "What is [2.5] + [3.5]?"
    oks = [asyncio.run(judge(MATHS, MATHS.parse(one), line)).steps_ok for one in (floors, plain)]
    assert oks == [None, False]
