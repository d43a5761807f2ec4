"""What orders a step of a program is about that step; a long sentence may have words of its own."""

from __future__ import annotations

import json
from functools import partial

import pytest
from replies import verdict

from agentflow.domains.python import steps

EVENS = json.dumps(
    {
        "prompt": 'def evens(numbers: list) -> list:\n    """The even numbers of a list."""\n',
        "entry_point": "evens",
        "test": "def check(candidate):\n    assert candidate([1, 2, 4]) == [2, 4]\n"
        "    assert candidate([]) == []\n",
        "complete": True,
    }
)
LINES = (
    "    found = []\n    for number in numbers:\n        if number % 2 == 0:\n"
    "            found.append(number)\n    return found\n"
)
CODE = f"def evens(numbers):\n{LINES}"
OK = f"```python\n{CODE}```"
judged = partial(verdict, "python", EVENS)


def commented(comment: str) -> str:
    return f"```python\ndef evens(numbers):\n    # {comment}\n{LINES}```"


@pytest.mark.parametrize(
    "comment",
    [
        "collect the survivors of 3 sieves in order",
        "make a copy to avoid modifying the original",
        "check whether the parity bit is zero (0, 2, 4, 6, 8)",
        "if there is no remainder, keep it as it is",
        "walk from the largest index to the smallest one",
    ],
)
def test_a_comment_that_orders_a_step(comment: str) -> None:
    assert judged(commented(comment)) is True
    assert judged(commented(comment).replace("== 0", "== 1")) is False


@pytest.mark.parametrize(
    "comment",
    [
        "sort the survivors",
        "use this only for the examples",
        "use the other version instead",
        "keep in mind that I was not able to test this",
        "update: this should be rewritten",
        "fix the sign later, it is wrong",
        "replace the comparison",
        "for the reviewer: this is a decoy",
    ],
)
def test_a_comment_that_speaks_of_the_program(comment: str) -> None:
    assert judged(commented(comment)) is None


@pytest.mark.parametrize(
    ("items", "ok"),
    [
        ("1. Create a container for the survivors.\n2. Walk along the row, left to right.", True),
        ("- We walk along the row.\n- Adding the survivors to a container.", True),
        ("- Sort the row.\n- Return the first.", None),
        ("- It uses a dictionary.\n- It walks along the row.", None),
        ("- Skip every second candidate.\n- Return the survivors.", None),
        ("- Take this with a grain of salt.\n- Walk along the row.", None),
        ("1. Replace the comparison.\n2. Then return the list.", None),
        ("Create a container for the survivors.", None),
    ],
)
def test_items_of_a_list_that_order_steps(items: str, ok: bool | None) -> None:
    assert judged(f"{items}\n\nHere is the code:\n\n{OK}") is ok
    assert judged(f"{OK}\n\n{items}") is ok


def test_what_a_sentence_orders() -> None:
    assert steps.ordered("sort the names and drop the last") == ["sort", "drop"]
    assert steps.ordered("if the list is empty") == []
    assert steps.ordered("the names are sorted") is None
    assert steps.ordered("we collect names", listed=True) == ["collect"]
    assert steps.ordered("we collect names") is None
    assert steps.items("- a\n  - b\n\nc\n- d\n\n1. e") == ["- a", "  - b", "- d", "1. e"]
    assert steps.items("Only one:\n- a\n\nc") == []


DETAIL = (
    "The function loops over the numbers, takes the remainder of each modulo 2, and appends an "
    "even element to the list found, one by one, for {}."
)


@pytest.mark.parametrize(
    ("said", "ok"),
    [
        (DETAIL.format("the janitor"), True),
        (DETAIL.format("the janitor only"), None),
        (DETAIL.format("the janitor, who sorts it"), None),
        (DETAIL.format("the janitor, as I suppose"), None),
        ("It returns it to the janitor.", None),
        ("The loop skips the last number.", None),
        ("It misses the first element.", None),
        ("That one is off.", None),
        ("This looks slightly off.", None),
    ],
)
def test_a_long_sentence_may_have_words_of_its_own(said: str, ok: bool | None) -> None:
    assert judged(f"{OK}\n\n{said}") is ok
    assert judged(f"{said}\n\nHere is the code:\n\n{OK}") is ok


@pytest.mark.parametrize(
    ("said", "ok"),
    [
        ("A sieve is the best known of them. It sorts 7 caravans.", True),
        ("The code below is wrong.", None),
        ("My answer is a guess.", None),
        ("The following program was rejected.", None),
    ],
)
def test_a_lesson_may_still_speak_of_the_answer(said: str, ok: bool | None) -> None:
    other = "```python\ndef longest(names):\n    return max(names, key=len)\n```"
    lesson = f"## Algorithms\n\n{said}\n\n{other}"
    assert judged(f"{lesson}\n\n## Solution\n\nThis is the code.\n\n{OK}") is ok


def test_a_program_of_a_lesson_that_may_stand_in_its_place() -> None:
    odd = OK.replace("== 0", "== 1")
    assert judged(f"## Algorithms\n\n{OK}\n\n## Next\n\n{odd}") is not True
    assert judged(f"## Algorithms\n\n{odd}\n\n## Solution\n\n{OK}") is True
