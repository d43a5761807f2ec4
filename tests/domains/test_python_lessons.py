"""A lesson in front of a program is not about it; what names the task is no fault of a program."""

from __future__ import annotations

import json
from functools import partial

import pytest
from replies import verdict

from agentflow.domains.python import remarks, sections, vocabulary

TASK = json.dumps(
    {
        "prompt": 'def total(row):\n    """The sum of a list."""\n',
        "entry_point": "total",
        "test": "def check(candidate):\n    assert candidate([1, 2]) == 3\n",
        "complete": True,
    }
)
CODE = "```python\ndef total(row):\n    return sum(row)\n```"
OTHER = "```python\ndef longest(names):\n    return max(names, key=len)\n```"
judged = partial(verdict, "python", TASK)


@pytest.mark.parametrize(
    "heading", ["## Tutorial", "### 2. Example Problems:", "## Background on caches", "# Concepts"]
)
def test_a_lesson_is_not_about_the_program(heading: str) -> None:
    level = heading.partition(" ")[0]
    lesson = f"{heading}\n\nSorting 7 caravans never fails.\n\n{level}# One\n\nFlip it.\n\n{OTHER}"
    assert judged(f"{lesson}\n\n{level} Solution\n\nIt adds the numbers.\n\n{CODE}") is True
    assert judged(f"{lesson}\n\n{level} Solution\n\nIt sorts 7 caravans.\n\n{CODE}") is None
    assert judged(f"{level} Solution\n\nIt sorts 7 caravans.\n\n{CODE}") is None


def test_which_sections_are_about_the_program() -> None:
    text = "Before.\n\n## Tutorial\n\nA\n\n### Part\n\nB\n\n## Approach\n\nC\n"
    assert sections.about(text) == "Before.\n\n## Approach\n\nC\n"
    assert sections.about("```\n# Tutorial\n```\nA\n") == "```\n# Tutorial\n```\nA\n"
    assert sections.about("## Explanation\n\nA\n") == "## Explanation\n\nA\n"


@pytest.mark.parametrize(
    ("said", "against"),
    [
        ("the core concept used to solve this problem is addition.", False),
        ("this problem is a classic example of a sum.", False),
        ("the problem is to add the numbers.", False),
        ("the problem is that it ends early.", True),
        ("this problem is in the loop.", True),
        ("the problem with this loop is its bound.", True),
    ],
)
def test_a_problem_is_a_task_or_a_fault(said: str, against: bool) -> None:
    assert remarks.against(said) is against


@pytest.mark.parametrize(
    ("above", "denied"),
    [
        ("Here is the Python 3 code that adds the numbers of a given list:", False),
        ("Here is a function for the given problem:", False),
        ("# Python3 code to solve the original problem:", False),
        ("Here is the given code:", True),
        ("Here is the original, slow function:", True),
        ("Here is the original:", True),
    ],
)
def test_a_given_problem_is_no_given_program(above: str, denied: bool) -> None:
    assert remarks.denied(above) is denied


@pytest.mark.parametrize(
    ("code", "said", "other"),
    [
        ("def f(a):\n    a[0], a[1] = a[1], a[0]", "swap values", "sort values"),
        ("def f(a):\n    return round(a)", "round to the nearest integer", "cube the integer"),
        ("def f(a):\n    return bin(a)[2:]", "remove the '0b' prefix", "reverse the prefix"),
        (
            "def f(n):\n    return [i for i in range(n, 0, -1)]",
            "go backward from the end",
            "multiply from the end",
        ),
        ("def f(a):\n    return a % 3", "divided by 3", "cube it by 3"),
    ],
)
def test_words_for_what_a_program_does(code: str, said: str, other: str) -> None:
    assert not vocabulary.strange(said, code, "f", inside=True)
    assert vocabulary.strange(other, code, "f", inside=True)
