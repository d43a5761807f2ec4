"""What a program gives on calls that somebody else wrote."""

from __future__ import annotations

import json

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
        ("def turned(values):\n    yield from values", "turned([1, 2])", "yields [1, 2]"),
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


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("print(input()[::-1])", "ba"),
        ("print(1)\nprint(2 / 0)", "1\nraises ZeroDivisionError: division by zero"),
        ("pass", "nothing"),
        ("print(open('/etc/hostname').read())", ""),  # the sandbox's own error
    ],
)
async def test_what_a_program_prints(code: str, printed: str) -> None:
    cases = json.dumps([{"input": "0", "output": "0", "testtype": "stdin"}])
    row = {"question_content": "Turn it.", "starter_code": "", "public_test_cases": cases}
    problem = Python().parse(json.dumps(row))
    assert Python().call_form(problem).startswith("what the program reads")
    assert await Python().outcomes(problem, f"```python\n{code}\n```", ["ab\n"]) == [printed]


async def test_each_call_keeps_its_place() -> None:
    said = await given(SLICE, "turned([1, 2])", "no call", "turned(())")
    assert said == ["[2, 1]", "", "()"]


async def test_long_values_are_whole() -> None:
    one, other = await given(SLICE, f"turned({[7] * 500})", f"turned({[8, *[7] * 499]})")
    assert one != other
