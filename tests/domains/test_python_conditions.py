"""What a program is said to return under a condition is held against its runs."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from agentflow import domains
from agentflow.domains.protocol import ACCEPTED

PYTHON = domains.get("python")
CLAMP = {
    "prompt": 'def clamp(x: int, low: int, high: int) -> int:\n    """x, brought into a range.\n\n'
    '    pre: low <= high\n    >>> clamp(5, 0, 3)\n    3\n    """\n',
    "entry_point": "clamp",
    "test": "def check(candidate):\n    assert candidate(-1, 0, 3) == 0\n",
    "pre": ["low <= high"],
}
SIGN = {
    "prompt": 'def sign(n: int) -> int:\n    """-1, 0 or 1: negative, zero, positive."""\n',
    "entry_point": "sign",
    "test": "def check(candidate):\n    assert candidate(5) == 1\n",
}
EVEN = {
    "prompt": 'def is_even(n: int) -> bool:\n    """Whether n is even."""\n',
    "entry_point": "is_even",
    "test": "def check(candidate):\n    assert candidate(2) == True\n",
}
CODE = {
    "clamp": "def clamp(x, low, high):\n    return max(low, min(x, high))",
    "sign": "def sign(n):\n    if n == 0:\n        return 0\n    return 1 if n > 0 else -1",
    "is_even": "def is_even(n):\n    return n % 2 == 0",
}


def passes(row: dict[str, Any], said: str) -> bool:
    text = f"```python\n{CODE[row['entry_point']]}\n```\n\n{said}"
    answer = PYTHON.answer(text)
    if answer is None:
        return False
    verdict = asyncio.run(PYTHON.verify_answer(PYTHON.parse(json.dumps(row)), answer))
    assert verdict.ok is not False
    return verdict.ok is True or verdict.kind == ACCEPTED


@pytest.mark.parametrize(
    ("row", "true", "false"),
    [
        (CLAMP, "It returns `high` if `x` is greater than `high`.", "`high`|`low`"),
        (CLAMP, "If x is above high, high is returned.", "high is|x itself is"),
        (CLAMP, "When `x < low`, the result is `low`.", "`low`|`high`"),
        (SIGN, "It returns -1 if n is negative.", "negative|positive"),
        (SIGN, "It returns 0 when n is 0.", "n is 0|n is 1"),
        (SIGN, "If `n > 0`, it returns `1`.", "`1`|`-1`"),
        (SIGN, "For negative numbers it returns -1.", "-1|1"),
        (EVEN, "It returns True if n is even.", "True|False"),
        (EVEN, "`n % 2` is 0 for even numbers.", "is 0|is 1"),
        (EVEN, "Explanation: `n % 2` is 0 for even numbers.", "is 0|is 1"),
    ],
)
def test_a_result_on_a_condition(row: dict[str, Any], true: str, false: str) -> None:
    assert passes(row, true)
    assert not passes(row, true.replace(*false.split("|")))


def test_a_condition_that_no_run_meets_is_undecided() -> None:
    assert not passes(SIGN, "It returns 1 if n is greater than 999999.")
