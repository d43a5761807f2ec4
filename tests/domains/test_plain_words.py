"""Everyday words claim nothing, in any of their forms; but for those that a domain keeps out."""

from __future__ import annotations

import pytest
from replies import verdict

from agentflow.domains import narration
from agentflow.domains.plain_words import DOUBTS, OF_PLACES, PlainWords
from agentflow.domains.spelling import word_set

WORDS = PlainWords(without=OF_PLACES, also=word_set("corridor"))
MAZE = (
    "#######\n#S###E#\n#X###X#\n#XXX#X#\n###X#X#\n#  XXX#\n#######\n"
    "How many left turns are there in the provided path from S to E?\nA. 3\nB. 1\nC. 5"
)
MAP = (
    "Oak is in the map. Elm is to the Southeast of Oak. "
    "In which direction is Elm relative to Oak?\nA. Southeast\nB. Northeast"
)


@pytest.mark.parametrize("word", ["unfold", "unfolds", "happened", "planning", "verifies"])
def test_a_form_of_a_listed_word_claims_nothing(word: str) -> None:
    assert word in WORDS
    assert word in PlainWords()


@pytest.mark.parametrize("word", ["straight", "nearest", "halves", "looped"])
def test_what_may_claim_something_of_places_is_kept_out(word: str) -> None:
    assert word not in WORDS


@pytest.mark.parametrize("word", ["originally", "sounds", "suggested", "might", "initially"])
def test_what_may_doubt_is_kept_out_where_it_would_change_an_answer(word: str) -> None:
    assert word in PlainWords()
    assert word not in PlainWords(without=DOUBTS)


@pytest.mark.parametrize("told", ["The answer was originally {}.", "It might be {}, it seems."])
@pytest.mark.parametrize(
    ("domain", "problem", "answer"),
    [("math", "What is 17 - 3?", "14"), ("maze", MAZE, "A"), ("spatialmap", MAP, "A")],
)
def test_an_answer_in_such_words_is_none(told: str, domain: str, problem: str, answer: str) -> None:
    assert verdict(domain, problem, told.format(answer)) is None


def test_further_words_count_as_they_stand() -> None:
    assert "corridor" in WORDS
    assert "corridors" not in WORDS


@pytest.mark.parametrize("word", ["not", "never", "no", "wrong", "false", "fewer", "ten"])
def test_no_denial_doubt_or_number_is_among_them(word: str) -> None:
    assert word not in PlainWords()
    assert word not in narration.WORDS


@pytest.mark.parametrize(
    ("told", "ok"),
    [
        ("For convenience, here is how the path unfolds:", True),
        ("The path loops back on itself.", None),
        ("The path is symmetrical.", None),
    ],
)
def test_around_an_answer(told: str, ok: bool | None) -> None:
    assert verdict("maze", MAZE, f"{told}\n\nAnswer: A") is ok
