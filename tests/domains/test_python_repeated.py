"""An answer that repeats what its task gives, docstring and helpers, is judged as one without."""

from __future__ import annotations

import asyncio
import json

import pytest

from agentflow import domains
from agentflow.verdict import Verdict

PYTHON = domains.get("python")
DOCSTRINGS = [
    "Vowels in the beginning don't count. There is no limit on the number of letters.",
    "Withdrawal operations of a bank account are not among the letters that are left.",
    "Change the letters of x so that none is a vowel.",
    "For example:\n    kept('x', 'y') == 'z'\n    kept('abe') == 'abe'",
    "Assume x > 1 and is not a prime. Return None, ValueError or 17.5 never.",
]


def stub(said: str) -> str:
    return f'def kept(x: str) -> str:\n    """{said}\n    """\n'


def verdict(said: str, text: str, given: str = "", test: str = "kept('abe') == 'b'") -> Verdict:
    row = {
        "prompt": given + stub(said),
        "entry_point": "kept",
        "test": f"def check(candidate):\n    assert {test.replace('kept', 'candidate')}\n",
        "complete": True,
    }
    answer = PYTHON.answer(text)
    if answer is None:
        return Verdict(None, "no answer")
    return asyncio.run(PYTHON.verify_answer(PYTHON.parse(json.dumps(row)), answer))


RIGHT = '    return "".join(one for one in x if one not in "aeiou")\n'
WRONG = '    return "".join(one for one in x if one in "aeiou")\n'


@pytest.mark.parametrize("said", DOCSTRINGS)
def test_a_docstring_that_the_task_has_says_nothing_of_the_answer(said: str) -> None:
    assert verdict(said, f"```python\n{stub(said)}{RIGHT}```").ok is True
    assert verdict(said, f"```python\n{stub(said)}{WRONG}```").ok is False


@pytest.mark.parametrize("said", DOCSTRINGS)
def test_one_of_its_own_is_read(said: str) -> None:
    text = f"```python\n{stub('It keeps the vowels alone, sorted.')}{RIGHT}```"
    assert verdict(said, text).ok is None


@pytest.mark.parametrize("said", ["This is withdrawn.", "I withdraw it.", "Change it before use."])
def test_a_docstring_that_takes_the_answer_back(said: str) -> None:
    assert verdict("No vowels.", f"```python\n{stub(said)}{RIGHT}```").ok is not True


GIVEN = "def vowels(x: str) -> str:\n    return ''.join(one for one in x if one in 'aeiou')\n\n\n"
TEST = "len(kept('abe')) + len(vowels('abe')) == 3"


@pytest.mark.parametrize(("made", "ok"), [("in", True), ("not in", None)])
def test_a_helper_that_the_answer_makes_anew(made: str, ok: bool | None) -> None:
    text = f"```python\n{GIVEN.replace(' in ', f' {made} ')}{stub('No vowels.')}{RIGHT}```"
    text = text.replace(f"for one {made} x if", "for one in x if")
    assert verdict("No vowels.", text, GIVEN, TEST).ok is ok


def test_an_input_on_which_the_reference_fails_tells_nothing() -> None:
    row = {
        "prompt": '"""\nAppend a tuple to a list.\n"""\n',
        "entry_point": "kept",
        "canonical_solution": "def kept(x, y):\n    return tuple(x) + y\n",
        "base_input": [[[1], [2]]],
        "plus_input": [],
        "complete": True,
    }
    problem = PYTHON.parse(json.dumps(row))
    for code in ("return tuple(x) + y", "return None"):
        said = PYTHON.verify_answer(problem, f"def kept(x, y):\n    {code}\n")
        assert asyncio.run(said).ok is None


SIZES = "import sys\ndef size(x):\n    return sys.getsizeof(x)\n"


@pytest.mark.parametrize(
    ("solution", "code", "ok"),
    [
        (SIZES, "def size(x):\n    return x.__sizeof__()\n", None),
        (SIZES, "def size(x):\n    return 56\n", None),
        (SIZES.replace("sys.getsizeof(x)", "len(x)"), "def size(x):\n    return 56\n", False),
    ],
)
def test_a_reference_whose_result_depends_on_the_python_refutes_nothing(
    solution: str, code: str, ok: bool | None
) -> None:
    row = {
        "prompt": '"""\nGive the size of a list.\n"""\n',
        "entry_point": "size",
        "canonical_solution": solution,
        "base_input": [[[1, 2, 3, 4, 5, 6, 7]]],
        "plus_input": [],
        "complete": True,
    }
    said = PYTHON.verify_answer(PYTHON.parse(json.dumps(row)), code)
    assert asyncio.run(said).ok is ok
