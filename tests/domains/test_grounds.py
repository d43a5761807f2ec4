"""The grounds on which a text states its answer: what they contradict does not pass."""

from __future__ import annotations

import pytest
from injection import domain_called

from agentflow.domains.answers import conclusions

_MAZE = "#####\n#SX #\n##X##\n#EX #\n#####\n"
_MAP = (
    "The Bank is in the map. The Cafe is to the Northeast of The Bank. "
    "The Inn is to the Southeast of The Bank. "
)
PROBLEMS = {
    "turns": ("maze", f"{_MAZE}How many right turns are there?\nA. 4\nB. 2\nC. 0\nD. 3"),
    "below": ("maze", f"{_MAZE}Is E directly below S?\nA. Yes\nB. No"),
    "direction": (
        "spatialmap",
        f"{_MAP}In which direction is The Cafe relative to The Bank?\nA. Northeast\nB. Southwest",
    ),
    "many": (
        "spatialmap",
        f"{_MAP}How many objects are in the Northeast of The Bank?\nA. 1\nB. 2\nC. 0",
    ),
    "happy": ("logic", "Alex is kind. All kind people are happy. Conclusion: Alex is happy."),
}


async def ok(name: str, text: str) -> bool | None:
    """What the final check says of a text; None also where it states no answer."""
    called, asked = PROBLEMS[name]
    domain = domain_called(called)
    problem = domain.parse(asked)
    answer = domain.answer(text)
    return None if answer is None else (await domain.verify_answer(problem, answer)).ok


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("turns", "There are 2 right turns. So the answer is B."),
        ("turns", "The path has 0 left turns and 2 right turns.\n\n\\boxed{B}"),
        ("turns", "I count 2 turns. The answer is B."),
        ("turns", "So 2 right turns → **B**"),
        ("turns", "There are 2 turns in all: 2 right, 0 left. The answer is B."),
        ("turns", "1. \\boxed{B}"),
        ("happy", "The conclusion is true.\n\nAnswer: True"),
        ("below", "E is directly below S, so the answer is A."),
        ("direction", "The Cafe is Northeast of the Bank, so the answer is A."),
        ("direction", "The Inn is Southeast of the Bank. So the answer is A."),
        ("direction", "The answer is Northeast.\n\n\\boxed{A}"),
        ("direction", "The Cafe is to the Northeast of The Bank.\n\n\\boxed{A}"),
        ("direction", "It is to the Northeast of The Bank.\n\n\\boxed{A}"),
        ("direction", "The direction is Northeast.\n\n\\boxed{A}"),
        ("direction", "Direction: **Northeast**\n\n**Answer: A**"),
        ("direction", "The Inn is Southeast, the Cafe is Northeast.\n\n\\boxed{A}"),
        ("direction", "The Bank is to the Southwest of The Cafe.\n\n\\boxed{A}"),
        ("direction", "The place that we look for is Northeast.\n\n\\boxed{A}"),
        ("many", "1. The Cafe\n\n\\boxed{A}"),
        ("many", "Total: 1\n\n\\boxed{A}"),
        ("many", "There is 1 object in the Northeast of The Bank.\n\n\\boxed{A}"),
        ("many", "The Inn is not to the Northeast of The Cafe.\n\n\\boxed{A}"),
        ("turns", "2\n\nB"),
        ("turns", "Count: 2\n\nAnswer: B"),
        ("turns", "2 right turns + 0 left turns = 2 turns\n\nAnswer: B"),
        ("turns", "The answer is **2** (two right turns)."),
        ("turns", "The correct option is **B** (2)."),
        ("turns", "2 right turns → Option **B**"),
        ("turns", "**B. 2**\n\nThe path has two right turns."),
        ("below", "The exit is directly below the starting point.\n\nA. Yes"),
        ("direction", "The Cafe is to the Northeast of The Bank.\n\nA"),
        ("many", "- The Cafe: northeast\n- The Inn: southeast\n\n\\boxed{A}"),
        ("many", "| Object | Direction |\n|---|---|\n| The Cafe | Northeast |\n\nAnswer: 1"),
        ("many", "1 object (The Cafe)"),
        ("many", "Answer: 1 (The Cafe)"),
        ("direction", "The Cafe is northeast of The Bank, so A."),
        ("direction", "Answer: A — Northeast"),
        ("direction", "It is to the northeast."),
        ("many", "There is one object northeast of The Bank: The Cafe."),
        ("many", "One object: The Cafe\n\nAnswer: 1"),
        ("happy", "Alex is kind, so Alex is happy. The answer is True."),
        ("happy", "True, because Alex is kind."),
        ("happy", "Suppose Alex is not happy. That is absurd.\nSo the answer is True."),
    ],
)
async def test_right_grounds_bear_an_answer(name: str, text: str) -> None:
    assert await ok(name, text) is True


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("turns", "There are 3 right turns. So the answer is B."),
        ("turns", "There are 2 turns in all: 1 right, 1 left. The answer is B."),
        ("turns", "The path makes three right turns.\n\n\\boxed{B}"),
        ("turns", "The answer is B. There are 3 right turns."),
        ("turns", "There are 4 left turns and 2 right turns, so the answer is B."),
        ("turns", "The answer is 3.\n\n\\boxed{B}"),
        ("turns", "Number of right turns: 3\n\n\\boxed{2}"),
        ("below", "E is not below S, so the answer is A."),
        ("below", "E is directly above S. So the answer is A."),
        ("below", "The answer is No.\n\n\\boxed{A}"),
        ("below", "E is not directly below S.\n\n\\boxed{A}"),
        ("below", "**No**\n\n\\boxed{A}"),
        ("turns", "So 3 right turns → **B**"),
        ("direction", "Counting gives → Southwest.\n\n\\boxed{A}"),
        ("happy", "The conclusion is false.\n\nAnswer: True"),
        ("direction", "Since the Cafe is Southwest of the Bank, the answer is A. Northeast"),
        ("direction", "The answer is A, because the Bank is Northeast of the Cafe."),
        ("direction", "The Inn is to the North of the Bank. So the answer is A."),
        ("direction", "The answer is Southwest.\n\n\\boxed{A}"),
        ("direction", "The Cafe is to the Southwest of The Bank.\n\n\\boxed{A}"),
        ("direction", "The Cafe is not to the Northeast of The Bank.\n\n\\boxed{A}"),
        ("direction", "Southwest.\n\n\\boxed{A}"),
        ("direction", "Direction: **Southwest**\n\n**Answer: A**"),
        ("direction", "The direction is Southwest.\n\n\\boxed{A}"),
        ("direction", "So the Cafe must be Southwest.\n\n\\boxed{A}"),
        ("direction", "The place that we look for is Southwest.\n\n\\boxed{A}"),
        ("many", "Total: 2\n\n\\boxed{A}"),
        ("many", "2 objects\n\n\\boxed{A}"),
        ("many", "So there are 2 objects in the Northeast of The Bank.\n\n\\boxed{A}"),
        ("many", "There are 2 objects in the Northeast.\n\nAnswer: A"),
        ("turns", "1\n\nB"),
        ("turns", "The answer is **2** (one right turn)."),
        ("turns", "The answer is **2** (two left turns)."),
        ("turns", "2 right turns → Option **A**"),
        ("turns", "I counted three right turns.\n\n**B**"),
        ("turns", "No right turns at all.\n\nAnswer: B"),
        ("turns", "Count: 1\n\nAnswer: B"),
        ("turns", "1 right + 2 left = 3\n\nAnswer: B"),
        ("turns", "The path goes right, up, right.\n\nB"),
        ("below", "The exit is not below the starting point.\n\nA. Yes"),
        ("below", "E is higher up than S.\n\nAnswer: A"),
        ("direction", "The Cafe is to the Southwest of The Bank.\n\nA"),
        ("many", "The Inn is to the Northeast of The Bank.\n\nA"),
        ("many", "1. The Inn – northeast\n\nThe answer is **1**."),
        ("many", "| Object | Direction |\n|---|---|\n| The Inn | Northeast |\n\nAnswer: 1"),
        ("many", "The Cafe → NE, The Inn → NE\n\nAnswer: 1"),
        ("many", "- The Cafe: northwest\n- The Inn: southeast\n\n\\boxed{A}"),
        ("many", "One object: The Inn\n\nAnswer: 1"),
        ("many", "1 object (The Inn)"),
        ("many", "Answer: 1 (The Inn)"),
        ("direction", "The Cafe is southwest of The Bank, so A."),
        ("direction", "Answer: A — Southwest"),
        ("direction", "It is not to the northeast."),
        ("happy", "The answer is True, because Alex is not happy."),
        ("happy", "True, because Alex is not happy."),
        ("happy", "Alex is not kind.\n\n\\boxed{True}"),
    ],
)
async def test_an_answer_against_its_grounds_does_not_pass(name: str, text: str) -> None:
    assert await ok(name, text) is None


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("turns", "B (given: it is wrong)"),
        ("direction", "A (given: it is wrong)"),
        ("happy", "True (given: it is wrong)"),
    ],
)
async def test_grounds_that_are_not_understood_bear_nothing(name: str, answer: str) -> None:
    called, asked = PROBLEMS[name]
    domain = domain_called(called)
    problem = domain.parse(asked)
    assert (await domain.verify_answer(problem, answer)).ok is None
    assert await ok(name, f"\\boxed{{{answer}}}") is None


async def test_a_wrong_answer_is_refuted_whatever_its_grounds() -> None:
    assert await ok("turns", "There are 3 right turns. So the answer is D.") is False
    assert await ok("direction", "The Cafe is Southwest of the Bank, so the answer is B.") is False
    assert await ok("turns", "There are 2 right turns. So the answer is D.") is None


def test_an_answer_and_its_grounds_are_parted_again() -> None:
    answer = conclusions.grounded("B", ["2 right turns", "0 left turns", "2 right turns"])
    assert answer == "B (given: 2 right turns; 0 left turns)"
    assert conclusions.parted(answer) == ("B", ["2 right turns", "0 left turns"])
    assert conclusions.grounded("B", []) == "B"
    assert conclusions.parted("B (2)") == ("B (2)", [])


@pytest.mark.parametrize("name", ["maze", "spatialmap", "logic"])
def test_people_are_given_the_answer_without_its_grounds(name: str) -> None:
    domain = domain_called(name)
    assert domain.shown(conclusions.grounded("B", ["3 right turns", "Pier"])) == "B"
    assert domain.shown("B (3 right turns)") == "B (3 right turns)"
