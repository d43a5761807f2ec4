from __future__ import annotations

import string

import pytest
from counting import is_linear
from hypothesis import given
from hypothesis import strategies as st

from agentflow.domains.commonsense.short_answers import normal_form, yes_no


@pytest.mark.parametrize(
    "same",
    [
        ["The Bears", "Bears", "bears.", " the  BEARS! ", "“Bears”"],
        ['Jonny" Craig', "Jonny Craig"],
        ["J. R. R. Tolkien", "J R R Tolkien"],
        ["Anglo-Saxon", "anglo–saxon", "AngloSaxon"],
        ["6", "six", "Six.", "06", "6.0"],
        ["21", "twenty-one", "Twenty One"],
        ["1000", "1,000", "1,000.00"],
        ["-5", "−5", "-5.0", "-5."],
        ["0.5", ".5", "0.50"],
        ["10 January 1920", "January 10, 1920", "Jan. 10th 1920", "1920-01-10"],
        ["the 10th of January, 1920", "10 Jan 1920"],
        ["22 November", "November 22", "Nov 22nd"],
        ["29 February 2000", "2000-02-29"],
        ["3.5 million", "the 3.5 million"],
        ["12,500 people", "12500 people"],
        ["ﬁlm", "film"],
    ],
    ids=lambda same: same[0],
)
def test_spellings_of_one_answer(same: list[str]) -> None:
    assert len({normal_form(text) for text in same}) == 1


@pytest.mark.parametrize(
    "different",
    [
        ["3.5", "35", "-3.5", "5", ".5", "-.5"],
        ["3.5 million", "35 million"],
        ["5 degrees", "-5 degrees"],
        ["10 January 1920", "1 October 1920", "10 January 1921", "10 January", "January 1920"],
        ["1941", "1942", "41"],
        ["1990-1995", "1990", "19901995"],
        ["A", "B", "the"],
        ["World War I", "World War II"],
        ["22 November", "22 November 1761"],
        ["हिन्दी", "हन्द", "हिन्दू"],
        ["30 February 2000", "1 March 2000", "2000-02-29"],
        ["six", "sixty", "sixty-six", "six sixty"],
    ],
    ids=lambda different: different[0],
)
def test_different_answers(different: list[str]) -> None:
    assert len({normal_form(text) for text in different}) == len(different)


@given(st.text(max_size=80) | st.text("0123456789.,-– _ab\"'thes", max_size=20))
def test_any_text_has_a_normal_form(text: str) -> None:
    form = normal_form(text)
    assert form == " ".join(form.split())
    assert normal_form(f' "{text}" ') == form
    if text.isascii():
        assert normal_form(form) == form
        assert normal_form(text.upper()) == form


@given(st.text(string.ascii_letters + " ", max_size=40))
def test_of_plain_words_it_is_the_evaluation_s_own_form(text: str) -> None:
    """Of HotpotQA: lower case, no articles, single spaces; numbers written as words aside."""
    words = [word for word in text.lower().split() if word not in ("a", "an", "the")]
    form = normal_form(text)
    assert form == " ".join(words or text.lower().split()) or form.isdecimal()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        *((yes, "yes") for yes in ("yes", "Yes.", "YES, he did", "True", "**Yes**", "y")),
        *((no, "no") for no in ("no", "No, it is not", "False", "no.", "Nope")),
        *((none, None) for none in ("", "maybe", "yes and no", "I think yes", "nothing", "7")),
    ],
)
def test_yes_and_no(text: str, says: str | None) -> None:
    assert yes_no(text) == says


@pytest.mark.parametrize("piece", ["a", "1,", "- ", "january ", "the "])
def test_long_texts_take_linear_time(piece: str) -> None:
    is_linear(lambda size: (normal_form(piece * size), yes_no(piece * size)))
