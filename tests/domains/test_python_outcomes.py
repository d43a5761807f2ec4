"""What a program gives on calls that somebody else wrote."""

from __future__ import annotations

import pytest

from agentflow.domains.python import Python

STUB = '''def turned(values: list[int]) -> list[int]:
    """The values, the last one first."""
'''


async def given(code: str, *calls: str) -> list[str]:
    """What an answer gives."""
    return await Python().outcomes(Python().parse(STUB), f"```python\n{code}\n```", calls)


SLICE = "def turned(values):\n    return values[::-1]"
IN_PLACE = "def turned(values):\n    values.reverse()"


@pytest.mark.parametrize(
    ("code", "call", "outcome"),
    [
        (SLICE, "turned([1, 2])", "[2, 1]"),
        (SLICE, "turned(values=(1, 2))", "(2, 1)"),
        (SLICE, " Solution().turned('ab') ", "'ba'"),
        (SLICE, "turned(3)", "raises TypeError: 'int' object is not subscriptable"),
        (IN_PLACE, "turned([1, 2])", "None, and its arguments are then [2, 1]"),
        (SLICE, "turned([1] * 2)", ""),
        (SLICE, "turned(*[[1]])", ""),
        (SLICE, "turned(**{'values': [1]})", ""),
        (SLICE, "returned([1])", ""),
        (SLICE, "turned([1]) == [1]", ""),
        (SLICE, "import os", ""),
        (SLICE, "", ""),
        (f"{SLICE}\nexit(1)", "turned([1, 2])", "[2, 1]"),
        ("def turned(values)\n    return 1", "turned([])", ""),
        ("def other(values):\n    return 1", "turned([])", ""),
    ],
)
async def test_what_a_call_gives(code: str, call: str, outcome: str) -> None:
    assert await given(code, call) == [outcome]


async def test_each_call_keeps_its_place() -> None:
    said = await given(SLICE, "turned([1, 2])", "no call", "turned(())")
    assert said == ["[2, 1]", "", "()"]


async def test_long_values_are_whole() -> None:
    one, other = await given(SLICE, f"turned({[7] * 500})", f"turned({[8, *[7] * 499]})")
    assert one != other
