from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow import domains
from agentflow.domains import choices
from agentflow.errors import BadInput

FOUR = {"A": "4", "B": "8", "C": "2", "D": "7"}


@pytest.mark.parametrize(
    "text",
    [
        "Q? Options: A. 4, B. 8, C. 2, D. 7",
        "Q?\nAvailable options:\nA. 4\nB. 8\nC. 2\nD. 7\n",
        "Q? Available options: A. 4 | B. 8 | C. 2 | D. 7",
        "Q?\nA. 4\nB. 8\nC. 2\nD. 7\n\nGive the letter.",
        "Q?\n(A) 4 (B) 8 (C) 2 (D) 7",
        "Q?\nA) 4; B) 8; C) 2; D) 7",
    ],
)
def test_options_are_read(text: str) -> None:
    before, options, _ = choices.parts(text)
    assert options == FOUR
    assert before.strip() == "Q?"


def test_an_option_may_be_a_name_with_points_and_commas() -> None:
    text = "Which?\nOptions:\nA. Art Supplies\nB. B. Bob's, Inc.\nC. Mr. C. Crow"
    assert choices.parts(text)[1] == {
        "A": "Art Supplies",
        "B": "B. Bob's, Inc.",
        "C": "Mr. C. Crow",
    }


@pytest.mark.parametrize(
    ("text", "around"),
    [
        ("Q?\nA. 4\nB. 8\nC. 2\nD. 7\n\nGive the letter.", "Give the letter."),
        ("Q? Options: one too high: A. 4 B. 8 C. 2 D. 7", "one too high:"),
        ("Q? Options:\nA. 4\nor less\nB. 8\nC. 2\nD. 7", "or less"),
        ("Q?\nA. 4\nB. 8\nC. 2\nD. 7", ""),
    ],
)
def test_what_the_options_do_not_take_up_is_told(text: str, around: str) -> None:
    before, options, rest = choices.parts(text)
    assert (before.strip(), options, rest.strip()) == ("Q?", FOUR, around)


def test_a_heading_without_options_hides_nothing() -> None:
    assert choices.parts("Q? Options: none.") == ("Q? ", {}, "none.")


def test_a_text_without_options() -> None:
    assert choices.parts("How many? A lot.") == ("How many? A lot.", {}, "")


@pytest.mark.parametrize(
    ("text", "says"),
    [("Options: A. 4, B. , C. 2", "option B is empty"), ("Options: A. No, B. no", "there twice")],
)
def test_bad_options(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        choices.parts(text)


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        ("C", ("2", "")),
        ("c", ("2", "")),
        ("(C)", ("2", "")),
        ("C. 2", ("2", "2")),
        ("C) 2", ("2", "2")),
        ("Option C: 2", ("2", "2")),
        ("2 (C)", ("2", "2")),
        ("2 (option C)", ("2", "2")),
        ("2, (C)", ("2", "2")),
        ("C or D", ("2", "or D")),
        ("Z", (None, "Z")),
        ("2", (None, "2")),
        ("Can't say", (None, "Can't say")),
        ("", (None, "")),
    ],
)
def test_an_answer_names_an_option(answer: str, named: tuple[str | None, str]) -> None:
    assert choices.named(answer, FOUR) == named


@given(st.text("ABCabc.():,;| \n12Options", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    choices.named(text, FOUR)
    try:
        before, options, _ = choices.parts(text)
    except BadInput:
        return
    assert text.startswith(before)
    assert all(value and value in text for value in options.values())


MAZE = "#####\n#SX #\n##X##\n#EX #\n#####\nHow many right turns are in the path from S to E?\n"
MAP = "The Bank is in the map. The Cafe is to the Northeast of The Bank. "
WHERE = f"{MAP}In which direction is The Cafe relative to The Bank?\n"
WHICH = f"{MAP}Which object is in the Northeast of The Bank?\n"


@pytest.mark.parametrize(
    ("domain", "problem", "letter", "ok"),
    [
        ("maze", f"{MAZE}A. 0\nB. 1\nC. 2\nD. None of the above", "C", True),
        ("maze", f"{MAZE}A. 0\nB. 1\nC. 2\nD. None of the above", "B", False),
        ("maze", f"{MAZE}A. 0\nB. 1\nC. 2\nD. None of the above", "D", None),
        ("maze", f"{MAZE}A. None of these\nB. 2\nC. 3", "B", True),
        ("maze", f"{MAZE}A. None of these\nB. 2\nC. 3", "A", None),
        ("spatialmap", f"{WHERE}A. Northeast\nB. Southwest\nC. None", "A", True),
        ("spatialmap", f"{WHERE}A. Northeast\nB. Southwest\nC. None", "B", False),
        ("spatialmap", f"{WHERE}A. Northeast\nB. Southwest\nC. None", "C", None),
        ("spatialmap", f"{WHICH}A. The Cafe\nB. The Bank\nC. None of them", "A", True),
        ("spatialmap", f"{WHICH}A. The Cafe\nB. The Bank\nC. None of them", "C", None),
    ],
)
async def test_an_option_that_says_none(
    domain: str, problem: str, letter: str, ok: bool | None
) -> None:
    of = domains.get(domain)
    said = of.answer(f"\\boxed{{{letter}}}")
    assert said is not None
    assert (await of.verify_answer(of.parse(problem), said)).ok is ok


@pytest.mark.parametrize(
    ("domain", "problem"),
    [
        ("maze", f"{MAZE}A. 0\nB. 1\nC. None of the above"),
        ("maze", f"{MAZE}A. 2\nB. 1\nC. None of your business"),
        ("spatialmap", f"{WHERE}A. Northwest\nB. Southwest\nC. None"),
        ("spatialmap", f"{WHERE}A. Northeast\nB. Southwest\nC. Nonesuch"),
    ],
)
def test_where_none_is_right_nothing_can_be_told(domain: str, problem: str) -> None:
    with pytest.raises(BadInput):
        domains.get(domain).parse(problem)
