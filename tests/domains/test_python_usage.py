"""What a program prints when it tries itself is run, with the variables that it has there."""

from __future__ import annotations

import json
from functools import partial

import pytest
from replies import verdict

from agentflow.domains.python import usage

TASK = json.dumps(
    {
        "prompt": 'def pairs(row):\n    """Sums of neighbours in a tuple."""\n',
        "entry_point": "pairs",
        "test": "def check(candidate):\n    assert candidate((1, 2, 3)) == (3, 5)\n",
        "complete": True,
    }
)
CODE = (
    "def pairs(row):\n    sums = []\n    for i in range(len(row) - 1):\n"
    "        sums.append(row[i] + row[i + 1])\n    return tuple(sums)\n"
)
judged = partial(verdict, "python", TASK)


@pytest.mark.parametrize(
    "tried",
    [
        "row = (1, 5, 7)\nprint(pairs(row))  # Output: {}\n",
        "row = (1, 5, 7)\nfound = pairs(row)\nprint(found)  # {}\n",
        "if __name__ == '__main__':\n    row = (1, 5, 7)\n    print(pairs(row))  # -> {}\n",
        "print(pairs((1, 5, 7)))  # expected output: {}\n",
        "# print(pairs((1, 5, 7)))  # Output: {}\n",
    ],
)
def test_what_is_printed(tried: str) -> None:
    for text in ("```python\n{}\n{}```", "```python\n{}```\n\nUsage:\n\n```python\n{}```"):
        assert judged(text.format(CODE, tried.format("(6, 12)"))) is True
        assert judged(text.format(CODE, tried.format("(6, 13)"))) is None


def test_a_variable_that_was_changed_is_not_followed() -> None:
    tried = "row = [1, 5]\nrow.append(7)\nprint(pairs(row))  # (6, 12)\n"
    assert usage.shown(tried, {"pairs"}) == []
    assert usage.shown("print(pairs((1, 2)))  # 3.0\nprint(1)  # 2\n", {"pairs"}) == []


def test_a_variable_that_grows_is_not_followed() -> None:
    tried = "a = [1, 5]\n" + "a = a + a\n" * 60 + "print(pairs(a))  # (6,)\n"
    assert usage.shown(tried, {"pairs"}) == []
