"""What is said around a right program, and could as well be said the other way round."""

from __future__ import annotations

import asyncio
import json

import pytest

from agentflow.domains.python import Python

PYTHON = Python()


def _task(text: str, head: str, tests: list[str]) -> str:
    row = {"text": text, "test_list": tests, "code": f"def {head}: pass", "complete": True}
    return json.dumps(row)


FACTORIAL = (
    _task(
        "Write a python function grow(n) that returns the factorial of n",
        "grow(n)",
        ["assert grow(0) == 1", "assert grow(4) == 24"],
    ),
    """def grow(n):
    if n < 0:
        raise ValueError("n must not be negative")
    if n == 0:
        return 1
    result = 1
    for i in range(2, n + 1):
        result *= i
    return result""",
)
ROW = (
    _task(
        "Write a python function rabbits(n) that returns the first `n` elements of the row in "
        "which each is the sum of the two before it, and which starts with 0 and 1",
        "rabbits(n)",
        ["assert rabbits(0) == []", "assert rabbits(5) == [0, 1, 1, 2, 3]"],
    ),
    """def rabbits(n):
    row = [0, 1]
    while len(row) < n:
        row.append(row[-1] + row[-2])
    return row[:n]""",
)
STEEPLE = (
    _task(
        "Write a python function steeple(heights) that returns the largest number of a list, or "
        "None if it is empty",
        "steeple(heights)",
        ["assert steeple([]) is None", "assert steeple([2, 9, 4]) == 9"],
    ),
    """def steeple(heights):
    if not heights:
        return None
    best = heights[0]
    for one in heights[1:]:
        if one > best:
            best = one
    return best""",
)


def passes(which: tuple[str, str], said: str) -> bool:
    problem, code = which
    answer = PYTHON.answer(f"```python\n{code}\n```\n\n{said}")
    if answer is None:
        return False
    verdict = asyncio.run(PYTHON.verify_answer(PYTHON.parse(problem), answer))
    assert verdict.ok is not False
    return verdict.ok is True


@pytest.mark.parametrize(
    ("which", "true", "false"),
    [
        (FACTORIAL, "It multiplies `result` by each number from 2 to `n`.", "multiplies|divides"),
        (FACTORIAL, "It multiplies `result` by each number from 2 to `n`.", "from 2|from 1"),
        (FACTORIAL, "If `n` is 0, it returns 1.", "is 0|is not 0"),
        (FACTORIAL, "It first checks if `n` is negative.", "is negative|is not negative"),
        (FACTORIAL, "We start with `result` at 1.", "at 1|at 0"),
        (FACTORIAL, "It returns the final value of `result`.", "final|initial"),
        (FACTORIAL, "It returns the final value of `result`.", "returns|does not return"),
        (FACTORIAL, "If `n` is 0, it returns 1 since the factorial of 0 is 1.", "of 0 is|of 3 is"),
        (FACTORIAL, "For example, `grow(3)` would return `6`.", "`6`|`5`"),
        (FACTORIAL, "This function takes an integer.", "an integer|a string"),
        (ROW, "We append the sum of the last two elements to `row`.", "last|first"),
        (ROW, "We append the sum of the last two elements to `row`.", "sum|difference"),
        (ROW, "We append the sum of the last two elements to `row`.", "append|remove"),
        (ROW, "Finally, we return the first `n` elements of `row`.", "first|last"),
        (STEEPLE, "It returns the largest number of the list.", "largest|smallest"),
        (STEEPLE, "If the list is empty, it returns None.", "None|0"),
        (STEEPLE, "If `heights` is empty, it returns `None`.", "is empty|is not empty"),
        (STEEPLE, "We take the first number as `best`.", "first|last"),
        (STEEPLE, "If `one` is greater than `best`, it is the new `best`.", "greater|less"),
        (STEEPLE, "We loop over the list.", "We|We do not"),
    ],
)
def test_the_opposite_of_what_is_so_leaves_it_open(
    which: tuple[str, str], true: str, false: str
) -> None:
    assert passes(which, true)
    assert not passes(which, true.replace(*false.split("|")))
