"""Replies that are a program, or the rest of one, with no fence around it."""

from __future__ import annotations

import asyncio
import json

import pytest

from agentflow import domains

PYTHON = domains.get("python")
STUB = (
    'def mean(values):\n    """The mean of some numbers. It is 0 without any.\n\n'
    '    >>> mean([1, 3])\n    2.0\n    """\n'
)
TEST = (
    "def check(candidate):\n    assert candidate([1, 3]) == 2\n    assert candidate([4]) == 4\n"
    "    assert candidate([]) == 0\n"
)
ROW = {"prompt": STUB, "entry_point": "mean", "test": TEST, "complete": True}
BODY = "    if not values:\n        return 0\n    return sum(values) / len(values)\n"
WRONG = "    return sum(values) // max(len(values), 3)\n"


def verdict(text: str, row: dict[str, object] | None = None) -> bool | None:
    problem = PYTHON.parse(json.dumps(row or ROW))
    answer = PYTHON.answer(text)
    return answer and asyncio.run(PYTHON.verify_answer(problem, answer)).ok


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "\n{}\n",
        "    total = 0\n{}",
        "{}\n\ndef main():\n    print(mean([1, 2]))\n",
        '{}\n\nif __name__ == "__main__":\n    print(mean([2, 2]))\n',
    ],
)
def test_the_rest_of_a_function_goes_on_behind_its_head(around: str) -> None:
    assert verdict(around.format(BODY)) is True
    assert verdict(around.format(WRONG)) is False


def test_the_first_line_of_a_body_may_have_lost_its_indentation() -> None:
    assert verdict(BODY.strip()) is True
    assert (
        verdict("if not values:\n        return 1\n    return sum(values) / len(values)") is False
    )
    assert verdict("return sum(values) / len(values) if values else 0") is True


@pytest.mark.parametrize(
    "body",
    [
        f"    # I am not sure that this is right.\n{BODY}",
        f"    # TODO: this is a draft\n{BODY}",
        f"{BODY}\nThis is wrong, sorry.\n",
        "I return nothing.",
        "    This returns the mean.",
    ],
)
def test_a_body_that_is_disowned_or_is_none(body: str) -> None:
    assert verdict(body) is None


@pytest.mark.parametrize(
    "inner",
    [
        "    answer = 0\n",
        "    answer = []\n    for one in values:\n        answer.append(one)\n",
        "    result, solution = 0, 24\n",
        '    if values is None:\n        raise ValueError("values must be a list")\n',
    ],
)
def test_names_and_messages_of_a_program_are_no_sentences_of_its_writer(inner: str) -> None:
    code = f"def mean(values):\n{inner}{BODY}"
    assert verdict(code) is True
    assert verdict(f"```python\n{code}```") is True
    assert verdict(f"def mean(values):\n{inner}{WRONG}") is False


def test_a_docstring_that_tells_what_a_function_should_do() -> None:
    code = 'def mean(values):\n    """A function that should return the mean of the values."""\n'
    assert verdict(f"{code}{BODY}") is True
    assert verdict(f"```python\n{code}{BODY}```") is True


def test_what_is_printed_may_still_say_that_a_program_is_wrong() -> None:
    code = f'def mean(values):\n    print("This answer is wrong")\n{BODY}'
    assert verdict(code) is None


def test_a_function_that_is_called_like_a_test() -> None:
    row = {
        "prompt": 'def test_even(n):\n    """Whether n is even."""\n',
        "entry_point": "test_even",
        "test": "def check(candidate):\n    assert candidate(4)\n    assert not candidate(3)\n",
        "complete": True,
    }
    assert verdict("def test_even(n):\n    return n % 2 == 0", row) is True
    assert verdict("def test_even(n):\n    return n % 2 == 1", row) is False


@pytest.mark.parametrize(
    "heading",
    ["Unit test", "Unit tests", "Running the unit tests", "Run unit tests", "Quick tests:"],
)
def test_a_comment_that_heads_tests(heading: str) -> None:
    code = f"def mean(values):\n{BODY}\n# {heading}\nassert mean([2, 4]) == 3\n"
    assert verdict(code) is True
    assert verdict(code.replace("== 3", "== 5")) is None


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        (
            "import pytest\n",
            "\ndef test_mean():\n    with pytest.raises(TypeError):\n        mean(1)\n",
        ),
        ("from harness import run_tests\n", "\nrun_tests(mean)\n"),
        ("from .harness import test_all\n", "\ntest_all(mean)\n"),
        ("import pytest\n", '\nif __name__ == "__main__":\n    pytest.main()\n'),
    ],
)
def test_a_module_that_only_the_tests_of_a_program_use_need_not_be_there(
    before: str, behind: str
) -> None:
    assert verdict(f"```python\n{before}\ndef mean(values):\n{BODY}{behind}```") is True
    assert verdict(f"```python\n{before}\ndef mean(values):\n{WRONG}{behind}```") is False


@pytest.mark.parametrize(
    "inner", ["    values = harness.read(values)\n", "    from harness import read\n"]
)
def test_a_module_that_the_function_uses_has_to_be_there(inner: str) -> None:
    assert verdict(f"```python\nimport harness\n\ndef mean(values):\n{BODY}```") is None
    code = f"import harness\n\ndef mean(values):\n{inner}{BODY}"
    assert verdict(f"```python\n{code}```") is None
    assert (
        verdict(f"```python\nimport harness\n\nharness.set(mean)\n\ndef mean(values):\n{BODY}```")
        is None
    )


@pytest.mark.parametrize(("returned", "ok"), [("(n, [n])", True), ("(n, (n, n))", False)])
def test_tuples_in_a_list_are_lists_where_a_site_compares_json(returned: str, ok: bool) -> None:
    row = {
        "question_content": "Give n pairs.",
        "starter_code": "class Solution:\n    def pairs(self, n):\n        ",
        "public_test_cases": [{"input": "2", "output": "[[2, [2]], [2, [2]]]"}],
        "complete": True,
    }
    code = f"class Solution:\n    def pairs(self, n):\n        return [{returned}] * n\n"
    assert verdict(f"```python\n{code}```", row) is ok
