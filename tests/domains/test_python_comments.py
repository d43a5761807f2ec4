"""What comments inside a program may say that other sentences may not."""

from __future__ import annotations

import asyncio
import json

import pytest

from agentflow import domains

PYTHON = domains.get("python")
STUB = (
    'def area(a, b, c):\n    """The area of a triangle with these sides.\n'
    '    Sides without a triangle give -1.\n    """\n'
)
TEST = (
    "def check(candidate):\n    assert abs(candidate(3, 4, 5) - 6) < 0.001\n"
    "    assert candidate(1, 2, 10) == -1\n"
)
ROW = {"prompt": STUB, "entry_point": "area", "test": TEST, "complete": True}


def verdict(code: str) -> bool | None:
    problem = PYTHON.parse(json.dumps(ROW))
    answer = PYTHON.answer(code)
    return answer and asyncio.run(PYTHON.verify_answer(problem, answer)).ok


def program(comment: str, wrong: str = "") -> str:
    return (
        "def area(a, b, c):\n    if a + b <= c or a + c <= b or b + c <= a:\n        return -1\n"
        f"    # {comment}\n    s = (a + b + c) / 2\n"
        f"    return (s * (s - a) * (s - b) * (s - c)) ** 0.5{wrong}\n"
    )


@pytest.mark.parametrize(
    "comment",
    [
        "Calculate the semi-perimeter",
        "Heron's formula, via the semiperimeter",
        "Apply the classical theorem of Heron of Alexandria",
        "Here the geometry is legitimate",
        "Find the semi-perimeter for Heron",
        "Sides without a triangle give -1.",
    ],
)
def test_a_comment_may_have_words_of_its_subject(comment: str) -> None:
    assert verdict(program(comment)) is True
    assert verdict(f"```python\n{program(comment)}```") is True
    assert verdict(program(comment, " + 1")) is False


@pytest.mark.parametrize(
    "comment",
    [
        "This multiplies the sides",
        "Returns the circumference",
        "The function computes the circumference",
        "It gives the median",
        "narrowest first",
        "Wrong: the semi-perimeter is missing",
        "TODO: use the semi-perimeter",
        "The sides are not added",
        "Never divide",
        "Sort the semi-perimeters",
        "The semi-perimeter has 7 parts",
        "I am not sure about Heron",
        "The prettiest semi-perimeter",
    ],
)
def test_a_comment_that_tells_what_a_program_does_is_looked_at(comment: str) -> None:
    assert verdict(program(comment)) is None
    assert verdict(program(comment, " + 1")) is not True


def test_a_sentence_around_a_program_is_still_read_to_its_last_word() -> None:
    assert verdict(f"```python\n{program('')}```\nIt uses the semi-perimeter.") is None


def test_a_docstring_that_says_the_task_again_with_more_around_it() -> None:
    said = '    """Returns the area.\n\n    Sides without a triangle give -1.\n    """\n'
    code = program("").replace("    if a + b", f"{said}    if a + b", 1)
    assert verdict(code) is True
    assert verdict(code.replace("give -1", "are not added")) is None


TWICE = 'def twice(text):\n    """The text two times.\n\n    >>> twice("ab")\n    "aabb"\n    """\n'
TWICE_ROW = {
    "prompt": TWICE,
    "entry_point": "twice",
    "test": "def check(candidate):\n    assert candidate('ab') == 'abab'\n",
    "complete": True,
}


def of_twice(code: str, **fields: str) -> bool | None:
    problem = PYTHON.parse(json.dumps(TWICE_ROW | fields))
    answer = PYTHON.answer(code)
    return answer and asyncio.run(PYTHON.verify_answer(problem, answer)).ok


@pytest.mark.parametrize("comment", ["base case", "Case 4: a base case"])
def test_a_docstring_with_a_line_break_in_an_example_is_said_again(comment: str) -> None:
    stub = TWICE.replace('twice("ab")\n    "aabb"', 'twice("a\\nx9y")')
    code = f"{stub.replace('two times.', 'two times, twice.')}    # {comment}\n    s = text\n"
    assert of_twice(f"{code}    return s + s\n", prompt=stub) is True
    assert of_twice(f"{code}    return s\n", prompt=stub) is False
