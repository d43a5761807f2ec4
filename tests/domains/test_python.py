"""The domain `python`: what is read, refuted, accepted and verified, and what cannot cheat."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentflow import asolve, domains
from agentflow.domains.protocol import ACCEPTED
from agentflow.domains.python import carry, explanations, proof, properties, reading, source
from agentflow.domains.python.task import read
from agentflow.errors import BadInput
from agentflow.judge import judge, states
from agentflow.models import ScriptedModel
from agentflow.tools.sandbox import Execution

PYTHON = domains.get("python")
ADD = 'def add(a: int, b: int) -> int:\n    """The sum.\n\n    >>> add(1, 2)\n    3\n    """\n'
ROW: dict[str, Any] = {
    "prompt": ADD,
    "entry_point": "add",
    "test": "def check(candidate):\n    assert candidate(1, 2) == 3\n    for n in range(5):\n"
    "        assert candidate(n, n) == 2 * n\n    assert candidate(-7, 20260) == 20253\n",
}
MBPP = {
    "text": "Write a function to add.",
    "test_list": ["assert set(pair(1, 2)) == set((1, 2))", "assert len(pair(3, 4)) == 2"],
    "test_setup_code": "",
}
CONTRACT = '''def middle(a: int, b: int, c: int) -> int:
    """The middle one of three numbers.

    post: sorted([a, b, c])[1] == __return__
    """
'''


def problem(row: dict[str, Any] | str, **more: Any) -> Any:
    return PYTHON.parse(row if isinstance(row, str) else json.dumps(row | more))


async def verdict(row: dict[str, Any] | str, code: str, **more: Any) -> tuple[bool | None, str]:
    said = await PYTHON.verify_answer(problem(row, **more), code)
    return said.ok, said.kind


RIGHT = "def add(a, b):\n    return a + b\n"


@pytest.mark.parametrize(
    ("code", "ok", "kind"),
    [
        (RIGHT, None, ACCEPTED),
        (f"Sure:\n```python\n{RIGHT}```\n", None, ACCEPTED),
        ("def add(*numbers):\n    return sum(numbers)\n", None, ACCEPTED),
        ("def add(a, b):\n    return a - b\n", False, "wrong_result"),
        ("def add(a, b):\n    return 3\n", False, "wrong_result"),
        ("def add(a, b):\n    return a +\n", False, "syntax"),
        ("def plus(a, b):\n    return a + b\n", False, "missing"),
        ("def add(a):\n    return a\n", False, "signature"),
        ("def add(a, b):\n    return str(a + b)\n", False, "wrong_result"),
        ("def add(a, b):\n    raise ValueError(a)\n", False, "wrong_result"),
        ("def add(a, b):\n    return iter([a, b])\n", None, "lost"),
        ("", None, "unread"),
    ],
)
async def test_what_tests_say(code: str, ok: bool | None, kind: str) -> None:
    assert await verdict(ROW, code) == (ok, kind)


async def test_tests_that_are_declared_complete_verify() -> None:
    assert await verdict(ROW, RIGHT, complete=True) == (True, "")
    assert PYTHON.decides(problem(ROW, complete=True))
    assert not PYTHON.decides(problem(ROW))
    assert await verdict(ROW, RIGHT, complete="yes") == (None, ACCEPTED)  # only true is true


async def test_what_a_program_does_to_be_ready_is_run_and_its_tests_are_not() -> None:
    ready = "table = []\nfor n in range(9):\n    table.append(n)\n"
    code = f"{ready}def add(a, b):\n    return a + b + table[0]\n"
    own = "assert add(1, 1) == 3\nprint(add(1, 'x'))\nif __name__ == '__main__':\n    add()\n"
    rest = f"{own}def test_it(): pass\ntest_it(1)\n"
    assert await verdict(ROW, f"{code}{rest.replace('== 3', '== 2')}") == (None, ACCEPTED)
    assert await verdict(ROW, f"{code}{rest}") == (None, "contradiction")
    assert await verdict(ROW, code.replace("table[0]", "table[9]")) == (False, "wrong_result")


DATACLASS = """
from dataclasses import dataclass

@dataclass
class Pair:
    a: int
    b: int

def add(a, b):
    return Pair(a, b).a + b
"""


@pytest.mark.parametrize(
    ("code", "ok"),
    [
        ("def _add(a, b):\n    return a + b\nadd = _add\n", True),
        ("from operator import add\n", True),
        (DATACLASS, True),
        ("    return a + b\n", True),
        ("    def add(a, b):\n        return a - b\n", False),
        (f"\ufeff{RIGHT}", True),
        ("import pandas_\n" + RIGHT, None),
        ("from math import nothing\n" + RIGHT, False),
        ("def add(a, b):\n    import pandas_\n    return a + b\n", None),
        ("def add(a, b):\n    open('/nowhere')\n    return a + b\n", None),
        (f"{RIGHT}add(int(input()), 1)\n", None),
        (f"{RIGHT}result = add(1, 'x')\n", None),
        ("def add(a, b):\n    return a - b\nresult = add(1, 'x')\n", False),
        ("def add[T](a: T, b: T) -> T:\n    return a + b\n", None),
        (f"import sys\n{RIGHT}sys.exit(0)\n", None),
    ],
)
async def test_what_is_right_is_not_refuted_for_its_surroundings(
    code: str, ok: bool | None
) -> None:
    assert (await PYTHON.verify_answer(problem(ROW, complete=True), code)).ok is ok


@pytest.mark.parametrize(
    ("name", "code", "test"),
    [
        ("big", "return 10 ** n", "assert big(5000) == 10 ** 5000"),
        ("srt", "n.sort()", "x = [2, 1]\nsrt(x)\nassert x == [1, 2]"),
        ("put", "n[1] = 2", "x = {}\nput(x)\nassert x == {1: 2}"),
        ("half", "return '\\ud800'", "assert half(0) == '\\ud800'"),
        ("same", "return n", "try:\n    x = same(1)\nexcept:\n    x = 2\nassert x == 1"),
    ],
)
async def test_what_a_test_may_ask_of_a_function(name: str, code: str, test: str) -> None:
    row = {"text": "Do.", "test_list": [test], "code": f"def {name}(n): 0"}
    right = f"def {name}(n):\n    {code}\n"
    assert await verdict(row, right, complete=True) == (True, "")
    wrong = f"def {name}(n):\n    return [n]\n"
    assert await verdict(row, wrong, complete=True) == (False, "wrong_result")


async def test_a_test_of_identity_cannot_tell() -> None:
    row = {"text": "Do.", "test_list": ["x = [1]\nassert same(x) is x"], "code": "def same(n): 0"}
    assert await verdict(row, "def same(n):\n    return n\n") == (None, "lost")


async def test_an_error_of_the_given_code_may_be_expected() -> None:
    test = (
        "def check(candidate):\n    try:\n        candidate('a', 2)\n    except Bad:\n"
        "        return\n    assert False\n"
    )
    given = "class Bad(Exception):\n    pass\n\n"
    row = {"prompt": f"{given}def add(a, b):\n    pass\n", "entry_point": "add", "test": test}
    bad = "def add(a, b):\n    if isinstance(a, str):\n        raise Bad(a)\n    return a + b\n"
    assert await verdict(row, bad, complete=True) == (True, "")
    assert await verdict(row, RIGHT, complete=True) == (False, "wrong_result")


def block(code: str) -> str:
    return f"```python\n{code}```\n"


WRONG = RIGHT.replace("+", "-")
SEVERAL = [
    (f"{block(RIGHT)}\nFor comparison, a buggy version:\n{block(WRONG)}", None),
    (f"{block(RIGHT)}\n{block(WRONG)}", None),
    (f"{block(RIGHT)}\nAn alternative solution:\n{block(WRONG)}", None),
    (f"{block(RIGHT)}\nFinal version:\n{block(WRONG)}", False),
    (f"{block(WRONG)}\nThat fails. Corrected:\n{block(RIGHT)}", True),
    (f"A wrong attempt:\n{block(WRONG)}\nNow with plus:\n{block(RIGHT)}", True),
    (f"{block(WRONG)}\nThat is wrong.\n\n{block(RIGHT)}", True),
    (f"{block(RIGHT)}\nOnce more:\n{block('# the sum' + chr(10) + RIGHT)}", True),
    (f"{block(RIGHT)}\nUsage:\n{block('print(add(1, 2))' + chr(10))}", True),
]


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        *SEVERAL,
        (f"{block(RIGHT)}\nThis is wrong, do not use it.", None),
        (f"{block(RIGHT)}\nBut this is not the answer.", None),
        (f"{block(RIGHT)}\nIt adds.\n\nWait, that is wrong.", None),
        (f"Wrong:\n{block(RIGHT)}\nI have no right version.", None),
        (f"Not this:\n{block(RIGHT)}", None),
        (f"Here is the code, with the mistake fixed:\n{block(RIGHT)}", True),
        (f"{block(RIGHT)}\nIt does not check types, so a wrong type raises an error.", None),
        (f"{block(RIGHT)}\nThis is correct: it never fails.", True),
        (f"This handles invalid input and never fails on a wrong type:\n{block(RIGHT)}", True),
        (f"To avoid a comparison, I do not use the built-in:\n{block(RIGHT)}", True),
        (f"{block(RIGHT)}\nNote that we do not use the built-in sum, which is invalid here.", True),
        (f"{block(RIGHT)}\nPlease, do not use this.", None),
        (f"The following code is incorrect:\n{block(RIGHT)}", None),
        (f"Sure.\n\n{RIGHT}", None),
        (f"{RIGHT}\nThis adds the numbers.", None),
        (RIGHT, True),
        (WRONG, False),
        ("def add(a, b):\n    return a +\n", False),
        ("```python\n>>> def add(a, b):\n...     return a + b\n```", None),
        ("1. Code:\n   ```python\n   def add(a, b):\n       return a + b\n   ```", True),
        ("- So:\n\n     ```\n     def add(a, b):\n         return a - b\n     ```\n", False),
        (f"```python\n{RIGHT}", True),
        (f"```python\n{WRONG}", None),
        ("```python\ndef add(a, b):\n    if a:\n        return a +", None),
        (f"````python\n{RIGHT}````", True),
        (f"~~~py\n{WRONG}~~~", False),
        (f"<answer>\n{RIGHT}</answer>", True),
        (f"[PYTHON]\n{WRONG}[/PYTHON]", False),
        (f"[BEGIN]\n{RIGHT}[DONE]", True),
        (f"[BEGIN]\n{WRONG}[DONE]", False),
        (f"{RIGHT}<|im_end|>", True),
        (json.dumps({"code": RIGHT}), True),
        (f"```json\n{json.dumps({'answer': WRONG})}\n```", False),
        (f"{block(RIGHT)}\nRun it with:\n```bash\npython add.py\n```", True),
        (block(f"# WRONG, do not use\n{RIGHT}"), None),
        (block(f"# buggy version\n{WRONG}"), None),
        (block(f"{RIGHT}# FIXME: the sign is wrong\n"), None),
        (block(f"# fixed version\n{RIGHT}"), True),
        (block(f"{RIGHT}# wrong types raise a TypeError\n"), None),
        (block("# def add(a, b):\n#     return a + b\n"), None),
        (block('"""\n' + RIGHT + '"""\n'), None),
        (
            block('def add(a, b):\n    """\n    ```\n    x\n    ```\n    """\n    return a + b\n'),
            True,
        ),
    ],
)
async def test_which_code_a_text_holds_on_to(text: str, ok: bool | None) -> None:
    asked = problem(ROW, complete=True)
    for answer in (PYTHON.answer(text), text):
        if answer is None:
            assert ok is None
        else:
            assert (await PYTHON.verify_answer(asked, answer)).ok is ok


async def test_a_block_that_is_called_wrong_is_no_candidate() -> None:
    asked = problem(ROW)
    text = f"Wrong:\n{block(WRONG)}\nSo:\n{block(RIGHT)}"
    [only] = states(PYTHON, asked, text)
    assert only.data["answer"] == RIGHT


async def test_the_counterexample_is_the_reason() -> None:
    said = await PYTHON.verify_answer(problem(ROW), "def add(a, b):\n    return a * b\n")
    assert said.reason == "`assert candidate(1, 2) == 3` fails: add(1, 2) gives 2"


async def test_an_example_against_the_tests_is_neither() -> None:
    row = ROW | {"prompt": ADD.replace("\n    3\n", "\n    4\n")}
    assert await verdict(row, RIGHT) == (None, "contradiction")
    assert await verdict(str(row["prompt"]), RIGHT) == (False, "wrong_result")


async def test_nothing_to_check_by() -> None:
    said = await PYTHON.verify_answer(problem("def add(a, b):\n    pass"), RIGHT)
    assert (said.ok, said.kind) == (None, "")


LIVE = {
    "question_content": "Print the sum.",
    "starter_code": "",
    "public_test_cases": json.dumps([{"input": "1 2\n", "output": "3\n", "testtype": "stdin"}]),
}
METHOD = {
    "question_content": "Add.",
    "starter_code": "class Solution:\n    def add(self, a: int, b: int) -> int:\n        ",
    "public_test_cases": json.dumps([{"input": "1\n2", "output": "3", "testtype": "functional"}]),
}
PLUS = {
    "prompt": "def add(a, b):\n    pass\n",
    "entry_point": "add",
    "canonical_solution": "    return a + b\n",
    "base_input": [[1, 2]],
    "plus_input": [[5, 5], [-3, 0]],
    "atol": 0,
}
PLUS_IN_WORDS = PLUS | {
    "prompt": '"""\nWrite a function to add two numbers.\n"""\n',
    "canonical_solution": "def add(a, b):\n    return a + b\n",
    "assertion": "\nassert add(1, 2) == 3\n",
}
"""As EvalPlus has the problems of MBPP."""


TEST_NAMED = {
    "text": "Write a function to find out whether a list has a duplicate.",
    "test_list": ["assert test_duplicate([1, 2]) == False", "assert test_duplicate([1, 1])"],
}
"""MBPP has three functions with such a name."""


@pytest.mark.parametrize(
    ("row", "right", "wrong"),
    [
        (
            TEST_NAMED,
            "def test_duplicate(x):\n    return len(x) > len(set(x))\n",
            "def test_duplicate(x):\n    return bool(x)\n",
        ),
        (ROW, RIGHT, "def add(a, b):\n    return max(a, b) + 1\n"),
        (PLUS, RIGHT, "def add(a, b):\n    return abs(a) + b\n"),
        (PLUS_IN_WORDS, RIGHT, "def add(a, b):\n    return abs(a) + b\n"),
        (MBPP, "def pair(a, b):\n    return [b, a]\n", "def pair(a, b):\n    return [a, a]\n"),
        (LIVE, "print(sum(map(int, input().split())))\n", "print(input())\n"),
        (
            METHOD,
            "class Solution:\n    def add(self, a, b):\n        return a + b\n",
            "class Solution:\n    def add(self, a, b):\n        return a\n",
        ),
    ],
)
async def test_every_layout(row: dict[str, Any], right: str, wrong: str) -> None:
    assert await verdict(row, right) == (None, ACCEPTED)
    assert await verdict(row, right, complete=True) == (True, "")
    assert await verdict(row, wrong, complete=True) == (False, "wrong_result")


@pytest.mark.parametrize(
    "text",
    ["", "{", "{}", "Add two numbers.", "x = 1", '{"prompt": "x = 1", "entry_point": "f"}',
     '{"prompt": "def f(): pass", "entry_point": "f"}', '{"test_list": ["assert 1 == 1"]}',
      "def f(x):\n    '''\n    post: x >\n    '''"],
)  # fmt: skip
def test_what_is_no_problem(text: str) -> None:
    with pytest.raises(BadInput, match=r"^python: .*example: "):
        PYTHON.parse(text)


TRACE = """I write:
```python
def add(a, b):
    if a:
        return b

    return a

# and now the tests
assert add(1, 2) == 3
```
That is wrong.
```text
def add(a, b): no
```
```python
from operator import add as plus

def add(a, b):
    return plus(a, b)
```
The tests:
```python
def test_add():
    assert add(1, 2) == 3
```
"""


async def test_a_function_is_judged_as_soon_as_it_is_finished() -> None:
    asked = problem(ROW)
    found = list(states(PYTHON, asked, TRACE))
    assert [one.kind for one in found] == ["step", "candidate", "candidate"]
    assert TRACE[: found[0].end].endswith("# and now the tests\n")
    said = await PYTHON.verify_state(asked, found[0], [])
    assert (said.ok, said.kind) == (False, "wrong_result")
    judged = await judge(PYTHON, asked, TRACE)
    assert (judged.steps_ok, judged.first_wrong_step, judged.answer_ok) == (False, 0, None)
    assert str(PYTHON.answer(TRACE)).startswith("from operator")


async def test_a_block_that_a_note_broke_off_is_none() -> None:
    asked = problem(ROW)
    text = (
        f"```python\ndef add(a, b):\n    return a\n\nx\nWait, that fails.\n```python\n{RIGHT}```\n"
    )
    assert [one.kind for one in states(PYTHON, asked, text)] == ["step", "candidate"]
    assert PYTHON.answer(text) == RIGHT.strip()
    said = await PYTHON.verify_answer(asked, f"```python\n{RIGHT}Wait, no.\n```\n")
    assert (said.ok, said.kind) == (False, "syntax")


SAMPLE = Path(__file__).parents[1] / "data" / "humaneval" / "sample.jsonl"
ROWS = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=[row["task_id"] for row in ROWS])
async def test_published_references_are_accepted_and_a_body_of_nothing_is_not(row: Any) -> None:
    said = await PYTHON.verify_answer(problem(row), row["prompt"] + row["canonical_solution"])
    assert said.ok is not False
    assert bool(said.kind == ACCEPTED or said.ok) is (row["task_id"] != "HumanEval/47"), said
    said = await PYTHON.verify_answer(problem(row), row["prompt"] + "    return None\n")
    assert said.ok is False


async def test_a_helper_that_is_yet_to_come_is_no_error() -> None:
    asked = problem(ROW)
    text = (
        "```python\ndef add(a, b):\n    return plus(a, b)\n\ndef plus(a, b):\n    return a + b\n```"
    )
    step, candidate = states(PYTHON, asked, text)
    assert (await PYTHON.verify_state(asked, step, [])).ok is None
    assert (await PYTHON.verify_state(asked, candidate, [])).kind == ACCEPTED


# Programs that cheat. Each would pass if it ran where its tests are, or where the verdict is made.

CHEATS = (Path(__file__).parent / "python_cheats.txt").read_text(encoding="utf-8")
ATTACKS = dict(re.findall(r"^### (.+)\n((?:(?!### ).*\n)+)", CHEATS, re.MULTILINE))


def test_there_are_enough_of_them() -> None:
    assert len(ATTACKS) == CHEATS.count("### ") >= 30


@pytest.mark.parametrize("name", ATTACKS)
async def test_a_program_that_cheats_does_not_pass(name: str) -> None:
    said = await PYTHON.verify_answer(problem(ROW, complete=True), ATTACKS[name])
    assert said.ok is not True
    assert said.kind != ACCEPTED
    assert said.ok is False or said.kind in ("lost", "limit"), said


@pytest.mark.parametrize(
    "code",
    [
        "import sys\nprint(sum(map(int, sys.stdin.buffer.read().split())))\n",
        "print(sum(map(int, open(0).read().split())))\n",
        "import os\nprint(sum(map(int, os.read(0, 99).split())), flush=True)\nos._exit(0)\n",
        "print(' ', sum(map(float, input().split())))\n",
        "print('%.2f' % sum(map(int, input().split())))\nexit()\n",
    ],
)
async def test_how_programs_read_and_print(code: str) -> None:
    assert await verdict(LIVE, code, complete=True) == (True, "")
    wrong = code.replace("sum(map", "max(map")
    assert await verdict(LIVE, wrong, complete=True) == (False, "wrong_result")


async def test_a_method_may_be_a_function_and_a_tuple_a_list() -> None:
    row = METHOD | {
        "starter_code": "class Solution:\n    def swap(self, a):\n        ",
        "public_test_cases": json.dumps([{"input": "[1, 2]", "output": "[2, 1]"}]),
    }
    assert await verdict(row, "def swap(a):\n    return a[1], a[0]\n", complete=True) == (True, "")


async def test_an_attack_on_the_input_reader_fails() -> None:
    forged = "import os, sys\nos.write(1, b'4')\nsys.exit(0)\n"
    assert await verdict(LIVE, forged, complete=True) == (False, "wrong_result")


# Proofs

needs_crosshair = pytest.mark.skipif(
    find_spec("crosshair") is None, reason="crosshair-tool is not installed (extra code)"
)


@needs_crosshair
@pytest.mark.parametrize(
    ("code", "ok"),
    [
        ("def middle(a, b, c):\n    return max(min(a, b), min(max(a, b), c))\n", True),
        (
            "def middle(a, b, c):\n    if a == 12345:\n        return 7\n"
            "    return sorted([a, b, c])[1]\n",
            False,
        ),
        ("def middle(a, b, c):\n    return b\n", False),
    ],
)  # fmt: skip
async def test_a_contract_is_proved_or_not(code: str, ok: bool | None) -> None:
    said = await PYTHON.verify_answer(problem(CONTRACT), code)
    assert said.ok is ok
    assert said.kind != ACCEPTED


@needs_crosshair
async def test_a_proof_is_counted_in_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "PATHS", 1)
    code = "def middle(a, b, c):\n    return max(min(a, b), min(max(a, b), c))\n"
    said = proof.proved(read(CONTRACT), code)
    assert (said.ok, said.kind) == (None, "lost")
    assert said.reason == "CrossHair neither proves nor refutes it in 1 paths"


UNDECIDED = [["CANNOT_CONFIRM", "Not confirmed."]]


@pytest.mark.parametrize(
    ("ended", "value"),
    [
        (Execution(limit="seconds"), "sorted((a, b, c))[1]"),
        (Execution({"messages": UNDECIDED, "fenced": True}), "sorted((c, b, a))[1]"),
    ],
    ids=["around", "within"],
)
async def test_a_proof_that_a_fence_ended_says_so(
    ended: Execution, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*given: Any, **named: Any) -> Execution:
        return ended

    monkeypatch.setattr(proof, "find_spec", lambda name: name)
    monkeypatch.setattr(proof, "_sandbox", lambda: SimpleNamespace(run=run))
    code = f"def middle(a, b, c):\n    return {value}\n"
    said = await PYTHON.verify_answer(problem(CONTRACT), code)
    assert said.ok is None
    assert "the limit on seconds ended the proof" in said.reason


@needs_crosshair
async def test_crosshairs_counterexample_is_the_feedback() -> None:
    code = "def middle(a, b, c):\n    if a == 12345:\n        return 7\n"
    said = await PYTHON.verify_answer(problem(CONTRACT), f"{code}    return sorted([a, b, c])[1]\n")
    assert said.kind == "wrong_result"
    assert re.fullmatch(r"middle\(12345, -?\d+, -?\d+\) gives 7, against .*", said.reason)


@needs_crosshair
async def test_it_cuts_the_stream_where_the_block_is_closed() -> None:
    right = "    return max(min(a, b), min(max(a, b), c))\n```\n"
    wrong = f"```python\ndef middle(a, b, c):\n    if a == 12345:\n        return 7\n{right}"
    mended = f"I see.\n</think>\n```python\ndef middle(a, b, c):\n{right}"
    model = ScriptedModel({r"<think>\n": f"{wrong}That is it.\n", r"Wait, .*\n": mended})
    said = await asolve(CONTRACT, "interwhen", model=model, domain="python", k_stable=0)
    assert (said.status, said.corrections) == ("verified", 1)
    assert "\n```\nWait, middle(12345, " in said.trace.text


@pytest.mark.parametrize(
    ("message", "values"),
    [
        ("false when calling judged_(12, 'b)(') (which returns False)", [12, "b)("]),
        ("false when calling judged_(b = 'x', a = -1)", [-1, "x"]),
        ("ValueError: judged_(1) when calling judged_(1, b='y')", None),
        ("false when calling judged_(1, b=object())", None),
        ("false when calling judged_(1)", None),
        ("false when calling judged_(1, 2, 3)", None),
        ("false", None),
    ],
)
def test_a_call_is_read_whole_or_not_at_all(message: str, values: list[Any] | None) -> None:
    packed = proof.called(message, ["a", "b"])
    assert (None if packed is None else carry.unpacked(packed)[0]) == values


@given(st.integers(), st.text())
def test_what_a_call_was_given_comes_back(number: int, text: str) -> None:
    message = f"false when calling judged_({number}, b = {text!r}) (which returns False)"
    assert carry.unpacked(proof.called(message, ["a", "b"]))[0] == [number, text]


@given(st.text(alphabet="judged_(),'\"=1ab[] "))
def test_no_message_breaks_the_reader_of_calls(text: str) -> None:
    packed = proof.called(f"judged_({text}", ["a"])
    assert packed is None or len(carry.unpacked(packed)[0]) == 1


@pytest.mark.parametrize("contract", [CONTRACT, CONTRACT.replace("post:", "pre: a < 9\n    post:")])
async def test_a_counterexample_counts_where_python_and_the_contract_confirm_it(
    contract: str,
) -> None:
    task, code = read(contract), "def middle(a, b, c):\n    return 9 if a == 9 else min(a, b)\n"
    ran = properties.on_call(task, code, carry.packed(([9, 1, 1], {})))
    assert ran.ok is ("pre:" in contract)
    right = properties.on_call(task, code, carry.packed(([1, 1, 1], {})))
    assert right.ok is True


@pytest.mark.parametrize(
    "row",
    [
        {"test_setup_code": "root = Node(1)", "test_list": ["assert height(root) == 1"]},
        {"test_list": ["assert height(Node(1)) == 1"]},
    ],
)
async def test_a_test_that_needs_what_it_does_not_have_cannot_tell(row: dict[str, Any]) -> None:
    code = "class Node:\n    def __init__(self, x): pass\ndef height(node):\n    return 1\n"
    said = await PYTHON.verify_answer(problem({"text": "The height.", "code": code} | row), code)
    assert (said.ok, said.kind) == (None, "lost")
    assert "Node" in said.reason


async def test_a_name_that_the_answer_lacks_is_the_answers_fault() -> None:
    assert await verdict(ROW, "def add(a, b):\n    return nothing\n") == (False, "wrong_result")


async def test_a_test_names_a_standard_module_and_hands_over_a_type() -> None:
    row = {
        "text": "Drop what is of a type.",
        "test_list": ["assert drop((1, 'a', 2.5), str) == [math.floor(1.5), 2.5]"],
    }
    code = "def drop(x, kind):\n    return [one for one in x if not isinstance(one, kind)]\n"
    assert await verdict(row, code) == (None, ACCEPTED)
    assert (await verdict(row, "def drop(x, kind):\n    return kind\n"))[0] is False


@pytest.mark.parametrize(
    "code",
    [
        "from typing import get_type_hints\ndef f(x): return x",
        "from typing import List as int\ndef f(x): return x",
        "from crosshair import List\ndef f(x): return x",
        "def f(x):\n    from typing import sys\n    return x",
        "import crosshair\ndef f(x): return x",
        "def f(x): return ().__class__",
        "def f(x): return eval('x')",
        "def f(x): return x / 2",
        "def f(x): return x ** -1",
        "def f(x):\n    global y\n    y = 1\n    return x",
        "def f(x):\n    try:\n        return x\n    except BaseException:\n        return 1",
        "class A: pass\ndef f(x): return A()",
        "@staticmethod\ndef f(x): return x",
        "def f(x): return '{0.a}'.format(x)",
        "def f(x): return (lambda y: y)(x)",
        "def f(x): return [abs][0](x)",
        "def bool(x): return True\ndef f(x): return x",
        "def judged_(x): return True\ndef f(x): return x",
        "def f(x, y=1): return x",
        "def f(x): return 0.5",
        "def f(x): yield x",
        "def f(x):\n    abs = print\n    return abs(x)",
        "x = 1\ndef f(x): return x",
        "def f(x: __import__('os')): return x",
        "def f(__return__): return __return__",
    ],
)
def test_only_pure_code_is_proved(code: str) -> None:
    assert proof.pure(code)
    assert not proof.pure(
        "def f(x):\n    total = 0\n    for n in range(x):\n        total += n\n    return total"
    )


# Reading


def test_only_the_docstrings_plain_examples_are_tests() -> None:
    text = (
        "    >>> f(1)\n    [2]\n    >>> g(1)\n    3\n    >>> f(2)\n    <object>\n    >>> x = f(3)\n"
    )
    assert read(f'def f(x):\n    """Do.\n\n{text}    """\n').examples == ("assert f(1) == [2]",)


@settings(deadline=None)
@given(st.text(alphabet="`~py \ndefx():#\t", max_size=120))
def test_reading_never_fails(text: str) -> None:
    asked = problem(ROW)
    found = list(states(PYTHON, asked, text))
    assert all(0 <= one.end <= len(text) for one in found)
    answer = PYTHON.answer(text)
    assert answer is None or answer in text
    source.defines(text)
    proof.pure(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
        | st.binary() | st.complex_numbers(allow_nan=False),
        lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
        max_leaves=12,
    )
)  # fmt: skip
def test_values_come_back_as_they_were(value: Any) -> None:
    back = carry.unpacked(json.loads(json.dumps(carry.packed(value))))
    assert (back, type(back)) == (value, type(value))


@given(st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=8))
def test_a_forged_value_is_refused_or_plain(given: Any) -> None:
    try:
        value = carry.unpacked(given)
    except (ValueError, TypeError):
        return
    carry.packed(value)


@pytest.mark.parametrize(
    ("behind", "back"),
    [
        ("There is a bug in the code above.", True),
        ("Unfortunately it crashes.", True),
        ("It returns the wrong value.", True),
        ("Change the last line to `return a - b`.", True),
        ("Nope.", True),
        ("❌", True),
        ("I realize the code is wrong.", True),
        ("I see a bug in this.", True),
        ("Replace + with - before using it.", True),
        ("You should replace + with -.", True),
        ("This is the buggy version you gave me.", True),
        ("This is the original code.", True),
        ("Actually, this is wrong, so it is fine.", True),
        ("It fails only if the inputs are not numbers. It is wrong.", True),
        ("This returns the sum.", False),
        ("It returns False if there is none.", False),
        ("There is no bug in the code above.", False),
        ("This avoids the wrong result of an overflow.", False),
        ("Replace the numbers with your own values to try it.", False),
        ("It fails only if the inputs are not numbers.", False),
        ("Actually, Python integers don't overflow, so this is fine.", False),
        ("Without it, the result would be wrong for zero.", False),
        ("It breaks when b is negative.", True),
        ("It does not pass the tests.", True),
        ("This has an off-by-one error.", True),
        ("The last line should be `return a - b`.", True),
        ("Swap the sign in the last line.", True),
        ("A check for None is missing.", True),
        ("That was my first attempt.", True),
        ("Is this right?", True),
        ("I could not solve the task.", True),
        ("However, the task asks for the product.", True),
        ("Dieser Code ist fehlerhaft.", True),
        ("这段代码是错误的。", True),
        ("👎", True),
        ("```python\nprint(add(1, 2))\n```\nThis prints the wrong value.", True),
        ("You can test it:\n```python\nprint(add(1, 2))  # wrong\n```\nThis prints `3`.", False),
        ("**How it works:**\n1. The list is sorted.\n2. Both halves are merged.", False),
        ("- **Time complexity:** O(n), where n is the length of the list.", False),
        ("If the list is empty, the function returns `None`.", False),
        ("We don't need a special case for zero.", False),
        ("Feel free to ask if you have any questions. Happy coding!", False),
        ("Note: the condition should be reversed.", True),
        ("The last `return` needs a `not`.", True),
        ("The loop should start at 1.", True),
        ("In the last line `-` must become `+`.", True),
        ("The return value is inverted.", True),
        ("However, the tests expect the opposite.", True),
        ("We need to change the sign.", True),
        ("To get the right result, negate the last line.", True),
        ("If we replace `<` by `<=`, then all tests pass.", True),
        ("Instead, use `<=`.", True),
        ("The rest of the code is omitted.", True),
        ("It should work.", True),
        ("I hope this is right.", True),
        ("The recursive one is correct.", True),
        ("The list must be sorted before it is searched.", False),
        ("The function should return True if the balance falls below zero.", False),
        ("Instead of recursion, we use a loop.", False),
        ("I hope this helps!", False),
        ("Run it with:", False),
        ("Test:\n```python\nprint(add(1, 2))\n```", False),
        ("Try it again.", True),
    ],
)
def test_what_behind_a_program_takes_it_back(behind: str, back: bool) -> None:
    assert explanations.explained(f"\n{behind}") is not back


@pytest.mark.parametrize(
    ("above", "denied"),
    [
        ("The original code:", True),
        ("Your code:", True),
        ("Don't do this:", True),
        ("Old version:", True),
        ("Here is the buggy code from the question:", True),
        ("Here's the code you gave me:", True),
        ("The code from the question:", True),
        ("What not to do:", True),
        ("Bad example:", True),
        ("The student submitted:", True),
        ("<!--", True),
        ("<del>", True),
        ("A common mistake:", True),
        ("Previously I had:", True),
        ("Instead of:", True),
        ("### Before", True),
        ("You might be tempted to write:", True),
        ("Falsch:", True),
        ("Here is a first draft:", True),
        ("Here is what GPT wrote:", True),
        ("~~", True),
        ("", False),
        ("<answer>", False),
        ("### Solution", False),
        ("To solve this, we can use recursion:", False),
        ("The task asks for the sum.", False),
        ("Certainly! Below is a Python implementation of the function:", False),
        ("Here is your code:", False),
        ("Here is the code for the function you gave me:", False),
        ("The corrected version of the original code:", False),
    ],
)
def test_what_above_a_program_denies_it(above: str, denied: bool) -> None:
    assert explanations.announced(above) is not denied


@pytest.mark.parametrize(
    ("later", "meant"),
    [
        ("double = lambda x: x + 2", False),
        ("from math import sqrt as double", False),
        ("from solutions import double", False),
        ("double: object = abs", False),
        ("del double", False),
        ("try:\n    def double(x): return x + 2\nexcept: pass", False),
        ("for double in [abs]: pass", False),
        ("(double := abs)", False),
        ("double, x = abs, 1", False),
        ("double.__code__ = (lambda x: x + 2).__code__", False),
        ("print(double(3))", True),
        ("assert double(3) == 6\nx = double(4)", True),
    ],
)
def test_what_a_later_block_makes_of_the_name(later: str, meant: bool) -> None:
    code = "def double(x):\n    return 2 * x"
    text = f"```python\n{code}\n```\n\n```python\n{later}\n```"
    found = reading.meant(text, "double")
    assert (found and source.unsaid(found.code)) == (code if meant else None)


def test_a_patch_behind_a_program_changes_it() -> None:
    code = "def double(x):\n    return 2 * x"
    text = f"```python\n{code}\n```\n\n```diff\n-    return 2 * x\n+    return x + 2\n```"
    assert reading.meant(text, "double") is None
