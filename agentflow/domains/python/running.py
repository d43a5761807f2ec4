"""Runs an answer, and the tests on it, each in a process of its own.

The answer's process gets the arguments of calls, and gives back values. The tests' process gets
those values in the place of the function, and gives back the verdict; nothing of the answer ever
runs there. So what an answer does to its own process (a class that equals everything, a patched
builtin, a forged reply, `os._exit`) can only change what its own calls give: no expected value and
no test is within its reach.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from agentflow.domains.python import carry
from agentflow.domains.python.task import Task
from agentflow.tools.sandbox import Execution, Limits, Sandbox

LIMITS = Limits(seconds=20.0, cpu_seconds=20.0, memory_mib=1024, output_bytes=4 << 20)
ROUNDS = 40
"""How often the tests are run anew with what they asked for."""

CARRY = inspect.getsource(carry).replace("from __future__ import annotations\n", "")

_ANSWER = """
import copy, sys
sys.setrecursionlimit(5000)
space = {"__name__": "answer"}
exec(compile(data["stub"], "<given>", "exec"), space)
exec(compile(data["code"], "<answer>", "exec"), space)
owner, _, name = data["entry"].rpartition(".")
said = []
for call in data["calls"]:
    arguments, named = unpacked(call)
    function = getattr(space[owner](), name) if owner else space[name]
    try:
        said.append(["value", packed(function(*arguments, **named))])
    except Opaque as error:
        said.append(["opaque", str(error)])
    except Exception as error:
        said.append(["raised", type(error).__name__[:80], str(error)[:200]])
ans = said
"""
_PRINTS = """
import io, sys
sys.stdin = io.StringIO(data["input"])
exec(compile(data["code"], "<answer>", "exec"), {"__name__": "__main__"})
ans = None
"""
_TESTS = """
import ast, builtins, json, math, random

known = {json.dumps(call): said for call, said in data["known"]}
needed, asked = [], []

class Need(BaseException):
    pass

class Lost(BaseException):
    pass

raised = []  # by the answer, as its tests see it

def function(*arguments, **named):
    try:
        call = packed(([*arguments], named))
    except Opaque as error:
        raise Lost(f"an argument of type {error}")
    key = json.dumps(call)
    if key not in known:
        needed.append(call)
        raise Need()
    said = known[key]
    asked.append([arguments, named, said])
    if said[0] == "value":
        return unpacked(said[1])
    if said[0] == "opaque":
        raise Lost(f"a value of type {said[1]}")
    kind = getattr(builtins, said[1], Exception)
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        kind = Exception
    raised.append(kind(said[2]))
    raise raised[-1]

def _close(one, other, atol):
    if isinstance(one, float) or isinstance(other, float):
        try:
            return one == other or math.isclose(one, other, rel_tol=1e-7, abs_tol=atol)
        except TypeError:
            return False
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(_close(a, b, atol) for a, b in zip(one, other))
    return one == other

class Patient(ast.NodeTransformer):
    # What waits for a value is left out for now, so that the next ones are asked for, too.
    def visit_Assert(self, node):
        return self.left_out([node], node)[0]

    def visit_For(self, node):
        self.generic_visit(node)
        node.body = self.left_out(node.body, node.body[0])
        return node

    def left_out(self, body, place):
        handler = ast.ExceptHandler(ast.Name("Need_", ast.Load()), None, [ast.Pass()])
        return [ast.copy_location(ast.Try(body, [handler], [], []), place)]

ans = []
for number, test in enumerate(data["tests"]):
    del asked[:]
    before = len(needed)
    random.seed(0)
    space = {"__name__": "tests", "Need_": Need, "_close": _close}
    line = ""
    try:
        if data["reference"]:
            told = dict(space)
            exec(compile(data["reference"], "<reference>", "exec"), told)
            space["_reference"] = told[data["name"]]
        exec(compile(data["setup"], "<setup>", "exec"), space)
    except Exception as error:
        ans.append(["lost", f"what stands before it ends with {type(error).__name__}: {error}", ""])
        continue
    try:
        space[data["name"]] = function
        tree = ast.fix_missing_locations(Patient().visit(ast.parse(test, "<test>")))
        exec(compile(tree, "<test>", "exec"), space)
        outcome = ["passed", ""]
    except Need:
        outcome = ["needs", ""]
    except Lost as error:
        outcome = ["lost", str(error)]
    except Exception as error:
        unknown = isinstance(error, NameError) and error not in raised
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == "<test>":
                line = test.splitlines()[trace.tb_lineno - 1].strip()
            trace = trace.tb_next
        outcome = ["failed", line or type(error).__name__]
        if unknown:  # the answer may define it, but nothing of an answer runs here
            outcome = ["lost", str(error)]
    if len(needed) > before and outcome[0] != "failed":
        outcome = ["needs", ""]
    shown = ""
    if outcome[0] == "failed" and asked:
        arguments, named, said = asked[-1]
        given = ", ".join([*map(repr, arguments), *(f"{a}={b!r}" for a, b in named.items())])
        came = repr(unpacked(said[1])) if said[0] == "value" else f"{said[1]}: {said[-1]}"
        shown = f"{data['name']}({given[:200]}) gives {came[:200]}"
    ans.append([*outcome, shown])
ans = {"outcomes": ans, "needed": needed}
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of running tests.

    Attributes:
        ok: True if all passed, False if one failed, None where that cannot be told.
        kind: ``failed``, ``raised``, ``died``, ``limit`` or ``lost``; empty if all passed.
        reason: In words.
        passed: How many tests passed.
        call: The counterexample, as :mod:`carry` packs arguments; None where it is not known.
        unbound: Whether a name was not there: it may be defined further down.
    """

    ok: bool | None
    kind: str = ""
    reason: str = ""
    passed: int = 0
    unbound: bool = False
    call: Any = None


@cache
def sandbox() -> Sandbox:
    return Sandbox(LIMITS, preload=())


def why(execution: Execution) -> str | None:
    """Why a program of ours gave nothing."""
    return execution.failure.message[:200] if execution.failure else execution.limit


def call(task: Task, code: str, calls: Sequence[Any]) -> list[Any] | Outcome:
    """What the answer's function gives for packed calls: one reply each, or why there is none."""
    stub, entry = task.stub, task.entry
    data = {"stub": stub, "code": code, "entry": entry, "calls": list(calls)}
    execution = sandbox().run(CARRY + _ANSWER, data=data)
    if execution.limit:
        return Outcome(None, "limit", f"the limit on {execution.limit} was reached")
    if execution.failure:
        failure = execution.failure
        if failure.type in ("SandboxBroken", "SandboxUnavailable", "BadReply", "RecursionError"):
            return Outcome(None, "limit", f"{failure.type}: {failure.message[:200]}")
        unbound = failure.type == "NameError"
        reason = f"it ends with {failure.type}: {failure.message[:200]}"
        return Outcome(False, "died", reason, unbound=unbound)
    reply = execution.value
    if not (isinstance(reply, list) and len(reply) == len(calls) and all(map(_is_reply, reply))):
        return Outcome(False, "died", "it ends before its function gives a value")
    return reply


def _is_reply(reply: Any) -> bool:
    if not isinstance(reply, list) or not reply:
        return False
    if reply[0] == "value" and len(reply) == 2:
        try:
            carry.unpacked(reply[1])
        except (ValueError, TypeError, RecursionError, OverflowError):
            return False
        return True
    texts = all(isinstance(one, str) for one in reply)
    return texts and (reply[0], len(reply)) in (("opaque", 2), ("raised", 3))


def tried(task: Task, code: str, statements: Sequence[str], reference: str = "") -> Outcome:
    """Run tests on an answer.

    Args:
        statements: Python that calls the function and asserts; each is a test.
        reference: A right function, which the tests call ``_reference``.
    """
    known = list[tuple[Any, Any]]()
    name = task.entry.rpartition(".")[2]
    setup = f"{task.stub}\n{task.setup}"
    data = {"tests": list(statements), "setup": setup, "name": name, "reference": reference}
    unbound = False
    for _ in range(ROUNDS):
        execution = sandbox().run(CARRY + _TESTS, data=data | {"known": known})
        if not execution.ok or not isinstance(execution.value, dict):
            return Outcome(None, "lost", f"the tests cannot be run: {why(execution)}")
        outcomes, needed = execution.value["outcomes"], execution.value["needed"]
        if failed := [one for one in outcomes if one[0] == "failed"]:
            _, line, shown = failed[0]
            reason = f"`{line[:200]}` fails" + (f": {shown}" if shown else "")
            return Outcome(False, "failed", reason, unbound=unbound)
        if not needed:
            break
        fresh = [one for at, one in enumerate(needed) if one not in needed[:at]]
        replies = call(task, code, fresh)
        if isinstance(replies, Outcome):
            return replies
        unbound = unbound or any(one[:2] == ["raised", "NameError"] for one in replies)
        known += zip(fresh, replies, strict=True)
    lost = [one[1] for one in outcomes if one[0] != "passed"]
    if lost:
        return Outcome(None, "lost", f"a test cannot tell: {lost[0] or 'too many calls'}")
    return Outcome(True, passed=len(statements))


def prints(task: Task, code: str) -> Outcome:
    """Run a program on the inputs of a task; lines are compared without spaces at their ends."""
    for given, wanted in task.inputs:
        execution = sandbox().run(_PRINTS, data={"code": code, "input": given})
        if execution.limit:
            return Outcome(None, "limit", f"the limit on {execution.limit} was reached")
        if execution.failure and execution.failure.type not in ("MissingValue", "SystemExit"):
            ended = f"{execution.failure.type}: {execution.failure.message[:200]}"
            return Outcome(False, "died", f"for the input {given[:200]!r} it ends with {ended}")
        printed, right = (
            [line.rstrip() for line in text.rstrip().split("\n")]
            for text in (execution.stdout, wanted)
        )
        if printed != right:
            output = execution.stdout[:200]
            reason = f"for the input {given[:200]!r} it prints {output!r}"
            return Outcome(False, "failed", reason)
    return Outcome(True, passed=len(task.inputs))
