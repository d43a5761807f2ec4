"""What a program gives on calls that somebody else wrote."""

from __future__ import annotations

import json

import pytest

from agentflow.domains.python import Python, samples
from agentflow.tools.sandbox import Limits

STUB = '''def turned(values: list[int]) -> list[int]:
    """The values, the last one first."""
'''


async def given(code: str, *calls: str) -> list[str]:
    """What an answer gives."""
    return await Python().outcomes(Python().parse(STUB), f"```python\n{code}\n```", calls)


ENDED = "gives no value: it ends with Died: ended with status 0, without a result"
LATE = "gives no value: the limit on cpu_seconds was reached"
ENDS = "gives no value: it ends before its function gives a value"
MISSING = "gives no value: it ends with KeyError: 'turned'"
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
        (IN_PLACE, "turned(values=[1, 2])", "None, and its arguments are then values=[2, 1]"),
        ("def turned(values):\n    yield 1", "turned([])", "an iterator of [1]"),
        ("def turned(values):\n    return {8: [{8, 0}]}", "turned([])", "{8: [{0, 8}]}"),
        ("def turned(values):\n    return {0, 8}", "turned([])", "{0, 8}"),
        ("def turned(values):\n    return (0.1 + 0.2,)", "turned([])", "(0.3,)"),
        (
            "def turned(values):\n    exit(3)",
            "turned([])",
            "gives no value: it ends with SystemExit: 3",
        ),
        ("import os\ndef turned(values):\n    os._exit(0)", "turned([])", ENDED),
        ("def turned(values):\n    exit()", "turned([])", ENDS),
        ("def turned(values):\n    return 1 << 40000", "turned([])", hex(1 << 40000)),
        ("import random\ndef turned(values):\n    return random.random()", "turned([])", ""),
        ("import time\ndef turned(values):\n    time.time()\n    return 1", "turned([])", "1"),
        (SLICE, "turned([1] * 2)", ""),
        (SLICE, "turned(*[[1]])", ""),
        (SLICE, "turned(**{'values': [1]})", ""),
        (SLICE, "returned([1])", ""),
        (SLICE, "turned([1]) == [1]", ""),
        (SLICE, "import os", ""),
        (SLICE, "", ""),
        (f"{SLICE}\nexit(1)", "turned([1, 2])", "[2, 1]"),
        ("def turned(values)\n    return 1", "turned([])", ""),
        ("def other(values):\n    return 1", "turned([])", MISSING),
    ],
)
async def test_what_a_call_gives(code: str, call: str, outcome: str) -> None:
    assert await given(code, call) == [outcome]


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("print(input()[::-1])", "ba"),
        ("print(1)\nprint(2 / 0)", "1\nraises ZeroDivisionError: division by zero"),
        ("pass", "prints nothing"),
        ("print(open('/etc/hostname').read())", ""),  # the sandbox's own error
    ],
)
async def test_what_a_program_prints(code: str, printed: str) -> None:
    cases = json.dumps([{"input": "0", "output": "0", "testtype": "stdin"}])
    row = {"question_content": "Turn it.", "starter_code": "", "public_test_cases": cases}
    problem = Python().parse(json.dumps(row))
    assert Python().call_form(problem).startswith("what the program reads")
    assert await Python().outcomes(problem, f"```python\n{code}\n```", ["ab\n"]) == [printed]


def test_a_program_can_be_run_where_no_test_is_given() -> None:
    problem = Python().parse(json.dumps({"question_content": "Turn it.", "starter_code": ""}))
    assert Python().call_form(problem).startswith("what the program reads")


async def test_each_call_keeps_its_place() -> None:
    said = await given(SLICE, "turned([1, 2])", "no call", "turned(())")
    assert said == ["[2, 1]", "", "()"]


async def test_a_call_that_has_no_end_takes_no_other_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(samples, "LIMITS", Limits(cpu_seconds=1))
    code = "def turned(values):\n    while 3 in values:\n        pass\n    return 1"
    said = await given(code, *(f"turned([{number}])" for number in (2, 3, 4, 3, 2)))
    assert said == ["1", LATE, "1", LATE, ""]  # the next ones may take as long


async def test_an_input_that_a_program_does_not_come_to_the_end_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(samples, "LIMITS", Limits(cpu_seconds=1))
    row = {"question_content": "Turn it.", "public_test_cases": [{"input": "0", "output": "0"}]}
    problem = Python().parse(json.dumps(row))
    code = "said = input()\nwhile said == '3':\n    pass\nprint(said)"
    said = await Python().outcomes(problem, f"```python\n{code}\n```", ["2", "3", "4"])
    assert said == ["2", LATE, "4"]


async def test_what_a_call_leaves_behind_is_not_there_for_the_next() -> None:
    code = "seen = []\ndef turned(values):\n    seen.append(1)\n    return len(seen)"
    assert await given(code, "turned([1])", "turned([1])") == ["1", "1"]


async def test_long_values_are_whole() -> None:
    one, other = await given(SLICE, f"turned({[7] * 500})", f"turned({[8, *[7] * 499]})")
    assert one != other
