"""What a reply says beside its answer: another number, a unit, the letter of an option."""

from __future__ import annotations

import pytest
from replies import is_right

from agentflow import domains

CONTRADICTED = [
    ("sum", "Natalia sold 73 clips altogether.\n\n\\boxed{72}"),
    ("sum", "She sold 48 in April and 24 in May, so she sold 73 clips altogether.\n\n\\boxed{72}"),
    ("sum", "In total, Natalia sold 73 clips.\n\nAnswer: 72"),
    ("sum", "The total number of clips is 73.\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nShe sold a total of 70 clips.\n\n\\boxed{72}"),
    ("sum", "\\boxed{72}\n\nNatalia sold 73 clips altogether."),
    ("sum", "\\boxed{72}\n\nShe returned 10 of them, so 62 remain."),
    ("left", "He has 9 apples left.\n\n\\boxed{10}"),
    ("left", "He now has 11 apples.\n\n\\boxed{10}"),
    ("left", "So 12 apples remain.\n\nAnswer: 10"),
    ("xval", "So x = 6.\n\n\\boxed{5}"),
    ("root", "x = 5\n\n\\boxed{3}"),
    ("root", "The root 3 is spurious.\n\n\\boxed{3}"),
    ("root", "\\boxed{3}\n\nThe root 3 is spurious."),
    ("root", "x = 3 is extraneous.\n\n\\boxed{3}"),
    ("root", "3 is spurious.\n\n\\boxed{3}"),
    ("root", "The solution x = 3 must be discarded.\n\n\\boxed{3}"),
    ("sum", "Answer: 72 tons\n\n\\boxed{72}"),
    ("sum", "Answer: 72 degrees\n\n\\boxed{72}"),
    ("sum", "Answer: 72 percent\n\n\\boxed{72}"),
    ("sum", "\\boxed{72}\n\nAnswer: 72 tons"),
    ("sum", "\\boxed{72}\n\nAnswer: $72"),
    ("sum", "The answer is 72 dollars.\n\n\\boxed{72}"),
    ("sum", "The total is 72 tons.\n\nAnswer: The total is 72 tons.\n\n\\boxed{72}"),
    ("sum", "Answer: Bob sold 72 clips.\n\n\\boxed{72}"),
    ("money", "Answer: 18 eggs\n\n\\boxed{18}"),
    ("money", "Answer: 18 dollars per week\n\n\\boxed{18}"),
    ("cs", "Answer: Bridge\n\n\\boxed{Otter Bridge}"),
    ("mzo", "Answer: B\n\n\\boxed{2}"),
    ("mzo", "\\boxed{3}\n\nAnswer: C"),
    ("mz", "Answer: C\n\n\\boxed{2}"),
    ("lo", "Answer: B\n\n\\boxed{True}"),
    ("mpo", "\\boxed{A}\n\nAnswer: Northeast"),
]
SAID_TWICE = [
    ("sum", "Answer: Natalia sold 72 clips.\n\n\\boxed{72}"),
    ("sum", "\\boxed{72}\n\nAnswer: Natalia sold 72 clips."),
    ("sum", "Answer: She sold 72 clips.\n\n\\boxed{72}"),
    ("sum", "Natalia sold 48 clips in April.\n\n\\boxed{72}"),
    ("sum", "In May she sold 24 clips.\n\n\\boxed{72}"),
    ("left", "He ate 6, so 14 apples remain. Then he gave away 4.\n\n\\boxed{10}"),
    ("money", "Answer: 18 dollars per day\n\n\\boxed{18}"),
    ("money", "Answer: She makes $18 every day.\n\n\\boxed{18}"),
    ("who", "Answer: Shakespeare\n\n\\boxed{William Shakespeare}"),
    ("who", "Answer: William Shakespeare\n\n\\boxed{Shakespeare}"),
    ("mzo", "Answer: C\n\n\\boxed{2}"),
    ("mzo", "\\boxed{2}\n\nAnswer: C"),
    ("mzo", "\\boxed{C}\n\nAnswer: 2"),
    ("lo", "Answer: A\n\n\\boxed{True}"),
    ("lo", "\\boxed{A}\n\nAnswer: True"),
    ("mpo", "Answer: Northeast (D)\n\n\\boxed{D}"),
    ("mpo", "\\boxed{D}\n\nAnswer: Northeast"),
]


@pytest.mark.parametrize(("name", "reply"), CONTRADICTED)
def test_what_contradicts_an_answer(name: str, reply: str) -> None:
    assert is_right(name, reply) is not True


@pytest.mark.parametrize(("name", "reply"), SAID_TWICE)
def test_one_answer_said_twice(name: str, reply: str) -> None:
    assert is_right(name, reply) is True


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("lt", "Kind people are sad.\n\nAnswer: True"),
        ("lt", "Happy people are kind.\n\nAnswer: True"),
        ("lt", "People who are kind are never happy.\n\nAnswer: True"),
        ("lt", "Not all kind people are happy.\n\nAnswer: True"),
        ("lt", "Only some kind people are happy.\n\nAnswer: True"),
        ("lf", "Kind people are rude.\n\nAnswer: False"),
        ("lt", "The rule does not apply to Alex.\n\nAnswer: True"),
        ("lt", "The second premise says nothing about Alex.\n\nAnswer: True"),
        ("lt", "The first premise is irrelevant.\n\nAnswer: True"),
        ("lt", "I performed magic.\n\nAnswer: True"),
        ("lt", "I performed a trick.\n\nAnswer: True"),
        ("mz", "\\boxed{2}\n\nThe path goes left, left, left."),
        ("mz", "The path goes left, left, left.\n\n\\boxed{2}"),
        ("mz", "The turns are left, left.\n\nAnswer: 2"),
        ("mz", "The path goes right, then turns left, then left again.\n\n\\boxed{2}"),
        ("g", "One way to get 28 is \\boxed{(7 - 8/8) * 4}."),
        ("g", "One way to get 28 is:\n\n\\boxed{(7 - 8/8) * 4}"),
        ("g", "One way to make 25:\n\nAnswer: (7 - 8/8) * 4"),
    ],
)
def test_grounds_that_do_not_hold(name: str, reply: str) -> None:
    assert is_right(name, reply) is not True


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("lt", "Kind people are happy.\n\nAnswer: True"),
        ("lt", "People who are kind are happy.\n\nAnswer: True"),
        ("lu", "The rule does not apply to Ben.\n\nAnswer: Uncertain"),
        ("mz", "The path goes right, down, left.\n\n\\boxed{2}"),
        ("mz", "\\boxed{2}\n\nThe path goes right, down, left."),
        ("mz", "The turns are right, right.\n\n\\boxed{2}"),
        ("mz", "Total: \\boxed{2}"),
        ("lt", "I performed both steps.\n\nAnswer: True"),
        ("g", "One way to get 24 is \\boxed{(7 - 8/8) * 4}."),
    ],
)
def test_grounds_that_hold(name: str, reply: str) -> None:
    assert is_right(name, reply) is True


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("sum", "How many clips did Bob sell:\n\n\\boxed{72}"),
        ("sum", "**How many clips did Natalia sell in April?**\n\n\\boxed{72}"),
        ("sum", "### What is the weather\n\n\\boxed{72}"),
        ("cs", "### Name of the director\n\n\\boxed{1831}"),
        ("cs", "**Author:**\n\n\\boxed{1831}"),
        ("cs", "**When did the Bear Bridge fall?**\n\nAnswer: 1831"),
    ],
)
def test_a_headline_that_asks_something_else(name: str, reply: str) -> None:
    assert is_right(name, reply) is not True


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("sum", "How many clips did Natalia sell altogether:\n\n\\boxed{72}"),
        ("sum", "**How many clips were sold in total?**\n\n\\boxed{72}"),
        ("cs", "### Year\n\n\\boxed{1831}"),
        ("cs", "**In which year was the Otter Bridge built?**\n\nAnswer: 1831"),
        ("who", "**Author:**\n\nAnswer: William Shakespeare"),
    ],
)
def test_a_headline_that_asks_the_same(name: str, reply: str) -> None:
    assert is_right(name, reply) is True


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("mp", "Answer: Northeast\n\nThe result is verified."),
        ("mp", "\\boxed{Northeast}\n\nThis answer is verified."),
        ("lt", "Answer: True\n\nKind people are happy."),
        ("sum", "\\boxed{72}\n\nShe sold 48 clips in April and 24 in May."),
        ("sum", '{"answer": "72"}\n\nNatalia sold 48 + 24 = 72 clips.'),
        ("sum", '```json\n{"answer": 72}\n```\n\nExplanation: She sold 48 in April and 24 in May.'),
        ("sum", "48 + 24 = 72\n\n$\\boxed 72$"),
        ("sum of two", "\\boxed 4"),
        ("sum of two", "So it is $\\boxed 4$."),
        ("sum of two", "\\boxed4."),
        ("base", "\\boxed{-221_3}"),
        ("base", "The answer is $-221_3$."),
    ],
)
def test_what_may_stand_behind(name: str, reply: str) -> None:
    assert is_right(name, reply) is True


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("sum of two", "\\boxed 4.5"),
        ("sum of two", "\\boxed 4^2"),
        ("sum of two", "It is not \\boxed 4"),
        ("sum", "\\boxed{72}\n\nShe may have sold 48 clips in April."),
        ("mp", "\\boxed{Northeast}\n\nThe result is Southwest."),
    ],
)
def test_what_may_not(name: str, reply: str) -> None:
    assert is_right(name, reply) is not True


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("sum", "So Natalia sold 73 clips in April and May.\n\n\\boxed{72}"),
        ("sum", "Therefore, Natalia sold 48 + 25 = 73 clips altogether.\n\n\\boxed{72}"),
        ("sum", "She sold 73 clips in total.\n\nAnswer: 72"),
        ("sum", "So the total is 73 clips.\n\n\\boxed{72}"),
        ("sum", "The total is 73.\n\n\\boxed{72}"),
        ("sum", "Altogether, that makes 73 clips.\n\n\\boxed{72}"),
        ("sum", "That is 73 clips in all.\n\n\\boxed{72}"),
        ("sum", "48 + 24 = 73\n\n\\boxed{72}"),
        ("sum", "\\boxed{72}\n\nIn total she sold 73 clips."),
        ("sum", "\\boxed{72}\n\nHence 73 clips were sold."),
        ("sum", "Answer: 72 km\n\n\\boxed{72}"),
        ("sum", "Answer: 72 hours\n\n\\boxed{72}"),
        ("sum", "Answer: 72 dozen clips\n\n\\boxed{72}"),
        ("sum", "**Answer:** 72 kg\n\n\\boxed{72}"),
        ("sum", "<answer>72 tons</answer>\n\n\\boxed{72}"),
        ("sum", "\\boxed{72}\n\nSo the answer is 72 tons."),
        ("money", "So Janet makes $20 every day.\n\n\\boxed{18}"),
        ("money", "She makes 20 dollars per day.\n\n\\boxed{18}"),
        ("xval", "x = 4\n\nAnswer: 5"),
        ("xval", "Therefore $x = 6$.\n\n\\boxed{5}"),
        ("xval", "The value of x is 6.\n\n\\boxed{5}"),
        ("xval", "\\boxed{5}\n\nSo x = 6."),
        ("xval", "\\boxed{5}\n\nThe solution 5 is extraneous."),
        ("xval", "5 does not satisfy the equation.\n\n\\boxed{5}"),
        ("xval", "\\boxed{5}\n\n5 does not satisfy the equation."),
        ("prob", "The probability is 1/2.\n\n\\boxed{\\frac{5}{14}}"),
        ("prob", "So the probability that both are red is 3/14.\n\n\\boxed{\\frac{5}{14}}"),
        ("lt", "Kind folks are miserable.\n\nAnswer: True"),
        ("lt", "Alex is exempt from the rule.\n\nAnswer: True"),
        ("lt", "This rule doesn't cover Alex.\n\nAnswer: True"),
        ("lt", "Kind means sad.\n\nAnswer: True"),
        ("lt", "Being kind makes one unhappy.\n\nAnswer: True"),
        ("lt", "Whoever is kind is not happy.\n\nAnswer: True"),
        ("lt", "The premises contradict each other.\n\nAnswer: True"),
        ("lt", "Nobody is happy.\n\nAnswer: True"),
        ("lt", "Those who are kind are sad.\n\nAnswer: True"),
        ("lt", "If someone is kind, then they are sad.\n\nAnswer: True"),
        ("mz", "The path turns left twice.\n\n\\boxed{2}"),
        ("mz", "\\boxed{2}\n\nIt turns left, then left again."),
        ("mz", "First left, then left.\n\n\\boxed{2}"),
        ("mz", "\\boxed{2}\n\nMoves: left, left, down"),
        ("mz", "The sequence is LEFT → LEFT → DOWN.\n\n\\boxed{2}"),
        ("g", "One way to get 25 is this:\n\n\\boxed{(7 - 8/8) * 4}"),
        ("g", "This makes 28:\n\n\\boxed{(7 - 8/8) * 4}"),
        ("g", "An expression equal to 28 is \\boxed{(7 - 8/8) * 4}."),
        ("g", "\\boxed{(7 - 8/8) * 4}\n\nThis equals 28."),
        ("lt", "I did a magic trick.\n\nAnswer: True"),
        ("lt", "I consulted an oracle.\n\nAnswer: True"),
        ("lt", "I read tea leaves.\n\nAnswer: True"),
        ("lt", "I found it on the web.\n\nAnswer: True"),
        ("lt", "Is Ben happy?\n\nAnswer: True"),
        ("mz", "How many left turns are there?\n\n\\boxed{2}"),
        ("mz", "**Left turns:**\n\n\\boxed{2}"),
        ("mp", "In which direction is The Bank relative to The Cafe?\n\nAnswer: Northeast"),
        ("mp", "### The Zoo relative to the Bank\n\nAnswer: Northeast"),
    ],
)
def test_contradicted_in_other_words(name: str, reply: str) -> None:
    assert is_right(name, reply) is not True


OPTIONS = "Who is Ann to Bob? Select: 1. Ann is Bob's aunt. 2. Ann is Bob's niece. Give the number."


@pytest.mark.parametrize(
    ("said", "goes"),
    [
        ("option 1", True),
        ("option 1: Ann is Bob's aunt", True),
        ("1. Ann is Bob's aunt.", True),
        ("option 2", False),
        ("option 1: Ann is Bob's sister", False),
        ("1 meter", False),
    ],
)
def test_an_option_by_its_number(said: str, goes: bool) -> None:
    math = domains.get("math")
    answer = math.answer(f"The answer is {said}.\n\n\\boxed{{1}}")
    problem = math.parse(OPTIONS)
    assert (answer is not None and math.normalise(problem, answer) is not None) is goes
