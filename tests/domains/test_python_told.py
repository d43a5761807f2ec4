"""What is said around a program in words that go neither with it nor with its task is undecided."""

from __future__ import annotations

import asyncio
import json

import pytest

from agentflow import domains
from agentflow.domains.python import complexity, vocabulary

PYTHON = domains.get("python")
TASK = {
    "prompt": "def runs(text: str) -> list:\n"
    '    """The letters of a text, where a letter that follows itself counts once.\n\n'
    "    >>> runs('aab')\n    ['a', 'b']\n    \"\"\"\n",
    "entry_point": "runs",
    "test": "def check(candidate):\n    assert candidate('aab') == ['a', 'b']\n"
    "    assert candidate('') == []\n    assert candidate('aba') == ['a', 'b', 'a']\n",
    "complete": True,
}
CODE = (
    "def runs(text):\n    out = []\n    for letter in text:\n"
    "        if not out or letter != out[-1]:\n            out.append(letter)\n    return out\n"
)
OK = f"```python\n{CODE}```"


def verdict(text: str) -> bool | None:
    answer = PYTHON.answer(text)
    if answer is None:
        return None
    return asyncio.run(PYTHON.verify_answer(PYTHON.parse(json.dumps(TASK)), answer)).ok


@pytest.mark.parametrize(
    "said",
    [
        "The letters are sorted alphabetically.",
        "Capitals count as their small letters.",
        "As the task says, vowels come out twice.",
        "A letter that follows itself is not left out.",
        "The letters of the text are not appended.",
        "It looks at 4 letters at a time.",
        "This runs in O(1) time.",
        "The outcome for the text above has 3 parts.",
        "Input: 'abb'\nOutput: ['b', 'a']",
        "```\n>>> runs('cc')\n['c', 'c']\n```",
        "```\n['x', 'y']\n```",
        "For `'zz'` the answer is ['z', 'z'].",
    ],
)
def test_what_goes_neither_with_the_code_nor_with_the_task(said: str) -> None:
    assert verdict(f"{OK}\n\n{said}") is None
    assert verdict(f"{said}\n\nHere is the code:\n\n{OK}") is None


@pytest.mark.parametrize(
    "said",
    [
        "We go through the text, compare each letter with the last of `out`, and append it.",
        "1. Start with an empty list.\n2. Loop over the letters.\n3. Return the list.",
        "If the list is empty or the letter is not the last one, it is appended.",
        "**Time complexity:** O(n), where n is the length of the text.",
        "```\n>>> runs('cc')\n['c']\n```",
        "No sorting is needed.",
    ],
)
def test_what_goes_with_both(said: str) -> None:
    assert verdict(f"{OK}\n\n{said}") is True


def test_all_of_what_stands_in_front_is_looked_at() -> None:
    lead = "The letters are counted in a table.\n\nHere is the code:"
    assert verdict(f"{lead}\n\n{OK}") is None
    assert verdict(f"{lead.replace('counted in a table', 'looked at in order')}\n\n{OK}") is True


def test_a_comment_and_a_field_are_looked_at() -> None:
    assert verdict(OK.replace("    out = []", "    # newest first\n    out = []")) is None
    assert verdict(json.dumps({"code": CODE, "note": "It keeps the vowels."})) is None
    assert verdict(json.dumps({"code": CODE, "note": "It returns a list of letters."})) is True


def test_a_program_that_reads_needs_no_fence_and_is_no_output() -> None:
    row = {
        "question_content": "Print a whole number and a half of it.",
        "public_test_cases": [{"input": "4\n", "output": "6.0\n"}],
        "complete": True,
    }
    problem, code = PYTHON.parse(json.dumps(row)), "n = int(input())\nprint(n + n / 2)"
    fence = f"```python\n{code}\n```"
    shown = f"{fence}\n\n```\nInput: 2\nOutput: {{}}\n```"
    for text, ok in ((code, True), (shown.format("3.0"), True), (shown.format("5.0"), None)):
        answer = PYTHON.answer(text)
        assert answer is not None
        assert asyncio.run(PYTHON.verify_answer(problem, answer)).ok is ok


@pytest.mark.parametrize(
    ("said", "may_be"),
    [
        ("o(1)", False),
        ("o(n)", True),
        ("o(n^2)", False),
        ("linear time", True),
        ("o(log n)", False),
    ],
)
def test_what_the_loops_of_a_program_tell_of_its_time(said: str, may_be: bool) -> None:
    assert complexity.may_be(f"it runs in {said}.", CODE) is may_be


@pytest.mark.parametrize(
    ("body", "said", "may_be"),
    [
        ("max(a, b) - min(a, b, 0)", "o(1)", True),
        ("max(a, b) - min(a, b, 0)", "o(n log n)", False),
        ("max(a)", "o(1)", False),
        ("max(*a)", "o(1)", False),
        ("max(a, b) + max(c)", "o(1)", False),
        ("sum(a)", "o(n log n)", False),
        ("sorted(a)[0]", "o(n log n)", True),
    ],
)
def test_what_only_chooses_goes_through_nothing(body: str, said: str, may_be: bool) -> None:
    code = f"def f(a, b, c):\n    return {body}\n"
    assert complexity.may_be(f"it runs in {said}.", code) is may_be


def test_a_denial_may_speak_of_what_is_not_there() -> None:
    assert not vocabulary.strange("There is no need to sort.", CODE, "")
    assert vocabulary.strange("There is no need to append.", CODE, "")


ADD = {
    "prompt": 'def add(x: int, y: int):\n    """Add two numbers x and y"""\n',
    "entry_point": "add",
    "test": "def check(candidate):\n    assert candidate(2, 3) == 5\n"
    "    assert candidate(7, 5) == 12\n",
    "complete": True,
}
SUM = "def add(x: int, y: int):\n    return x + y"


@pytest.mark.parametrize(
    ("said", "ok"),
    [
        ("It returns the larger of the two.", None),
        ("It returns the sum of its arguments.", True),
        ("It returns x + y + 1.", None),
        ("y is never used.", None),
        ("The arguments have to be positive.", None),
        ("Strings are converted to integers first.", None),
        ("The result is a float.", None),
        ("The result is an integer.", True),
        ("The order of the arguments matters.", None),
        ("It sums the squares.", None),
        ("The remainder 18 % 12 is 4.", None),
    ],
)
def test_what_it_returns_and_needs_is_run(said: str, ok: bool | None) -> None:
    answer = PYTHON.answer(f"```python\n{SUM}\n```\n\n{said}")
    assert answer is not None
    assert asyncio.run(PYTHON.verify_answer(PYTHON.parse(json.dumps(ADD)), answer)).ok is ok


@pytest.mark.parametrize(
    "said", ["Digits are dropped.", "The vowels are dropped.", "The list has to be sorted."]
)
def test_what_it_keeps_is_run(said: str) -> None:
    assert verdict(f"{OK}\n\n{said}") is None


@pytest.mark.parametrize("said", ["It returns a set.", "It returns the number of letters."])
def test_what_type_a_result_has_is_run(said: str) -> None:
    assert verdict(f"{OK}\n\n{said}") is None
