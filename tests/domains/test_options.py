"""Multiple choice in free questions: an option by its letter, with its text, and by its text."""

from __future__ import annotations

import asyncio

import pytest
from replies import equal

from agentflow import domains
from agentflow.domains import answers

CAPITAL = "What is the capital of Peru?\nA. Rome\nB. Oslo\nC. Lima\nD. Lima Norte\nE. 4 towns"
TWICE = "Which remark is meant well?\nOptions:\n(A) You did fine\n(B) You did fine\n(C) Go away"
HALF = "What is $1/4 + 1/4$?\nOptions:\n(A) $\\frac{1}{3}$\n(B) $\\frac{1}{2}$\n(C) No number"
BOTH = pytest.mark.parametrize("domain", ["math", "commonsense", "open"])


@BOTH
@pytest.mark.parametrize(
    "said",
    ["C", "(c)", "Option C", "C. Lima", "(C) Lima", "Lima (C)", "Lima", "\\text{(C) Lima}"],
)
def test_an_option_is_named_in_one_way_or_another(domain: str, said: str) -> None:
    for gold in ("C", "(C)", "C. Lima", "Lima"):
        assert equal(domain, CAPITAL, f"The answer is {said}.", gold) is True
        assert equal(domain, CAPITAL, f"The answer is {said}.", "B") is False


@BOTH
@pytest.mark.parametrize(
    "said",
    [
        *(
            "(A) or (C)",
            "(C) or (A)",
            "(A) and (C)",
            "A or C",
            "(A) (C)",
            "A and C",
            "A, C",
            "A & C",
        ),
        *("(C) or the other", "(C) only", "(C) xor (A)", "(C) Oslo", "(C) is wrong", "Lima (A)"),
        *("Both (A) and (C)", "(C) Lima or (A)", "(E) 5 towns", "C/A", "C A"),
    ],
)
def test_what_names_two_options_or_another_text_is_none(domain: str, said: str) -> None:
    for gold in ("A", "(C)", "Lima", "E"):
        assert equal(domain, CAPITAL, f"\\boxed{{{said}}}", gold) is not True
    own = said[1:2] if said.startswith("(") else said[:1]
    assert equal(domain, CAPITAL, f"So the answer is {said}.", own) is not True


@BOTH
def test_of_two_options_that_say_the_same_the_letter_counts(domain: str) -> None:
    assert equal(domain, TWICE, "The answer is (B).", "(A)") is False
    assert equal(domain, TWICE, "The answer is (B) You did fine.", "(B)") is True
    assert equal(domain, TWICE, "The answer is (B) You did fine.", "(A)") is False
    assert equal(domain, TWICE, "The answer is: You did fine.", "(A)") is not True


@BOTH
def test_a_letter_may_be_an_article(domain: str) -> None:
    asked = "What is it?\nOptions:\n(A) a tern\n(B) a dog\n(C) an otter"
    for said in ("a dog", "A dog", "(B) a dog", "B. a dog"):
        assert equal(domain, asked, f"\\boxed{{{said}}}", "B") is True
        assert equal(domain, asked, f"\\boxed{{{said}}}", "A") is False


@BOTH
def test_a_letter_alone_is_that_of_an_option(domain: str) -> None:
    asked = "Which vitamin?\nOptions:\n(A) B\n(B) C\n(C) K"
    for said in ("C", "(C)", "(C) K"):
        assert equal(domain, asked, f"\\boxed{{{said}}}", "(C)") is True
        assert equal(domain, asked, f"\\boxed{{{said}}}", "(B)") is False


@pytest.mark.parametrize(("one", "other"), [("G", "M"), ("M", "A"), ("K", "L"), ("A", "B")])
def test_two_letters_rival_each_other(one: str, other: str) -> None:
    assert answers.stated(f"The answer is ({one}). So the answer is ({other}).") is None
    assert answers.stated(f"The answer is ({one}). So the answer is ({one}).") == f"({one})"


def test_a_number_beside_a_letter_is_that_of_the_option() -> None:
    assert equal("math", HALF, "The answer is (B) 0.5.", "(B)") is True
    assert equal("math", HALF, "The answer is (B) 1/3.", "(B)") is None
    assert equal("math", HALF, "The answer is (B) \\frac{1}{2}.", "\\frac12") is True


def test_yes_and_no_may_be_options() -> None:
    question = "Did the Otter Bridge stand in 1900?\nA. Yes\nB. No"
    for said in ("A", "(A)", "A. Yes", "Yes", "Yes (A)"):
        assert equal("commonsense", question, f"Answer: {said}", "yes") is True
        assert equal("commonsense", question, f"Answer: {said}", "B") is False
    assert equal("commonsense", question, "Answer: A. No", "A") is None


@pytest.mark.parametrize(
    "question",
    [
        "May 6, 1992 was two days ago. What is the date today?",
        "May 6, 1992 was two days ago. What is the date today?\nA. 05/08/1992\nB. 05/04/1992",
        "Is it an otter or a tern?\nA. An otter\nB. A tern",
        "Can you say which it is?\nA. An otter\nB. A tern",
    ],
)
def test_no_question_for_yes_or_no(question: str) -> None:
    assert domains.get("commonsense").parse(question).data["form"] == "short"


@pytest.mark.parametrize("opens", ["(C) Lima", "C) Lima", "**(C) Lima**"])
def test_a_reply_may_open_with_an_option(opens: str) -> None:
    reply = f"{opens}\n\nLima is the capital of Peru."
    assert equal("commonsense", CAPITAL, reply, "C") is True
    assert equal("commonsense", CAPITAL, reply, "B") is False
    other = f"{opens}\n\nThe answer is (A)."
    assert equal("commonsense", CAPITAL, other, "C") is not True


def test_a_reason_is_no_answer() -> None:
    reply = "Lima\n\nBecause the president lives there."
    assert equal("commonsense", "What is the capital of Peru?", reply, "Lima") is not False
    reply = "(C)\n\nBecause the president lives there."
    assert equal("commonsense", CAPITAL, reply, "C") is not False


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("As 7 < 5 is not correct, B is out. The answer is Lima.", True),
        ("As 2 < 6 < 3 is false, B is out. The answer is Lima.", True),
        ("As 2 < 6 < 3 is correct, B is out. The answer is Lima.", None),
        ("As 7 < 5, B is not correct. The answer is Lima.", None),
        ("Ann is 7 years old, and Ben is 9 years old. Ann is older than Cy. Answer: Lima", True),
        ("Ann is 7 years old, and Ben is 9 years old. Ann is older than Ben. Answer: Lima", None),
    ],
)
def test_comparisons_that_are_denied_or_of_a_third(text: str, right: bool | None) -> None:
    commonsense = domains.get("commonsense")
    problem = commonsense.parse("What is the capital of Peru?")
    answer = commonsense.answer(text)
    said = None if answer is None else asyncio.run(commonsense.equal(problem, answer, "Lima"))
    assert said is right


@BOTH
@pytest.mark.parametrize("said", ["C, Lima", "E, 4 towns"])
def test_a_comma_may_part_a_letter_from_its_text(domain: str, said: str) -> None:
    assert equal(domain, CAPITAL, f"The answer is {said}.", said[0]) is True
    assert equal(domain, CAPITAL, f"The answer is {said}.", "A") is False


def test_a_comma_may_part_a_letter_from_its_number() -> None:
    asked = "By how much?\nAnswer Choices: (A) 4% (B) 5% (C) 6%"
    for gold in ("(B)", "5%"):
        assert equal("math", asked, "Answer: B, 5%", gold) is True
    assert equal("math", asked, "Answer: B, 6%", "(B)") is not True


@BOTH
@pytest.mark.parametrize("heading", ["Answer Choices:", "Choices:", "Options:"])
def test_options_may_stand_on_one_line(domain: str, heading: str) -> None:
    asked = f"What do otters eat? {heading} (A) bark (B) fish (C) sand"
    assert equal(domain, asked, "Answer: fish", "B") is True
    assert equal(domain, asked, "Answer: (A) fish", "A") is None
