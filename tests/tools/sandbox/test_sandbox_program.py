"""What a program's value, output and failure are."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agentflow.tools.sandbox import Execution, Limits, Sandbox

SMALL = Limits(seconds=60, cpu_seconds=2, output_bytes=2_000)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    one = Sandbox(SMALL)
    yield one
    one.close()


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("sum(range(10))", 45),
        ("ans = 1\n2", 1),
        ("def solver():\n    return 6 * 7\nans = solver()", 42),
        ("def main():\n    return {'a': [1, (2.5, None)], 3: True}\nans = main()",
         {"a": [1, [2.5, None]], "3": True}),
        ("if __name__ == '__main__':\n    ans = 'main'", "main"),
        ("x = 3; x + 1", 4),
        ("'a' ;", "a"),
        ("data['numbers'][1]", 7),
        ("import sys; ans = 5; sys.exit()", 5),
        ("ans = 5; raise SystemExit(0)", 5),
        ("ans = 5; exit()", 5),
        ("print('only printed')", None),
        ("'\\ud800'", "\\ud800"),
        ("'é∑'", "é∑"),
        ("2**63 - 1", 2**63 - 1),
        ("2**64", str(2**64)),
        ("len(str(10**20000 + 1))", 20001),
        ("float('nan'), float('-inf'), 0.5", ["nan", "-inf", 0.5]),
        ("{1, 1}", "{1}"),
        ("1j", "1j"),
        ("b'x'", "b'x'"),
        ("range(3)", "range(0, 3)"),
        ("lambda: 1", ...),
        ("from fractions import Fraction; Fraction(2, 6)", "1/3"),
        ("from sympy import *; x = symbols('x'); solve(x**2 - 2, x)", ["-sqrt(2)", "sqrt(2)"]),
        ("from sympy import *; Rational(1, 3), Integer(4), true", ["1/3", "4", "True"]),
        ("import numpy as np; np.int64(3), np.float64(.5), np.bool_(1)", ["3", "0.5", "True"]),
        ("import numpy as np; np.arange(3).tolist()", [0, 1, 2]),
        ("from z3 import *; x = Int('x'); s = Solver(); s.add(x > 2); s.check()", "sat"),
        ("import math_verify as m; m.verify(m.parse('$1/2$'), m.parse('0.5'))", True),
        ("from collections import OrderedDict, namedtuple; namedtuple('P', 'x')(1)", [1]),
        ("import asyncio\nasync def f(): return 3\nans = asyncio.run(f())", 3),
        ("import dataclasses\n@dataclasses.dataclass\nclass A: x: int\ndataclasses.asdict(A(1))",
         {"x": 1}),
        ("import pickle\nclass A: pass\ntype(pickle.loads(pickle.dumps(A()))) is A", True),
        ("from concurrent.futures import ThreadPoolExecutor as T\nlist(T(3).map(abs, [-1, 2]))",
         [1, 2]),
        ("import tempfile\nwith tempfile.NamedTemporaryFile('w') as f: ans = f.write('abc')", 3),
    ],
)  # fmt: skip
def test_the_value(sandbox: Sandbox, code: str, value: Any) -> None:
    run = sandbox.run(code, data={"numbers": [4, 7]})
    assert (run.failure, run.limit, run.ok) == (None, None, True)
    if value is ...:
        assert "lambda" in run.value
    else:
        assert run.value == value
        assert type(run.value) is type(value)


def test_shown_is_the_repr(sandbox: Sandbox) -> None:
    run = sandbox.run("from sympy import *; [Rational(1, 2), 'a', {1}]")
    assert run.shown == "[1/2, 'a', {1}]"
    assert run.value == ["1/2", "a", "{1}"]


@pytest.mark.parametrize(
    ("code", "name", "line"),
    [
        ("", "MissingValue", None),
        ("# nothing\n", "MissingValue", None),
        ("x = 1", "MissingValue", None),
        ("ans == 1", "NameError", 1),
        ("x = 1\n\n1/0", "ZeroDivisionError", 3),
        ("def f():\n    return {}['k']\n\nans = f()", "KeyError", 2),
        ("x = 1\ndef f(:\n", "SyntaxError", 2),
        ("  x = 1", "IndentationError", 1),
        ("return 3", "SyntaxError", 1),
        ("x = 1\n\neval('1 +')", "SyntaxError", 3),
        ("x = '\0'", "SyntaxError" if sys.version_info >= (3, 11, 4) else "ValueError", None),
        ("'\ud800'", "UnicodeEncodeError", None),
        ("import sys\nsys.exit('no')", "SystemExit", 2),
        ("raise KeyboardInterrupt", "KeyboardInterrupt", 1),
        ("def f(n): return f(n + 1)\nf(0)", "RecursionError", 1),
        ("import nothing_of_the_kind", "ModuleNotFoundError", 1),
        ("input()", "EOFError", 1),
        ("(" * 5000 + ")" * 5000, "SyntaxError", 1),
        ("import json\njson.loads('{')", "JSONDecodeError", 2),
        ("class E(Exception):\n    def __str__(self): raise ValueError\nraise E", "E", 3),
        ("import os; os._exit(0)", "Died", None),
        ("import os; os._exit(7)", "Died", None),
        ("import ctypes; ctypes.string_at(0)", "Died", None),
        ("import os; os.abort()", "Died", None),
        ("import os; os.write(3, b'{'); os._exit(0)", "BadReply", None),
    ],
)
def test_a_failure(sandbox: Sandbox, code: str, name: str, line: int | None) -> None:
    run = sandbox.run(code)
    assert run.failure is not None
    assert run.failure.type == name
    if name != "SyntaxError" or line:
        assert run.failure.line == line
    assert not run.ok
    assert run.value is None
    assert len(run.failure.message) <= 4_000


def test_how_a_process_died_is_told(sandbox: Sandbox) -> None:
    died = [sandbox.run(f"import os; os.{how}").failure for how in ("_exit(7)", "abort()")]
    assert [failure.message for failure in died if failure] == [
        "ended with status 7, without a result",
        "killed by SIGSEGV, without a result",
    ]


def test_output_is_kept_apart(sandbox: Sandbox) -> None:
    run = sandbox.run("import sys; print('out'); print('err', file=sys.stderr); ans = 1")
    assert (run.stdout, run.stderr, run.value) == ("out\n", "err\n", 1)


def test_what_was_printed_before_a_failure_is_kept(sandbox: Sandbox) -> None:
    run = sandbox.run("print('before')\n1/0")
    assert run.stdout == "before\n"
    assert run.failure is not None


def test_output_that_is_no_utf8(sandbox: Sandbox) -> None:
    run = sandbox.run("import sys; sys.stdout.buffer.write(b'a\\xff'); print('\\ud800')")
    assert run.stdout == "\\ud800\na\\xff" or run.stdout == "a\\xff\\ud800\n"


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("x = []; x.append(x); x", "[[...]]"),
        ("x = {}; x['x'] = x; x", "{'x': {...}}"),
        ("class A:\n    def __repr__(self): 1/0\nA()", "<A without a text: ZeroDivisionError>"),
        ("class A:\n    def __repr__(self): return 3\nA()", "<A without a text: TypeError>"),
        ("class A(list):\n    def __iter__(self): raise ValueError\nA([1])", "[1]"),
    ],
)  # fmt: skip
def test_values_that_have_no_json(sandbox: Sandbox, code: str, shown: str) -> None:
    run = sandbox.run(code)
    json.dumps(run.value, allow_nan=False)
    if run.failure is None:
        assert run.shown == shown
    else:
        assert run.failure.type == "ValueError"


def test_a_value_nested_deep_becomes_text(sandbox: Sandbox) -> None:
    run = sandbox.run("x = 1\nfor _ in range(500): x = [x]\nx")
    depth, value = 0, run.value
    while isinstance(value, list):
        depth, value = depth + 1, value[0]
    assert depth == 64
    assert isinstance(value, str)


def test_bad_data_is_a_result(sandbox: Sandbox) -> None:
    run = sandbox.run("data", data={1, 2})
    assert run.failure is not None
    assert "the data is not JSON" in run.failure.message


def test_limits_are_above_zero() -> None:
    with pytest.raises(ValueError, match="the limit seconds is 0"):
        Limits(seconds=0)
    with pytest.raises(ValueError, match="the limit memory_mib is nan"):
        Limits(memory_mib=float("nan"))  # type: ignore[arg-type]


async def test_arun(sandbox: Sandbox) -> None:
    assert (await sandbox.arun("data + 1", data=1)).value == 2


def assert_sane(run: Execution) -> None:
    """What holds of any execution."""
    json.dumps(run.value, allow_nan=False)
    for text in (run.shown, run.stdout, run.stderr, run.failure.message if run.failure else ""):
        text.encode()
        assert len(text) <= 4 * SMALL.output_bytes
    assert run.ok == (run.failure is None and run.limit is None)


TEXT = """ans = print ( ) [ ] { } : , . + ** 9 1/0 'x' import os sys def f return while True for in
data lambda raise yield await del global exit() __import__ exec eval \\ # é"""
WORDS = st.sampled_from([*TEXT.split(), "\n", "\0"])


@settings(max_examples=40)
@given(st.one_of(st.text(max_size=40), st.lists(WORDS, max_size=12).map(" ".join)))
@example("ans = ")
@example("9**9**9")
def test_any_text_gives_a_result(sandbox: Sandbox, code: str) -> None:
    assert_sane(sandbox.run(code, limits=Limits(seconds=0.5, cpu_seconds=1, output_bytes=2_000)))


@settings(max_examples=40)
@given(st.binary(max_size=200))
@example(b'{"value": 1, "shown": "1", "failure": null, "limit": "seconds"}')
@example(b'{"value": 1e999, "shown": "1", "failure": null, "limit": null}')
@example(b"[" * 100_000)
@example(b'{"value": "\\ud800", "shown": "", "failure": null, "limit": null}')
def test_any_forged_reply_gives_a_result(sandbox: Sandbox, reply: bytes) -> None:
    run = sandbox.run(f"import os; os.write(3, {reply!r}); os._exit(0)")
    assert_sane(run)
    assert run.limit != "seconds"
