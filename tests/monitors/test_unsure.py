"""Sentences in which a model is unsure of a word."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.monitors.monitor import Increment
from agentflow.monitors.unsure import Unsure, likely
from agentflow.state import State

Tokens = Sequence[tuple[str, float]]


def read(tokens: Tokens, *, boundary: str = "", known: Sequence[str] = ()) -> list[State]:
    """The states in tokens, each with its probability, to the end of the text."""
    monitor, found, offset = Unsure(0.5, 0.3, frozenset(known)), list[State](), 0
    memory = monitor.start()
    if boundary:
        memory, _ = monitor.feed(memory, Increment("", 0, 0, False, boundary))  # type: ignore[arg-type]
    for text, probability in tokens:
        top = ((text, log(probability)), ("other", log(0.01)))
        memory, states = monitor.feed(memory, Increment(text, offset, 1, False, top=top))
        offset += len(text)
        found += states
    _, states = monitor.feed(memory, Increment("", offset, 0, False, "end"))
    return found + states


LIMA = [("Lima", 0.9), (" is", 0.9), (" big", 0.9), (".", 0.9)]
FOUNDED = [(" It", 0.9), (" was", 0.9), (" founded", 0.4), (" in", 0.9), (" 1553", 0.2), (".", 0.9)]
MORE = [(" More", 0.9), (" text", 0.9), (".", 0.9)]


def test_the_sentence_with_an_unlikely_word_is_named() -> None:
    (state,) = read([*LIMA, *FOUNDED, *MORE])
    assert state.data["sentence"] == "It was founded in 1553."
    assert state.data["least"] == pytest.approx(0.2)
    assert state.data["query"] == "It was founded in ."
    assert (state.start, state.end) == (12, 36)


@pytest.mark.parametrize("end", [[("\n", 0.9)], []])
def test_a_sentence_may_end_with_its_line_or_the_text(end: Tokens) -> None:
    assert len(read([*LIMA, *FOUNDED[:-1], *end])) == 1


def test_a_number_ends_no_sentence() -> None:
    (state,) = read([("It", 0.9), (" is", 0.9), (" 3", 0.9), (".", 0.9), ("5", 0.2), (" m", 0.9)])
    assert state.data["sentence"] == "It is 3.5 m"


def test_what_is_no_word_may_be_unlikely() -> None:
    assert read([("Lima", 0.9), (" -", 0.1), (" is", 0.9), (".", 0.1), (" Big", 0.9)]) == []


def test_without_a_likely_word_all_are_searched_for() -> None:
    (state,) = read([("Lima", 0.2), (" 1535", 0.2), (".", 0.9)])
    assert state.data["query"] == "Lima 1535."


@pytest.mark.parametrize(
    "answer",
    [
        [("Answer", 0.9), (":", 0.9), (" 1553", 0.2)],
        [("So", 0.9), (" the", 0.9), (" answer", 0.9), (" is", 0.9), (" 1553", 0.2), (".", 0.9)],
        [("\\boxed", 0.9), ("{", 0.9), ("1553", 0.2), ("}", 0.9)],
        [("\\boxed", 0.2), ("{", 0.9), ("1553", 0.2), ("}", 0.9)],
    ],
)
def test_the_beginning_of_an_answer_is_not_searched_for(answer: Tokens) -> None:
    assert read([*LIMA, ("\n", 0.9), *answer]) == []


def test_an_answer_of_which_something_is_likely_is() -> None:
    said = [("Answer", 0.9), (":", 0.9), (" founded", 0.9), (" in", 0.9), (" 1553", 0.2)]
    (state,) = read(said)
    assert state.data["query"] == "Answer: founded in"


def test_the_last_sentence_of_a_text_is_told() -> None:
    assert [state.data["last"] for state in read([*FOUNDED, *FOUNDED])] == [False, True]


def test_what_was_searched_for_is_not_again() -> None:
    assert read([*LIMA, *FOUNDED, *MORE], known=["It was founded in ."]) == []


def test_the_first_sentence_behind_what_was_found_stands() -> None:
    assert read([("\n", 0.9), *FOUNDED, *MORE], boundary="feedback") == []
    assert len(read([*FOUNDED, *FOUNDED], boundary="feedback")) == 1


def test_without_alternatives_every_word_is_sure() -> None:
    assert likely(Increment("Lima", 0, 1, False)) == 1.0


def test_a_token_that_was_not_told_is_at_most_as_likely_as_those_that_were() -> None:
    top = (("a", log(0.5)), ("b", log(0.25)))
    assert likely(Increment("c", 0, 1, False, top=top)) == pytest.approx(0.25)


WORDS = st.tuples(st.sampled_from(["a", " b", ".", "! ", "\n", " \n\n", '?" ']), st.floats(0.01, 1))


@given(st.lists(WORDS, max_size=40))
def test_every_state_is_a_stretch_of_the_text_with_an_unlikely_word(tokens: Tokens) -> None:
    text, last = "".join(token for token, _ in tokens), 0
    for state in read(tokens):
        assert last <= state.start < state.end <= len(text)
        assert text[state.start : state.end].strip() == state.data["sentence"]
        assert state.data["least"] < 0.5
        assert state.data["query"]
        last = state.end


def test_a_line_that_begins_within_a_token_has_its_probability() -> None:
    top = (("x", log(0.5)), (".\nSo", log(0.25)), ("y", log(0.1)))
    assert likely(Increment("So", 0, 1, False, top=top)) == pytest.approx(0.25)


def test_a_sentence_without_an_end_is_none() -> None:
    assert [state.start for state in read([(" word", 0.2)] * 1000)] == [4010]  # what is left
