"""Open questions: which texts are answers to them."""

from __future__ import annotations

import pytest
from counting import is_linear
from replies import equal

from agentflow import domains

CLOSE = "Close the brackets: < [ ("


@pytest.mark.parametrize(("said", "right"), [(") ] >", True), (") > ]", False), ("...", None)])
def test_brackets_may_be_an_answer(said: str, right: bool | None) -> None:
    assert equal("open", CLOSE, f"So the answer is {said}", ") ] >") is right


@pytest.mark.parametrize("said", ["(B)", "Ann Lee", "7.5 km", "no"])
def test_a_word_or_a_number_may_be_all_of_a_reply(said: str) -> None:
    assert equal("open", "What is it?", said, said) is True


@pytest.mark.parametrize(
    "said", ["Let me think", "We look at the map.", "(B)?", "First line\n\nAnn"]
)
def test_what_is_no_answer_by_itself(said: str) -> None:
    assert equal("open", "What is it?", said, said) is None


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("Choice: B", True),
        ("The answer is option: B", True),
        ("The answer is choice (A)", False),
        ("The answer is certainly-B", None),
        ("The answer is 选的B", None),
        ("The answer is Oslo", True),
    ],
)
def test_an_option_in_words_that_are_not_read_is_undecided(said: str, right: bool | None) -> None:
    assert equal("open", "Which is a capital?\nA. Graz\nB. Oslo", said, "B") is right


SORT = "Sort the following words: pear fig quince"


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("fig pear quince", True),
        ("fig pear", None),
        ("fig pear quince, I guess", None),
        ("not fig pear quince", None),
    ],
)
def test_words_of_the_question_may_be_all_of_a_reply(said: str, right: bool | None) -> None:
    assert equal("open", SORT, said, "fig pear quince") is right


ARGUED = "Is the argument valid or invalid?\nOptions:\n- valid\n- invalid"


@pytest.mark.parametrize(
    ("question", "said", "right"),
    [
        (ARGUED, "It follows from the first line. So the answer is valid.", True),
        (ARGUED, "It follows from nothing. So the answer is correct.", None),
        (ARGUED, "So the answer is valid. But we may have erred.", None),
        ("Is the argument valid or invalid?", "It follows. So the answer is valid.", None),
    ],
)
def test_a_word_that_may_judge_an_answer_is_one_where_it_is_an_option(
    question: str, said: str, right: bool | None
) -> None:
    assert equal("open", question, said, "valid") is right


@pytest.mark.parametrize("piece", [" \n", "So ", "The answer is a.\n"])
def test_long_texts_are_read_in_linear_time(piece: str) -> None:
    domain = domains.get("open")
    is_linear(lambda size: domain.answer(piece * size), size=100)
