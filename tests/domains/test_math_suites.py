"""Answers in mathematics as other projects' graders have them in their tests."""

from __future__ import annotations

import asyncio

import pytest

from agentflow import domains
from agentflow.judge import judge

MATHS = domains.get("math")


def equal(one: str, other: str, question: str = "What is it?") -> bool | None:
    return asyncio.run(MATHS.equal(MATHS.parse(question), one, other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2^{-64}", "2^{-63}"),
        ("\\frac{99!}{100!}", "\\frac{98!}{100!}"),
        ("\\frac{1}{2004!}", "\\frac{1}{2006!}"),
        ("2-\\frac{101}{2^{99}}", "2-\\frac{102}{2^{99}}"),
        ("e^{-50}", "e^{-51}"),
        ("\\sqrt{10^{40}+1}", "10^{20}"),
        ("(2^{-99},1)", "(2^{-98},1)"),
        ("20,000/400", "20, 0"),
        ("1,000 + 500", "1, 500"),
        ("x^3+C", "x^2+C"),
    ],
)
def test_other_numbers(one: str, other: str) -> None:
    assert equal(one, other) is False


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10,000\\pi", "10000\\pi"),
        ("1{,}250\\pi", "1250\\pi"),
        ("20,000/400", "50"),
        ("12,000 \\cdot 3", "36000"),
        ("1,000, 2,000", "1000, 2000"),
        ("(1,000, 3)", "(1000, 3)"),
        ("x=1,200", "1200"),
        ("x_\\text{max}", "x_{\\text{max}}"),
        ("mx+b", "b+mx"),
        ("ax^2+bx+c", "ax^2+bx+c"),
        ("xy^2", "xy^2"),
        ("\\dbinom{5}{2}", "10"),
        ("{16 \\choose 2}", "120"),
        ("2^\\frac{1}{3}", "\\sqrt[3]{2}"),
        ("∅", "\\emptyset"),
        ("0.1\\pi", "\\frac{\\pi}{10}"),
        ("\\sqrt{2}+\\sqrt{3}", "\\sqrt{5+2\\sqrt{6}}"),
        ("\\frac\\pi6", "\\frac{\\pi}{6}"),
        ("\\frac1\\pi", "\\frac{1}{\\pi}"),
        ("\\frac a b", "\\frac{a}{b}"),
        ("\\sqrt\\pi", "\\sqrt{\\pi}"),
        ("\\sqrt[3]5", "\\sqrt[3]{5}"),
        ("{3 \\over 4}", "0.75"),
        ("1+2\\over4", "\\frac34"),
        ("= 17", "17"),
        ("17\\ ", "17"),
        ("\\textcolor{blue}{17}", "17"),
        ("12,\\! 345", "12345"),
    ],
)
def test_the_same(one: str, other: str) -> None:
    assert equal(one, other) is True


@pytest.mark.parametrize(
    ("one", "other", "question"),
    [
        ("10, 4, -2", "-2, 4, 10", "Arrange the numbers 4, 10 and -2 in increasing order."),
        ("3, 1", "1, 3", "What are the quotient and the remainder?"),
        ("2, 1", "1, 2", "Find x and y, in that order."),
        ("384, 48", "48, 384", "What is the value of $a_{7}$? What is the sum?"),
        ("20,500/400", "51.25", "What is it?"),
        ("\\frac1234", "17", "What is it?"),
        ("2^3^2", "64", "What is it?"),
        ("(0.6,2.67]", "(\\frac{3}{5},\\frac{8}{3}]", "What is it?"),
        ("x=0.33", "x=\\frac13", "What is it?"),
        ("P(A)=0.5", "0.5", "What is $P(B)$?"),
        ("f(1)=3", "3", "Find $f(2)$."),
        ("AB=5", "5", "Find $BC$."),
        ("4 \\pmod{5}", "4", "What is the remainder of 18 divided by 7?"),
        ("\\frac{1}{2}\\sin^2 x+C", "-\\frac14\\cos 2x+C", "What is it?"),
        ("\\ln|3x|+C", "\\ln|x|+C", "What is it?"),
    ],
)
def test_what_cannot_be_told(one: str, other: str, question: str) -> None:
    assert equal(one, other, question) is not (other != "51.25")


@pytest.mark.parametrize(
    ("one", "other", "question"),
    [
        ("-2, 4, 10", "-2, 4, 10", "Arrange the numbers 4, 10 and -2 in increasing order."),
        ("4, -2", "-2, 4", "Find all values of x."),
        ("AB=5", "5", "Find $AB$."),
        ("f(2)=3", "3", "Find $f(2)$."),
        ("50 miles", "50", "How many miles in all did she run?"),
        ("52 checks", "52", "How many checks does Buford write per year?"),
        ("90 jellyfish", "90", "How many jellyfish are in the tank?"),
        ("39 math problems", "39", "How many math problems does he have left?"),
        (
            "$80000",
            "80000",
            "The number of juniors is 40 and they are each paid $2000 per month, calculate the "
            "total amount of money the company pays per month.",
        ),
    ],
)
def test_what_is_asked_for(one: str, other: str, question: str) -> None:
    assert equal(one, other, question) is True


@pytest.mark.parametrize("said", ["3,344", "The answer is **3,344**.", "\\boxed{3{,}344}"])
def test_a_calculation_whose_value_has_thousands(said: str) -> None:
    problem, answer = MATHS.parse("What is 999 + 2345?"), MATHS.answer(said)
    assert answer is not None
    assert asyncio.run(MATHS.verify_answer(problem, answer)).ok is True


@pytest.mark.parametrize(
    "said", ["Answer: 6000\n\nThe total is 6,000.", "#### 6000\n\nIt is 6,000."]
)
def test_a_sentence_with_thousands_behind_an_answer(said: str) -> None:
    assert MATHS.answer(said) in ("6000", None)


@pytest.mark.parametrize("line", ["3 + 4 = 7 = 8", "5 * 4 = 20 = 25"])
def test_a_chain_that_ends_in_another_number(line: str) -> None:
    problem = MATHS.parse("How many eggs are there?")
    assert asyncio.run(judge(MATHS, problem, line)).steps_ok is False


def test_a_chain_that_ends_in_the_same_number() -> None:
    problem = MATHS.parse("How many eggs are there?")
    assert asyncio.run(judge(MATHS, problem, "3 + 4 = 7 = 7")).steps_ok is True


@pytest.mark.parametrize(
    "courtesy", ["Sure!", "Of course!", "Okay.", "Here you go:", "I'll help you with that."]
)
def test_calls_behind_a_courtesy(courtesy: str) -> None:
    call = '[get_weather(city="Rome")]'
    assert domains.get("calls").answer(f"{courtesy}\n{call}") == call


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Final Answer: The final answer is $\\text{west}$. I hope it is correct.", "west"),
        ("The answer is $12,\\! 345$. I hope it is correct.", "12345"),
        ("Therefore, the answer is $\\boxed{12,\\! 345}$.", "12345"),
    ],
)
def test_an_answer_in_front_of_a_hope(said: str, answer: str) -> None:
    problem, found = MATHS.parse("What is it?"), MATHS.answer(said)
    assert found is not None
    assert asyncio.run(MATHS.equal(problem, found, answer)) is True


@pytest.mark.parametrize(
    ("one", "other"),
    [("x = 1\\over 2", "\\frac12"), ("\\textcolor{white}{17}", "17"), ("=> 17", "17")],
)
def test_what_is_set_in_another_way_is_not_taken_for_it(one: str, other: str) -> None:
    assert equal(one, other) is not False
    assert one.startswith("x") or equal(one, other) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("m=4 or n=7", "m=4, n=7"),
        ("m=4 \\text{ or } n=7", "m=4 \\text{ and } n=7"),
        ("m=4 \\text{ or } n=7", "(m,n)=(4,7)"),
    ],
)
def test_one_of_two_equations_is_not_both(one: str, other: str) -> None:
    assert equal(one, other, "Find all solutions.") is not True


def test_one_name_has_its_values_either_way() -> None:
    assert equal("m=4 or m=7", "m=4, m=7", "Find all solutions.") is True
