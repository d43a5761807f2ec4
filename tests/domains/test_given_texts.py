"""What a reply says of a text that it was given, and of what a thing in question is."""

import pytest

from agentflow import domains

DOMAIN = domains.get("commonsense")
PROBLEM = DOMAIN.parse("Which river runs through the town where the poet Ada Ferrow was born?")
KIN = DOMAIN.parse("Ida took her son Bo to see Ulf. Question: How is Ulf related to Bo?")


def read(text: str, problem=PROBLEM) -> str | None:
    answer = DOMAIN.answer(text)
    return None if answer is None else DOMAIN.normalise(problem, answer)


@pytest.mark.parametrize(
    "text",
    [
        "The generated reasoning contains a clear answer. Here it is:\n\nSo the answer is: the Irn",
        "The given passage does not contain a clear answer. Let's work from the paragraphs:\n\n"
        "1. Ada Ferrow was born in Irnmouth.\n\nSo the answer is: the Irn",
        "The town in question is Irnmouth, where Ada Ferrow was born.\n\nAnswer: the Irn",
        "The question refers to Ada Ferrow, who was born in Irnmouth.\n\nAnswer: the Irn",
    ],
)
def test_a_text_that_was_given_leaves_the_answer(text):
    assert read(text) == "irn"


@pytest.mark.parametrize(
    "text",
    [
        "The given passage does not contain a clear answer.\n\nSo the answer is: the Irn",
        "The given passage does not contain a clear answer. I made it up.\n\nAnswer: the Irn",
        "The given passage contains a wrong answer.\n\nSo the answer is: the Irn",
    ],
)
def test_a_text_without_an_answer_leaves_it_open(text):
    assert read(text) is None


def test_the_number_of_a_question_in_a_list_is_none_of_its_words():
    steps = "1. Who is Ulf?\nUlf is Ida's brother.\n2. Final answer: How is Ulf related to Bo?\n"
    assert read(f"{steps}Ulf is Bo's uncle.", KIN) == "uncle"
    other = "1. Who is Ulf?\nUlf is Ida's brother.\n2. Final answer: How is Ann related to Bo?\n"
    assert read(f"{other}Ann is Bo's aunt.", KIN) is None
