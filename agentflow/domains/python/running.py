"""Runs an answer, and the tests on it, each in a process of its own.

The answer's process gets the arguments of calls, and gives back values. The tests' process gets
those values in the place of the function, and gives back the verdict; nothing of the answer ever
runs there. So what an answer does to its own process (a class that equals everything, a patched
builtin, a forged reply, `os._exit`) can only change what its own calls give: no expected value and
no test is within its reach.
"""

from __future__ import annotations

import builtins
import inspect
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any

from agentflow.domains.python import carry
from agentflow.domains.python.task import Task
from agentflow.tools.sandbox import Execution, Failure, Limits, Sandbox

LIMITS = Limits(seconds=20.0, cpu_seconds=20.0, memory_mib=1024, output_bytes=4 << 20)
ROUNDS = 40
"""How often the tests are run anew with what they asked for."""

_SYSTEM = frozenset(
    name
    for name, one in vars(builtins).items()
    if isinstance(one, type) and issubclass(one, OSError | MemoryError)
)
"""Errors of files, processes, network and memory."""

CARRY = inspect.getsource(carry).replace("from __future__ import annotations\n", "")

_ANSWER = """
import sys, types
sys.setrecursionlimit(5000)
module = sys.modules["answer"] = types.ModuleType("answer")  # where dataclasses look for it
space = vars(module)
exec(compile(data["stub"], "<given>", "exec"), space)
owner, _, name = data["entry"].rpartition(".")
ended = []
try:
    exec(compile(data["code"], "<answer>", "exec"), space)
except BaseException as error:  # behind the function, in what tries it, maybe
    if owner not in space and name not in space:
        raise
    ended = [["ended", type(error).__name__[:80], str(error)[:200]]]
said = []
for call in data["calls"]:
    arguments, named = unpacked(call)
    function = getattr(space[owner](), name) if owner in space else space[name]
    try:
        value = packed(function(*arguments, **named))
        changed = packed((arguments, named))
        said.append(["value", value] + [changed] * (changed != call))
    except Opaque as error:
        said.append(["opaque", str(error)])
    except Exception as error:
        kinds = [one.__name__[:80] for one in type(error).__mro__]
        said.append(["raised", kinds[0], str(error)[:200], *kinds[1:20]])
ans = said + ended
"""
_PRINTS = """
import os, tempfile
with tempfile.TemporaryFile() as given:  # as a file: programs read sys.stdin.buffer, or open(0)
    given.write(data["input"].encode())
    given.seek(0)
    os.dup2(given.fileno(), 0)
exec(compile(data["code"], "<answer>", "exec"), {"__name__": "__main__"})
ans = None
"""
_HELPERS = """
import ast, builtins, json, math, random, sys, types

def _listed(value):
    return [*value] if isinstance(value, tuple) else value

def _close(one, other, atol):
    if isinstance(one, float) or isinstance(other, float):
        try:
            return one == other or math.isclose(one, other, rel_tol=1e-7, abs_tol=atol)
        except TypeError:
            return False
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(_close(a, b, atol) for a, b in zip(one, other))
    return one == other
"""
_TOGETHER = """
sys.setrecursionlimit(5000)
module = sys.modules["answer"] = types.ModuleType("answer")
own = vars(module)
exec(compile(data["setup"], "<setup>", "exec"), own)
given = dict(own)  # one class of each name: a test may expect an error that is given
try:
    exec(compile(data["code"], "<answer>", "exec"), own)
except BaseException:  # in what tries it; that its function is there is known
    pass
made = [one for one, it in given.items() if isinstance(it, types.FunctionType)]
given.update({one: own[one] for one in made if one in own})  # a helper that it makes anew is used
owner, _, name = data["entry"].rpartition(".")

def method(*arguments, **named):
    return getattr(own[owner](), name)(*arguments, **named)

ans = ""
for test in data["tests"]:
    module = sys.modules["tests"] = types.ModuleType("tests")
    space = vars(module)
    space.update(given | {"_close": _close, "_listed": _listed})
    if data["reference"]:
        told = dict(space)
        exec(compile(data["reference"], "<reference>", "exec"), told)
        space["_reference"] = told[name]
    space[name] = method if owner in own else own[name]
    random.seed(0)
    try:
        exec(compile(test, "<test>", "exec"), space)
    except BaseException as error:
        ans = f"{type(error).__name__}: {error!s:.150}"
        break
"""
_TESTS = """

sys.set_int_max_str_digits(0)

known = {json.dumps(call): said for call, said in data["known"]}
needed, asked, lost = [], [], []

class Need(BaseException):
    pass

class Lost(BaseException):
    pass

raised = []  # by the answer, as its tests see it

def lose(why):
    lost.append(why)  # a test may catch everything
    raise Lost(why)

def lasting(reference):
    # What tells nothing of an input on which it fails itself: JSON has made a list of a tuple.
    def told(*arguments, **named):
        try:
            return reference(*arguments, **named)
        except Exception as error:
            lose(f"the reference ends with {type(error).__name__}: {error}")

    return told

def compares_identity(tree):
    # Values that are carried between processes are other objects.
    return any(
        isinstance(sign, (ast.Is, ast.IsNot)) and not isinstance(one, ast.Constant)
        and not isinstance(node.left, ast.Constant)
        for node in ast.walk(tree) if isinstance(node, ast.Compare)
        for sign, one in zip(node.ops, node.comparators)
    )

def function(*arguments, **named):
    try:
        call = packed(([*arguments], named))
    except Opaque as error:
        lose(f"an argument of type {error}")
    key = json.dumps(call)
    if key not in known:
        needed.append(call)
        raise Need()
    said = known[key]
    asked.append([arguments, named, said])
    if said[0] == "value":
        if len(said) > 2:
            renew(arguments, named, *unpacked(said[2]))
        return unpacked(said[1])
    if said[0] != "raised":
        lose(f"a value of type {said[1]}" if said[0] == "opaque" else said[1])
    raised.append(error_of([said[1], *said[3:]], said[2]))
    raise raised[-1]

def error_of(kinds, message):
    # The error of that name; else one of that name under the first of its bases that is known.
    for base in kinds:
        kind = getattr(builtins, base, space.get(base))
        if isinstance(kind, type) and issubclass(kind, Exception):
            kind = kind if base == kinds[0] else type(kinds[0], (kind,), {})
            try:
                return kind(message)
            except TypeError:  # it wants more than a message
                continue
    return Exception(message)

def renew(arguments, named, *after):
    # What the function made of its arguments.
    for old, new in [*zip(arguments, after[0]), *((named[one], after[1][one]) for one in named)]:
        if type(old) is list:
            old[:] = new
        elif type(old) in (dict, set):
            old.clear()
            old.update(new)

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
    del asked[:], lost[:]
    before = len(needed)
    random.seed(0)
    module = sys.modules["tests"] = types.ModuleType("tests")  # where dataclasses look for it
    space = vars(module)
    space.update({"Need_": Need, "_close": _close, "_listed": _listed})
    line = ""
    try:
        if data["reference"]:
            told = dict(space)
            exec(compile(data["reference"], "<reference>", "exec"), told)
            space["_reference"] = lasting(told[data["name"]])
        exec(compile(data["setup"], "<setup>", "exec"), space)
    except Exception as error:
        ans.append(["lost", f"what stands before it ends with {type(error).__name__}: {error}", ""])
        continue
    try:
        space[data["name"]] = function
        tree = ast.fix_missing_locations(Patient().visit(ast.parse(test, "<test>")))
        if compares_identity(tree):
            lose("it asks whether two values are the same object")
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
    if len(needed) > before:
        outcome = ["needs", ""]
    elif lost:
        outcome = ["lost", lost[0]]
    shown = ""
    if outcome[0] == "failed" and asked:
        arguments, named, said = asked[-1]
        given = ", ".join([*map(repr, arguments), *(f"{a}={b!r}" for a, b in named.items())])
        came = repr(unpacked(said[1])) if said[0] == "value" else f"{said[1]}: {said[2]}"
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
    replies = _replies(task, code, calls)
    return replies if isinstance(replies, Outcome) else replies[0]


def _replies(
    task: Task, code: str, calls: Sequence[Any]
) -> tuple[list[Any], tuple[str, str]] | Outcome:
    """The replies, and with which error the program ended behind its function: type and message."""
    stub, entry = task.stub, task.entry
    data = {"stub": stub, "code": code, "entry": entry, "calls": list(calls)}
    execution = sandbox().run(CARRY + _ANSWER, data=data)
    if execution.limit:
        return Outcome(None, "limit", f"the limit on {execution.limit} was reached")
    if execution.failure:
        failure = execution.failure
        reason = f"{failure.type}: {failure.message[:200]}"
        if failure.type in ("SandboxBroken", "SandboxUnavailable", "BadReply", "RecursionError"):
            return Outcome(None, "limit", reason)
        if _of_sandbox(failure.type, failure.message):
            return Outcome(None, "lost", f"in the sandbox it ends with {reason}")
        return Outcome(False, "died", f"it ends with {reason}", unbound=failure.type == "NameError")
    reply = execution.value
    ended = ("", "")
    if isinstance(reply, list) and len(reply) == len(calls) + 1 and _is_end(reply[-1]):
        _, *said = reply.pop()
        ended = (said[0], said[1])
    if not (isinstance(reply, list) and len(reply) == len(calls) and all(map(_is_reply, reply))):
        return Outcome(False, "died", "it ends before its function gives a value")
    return [_seen(one) for one in reply], ended


def _of_sandbox(kind: str, message: str) -> bool:
    """Whether an error may be one of the sandbox only, which has no files, processes, network, and
    few packages."""
    if kind == "ModuleNotFoundError":
        module = re.match(r"No module named '(\w+)", message)
        return module is not None and module[1] not in sys.stdlib_module_names
    killed = kind == "Died" and message.startswith("killed by SIGKILL")
    return killed or kind in _SYSTEM or "can't start new thread" in message


def _seen(reply: list[Any]) -> list[Any]:
    """A reply; what may be the sandbox's own error tells nothing."""
    if reply[0] == "raised" and _of_sandbox(reply[1], reply[2]):
        return ["lost", f"{reply[1]} in the sandbox: {reply[2]}"]
    return reply


def _is_end(reply: Any) -> bool:
    texts = isinstance(reply, list) and all(isinstance(one, str) for one in reply)
    return texts and len(reply) == 3 and reply[0] == "ended"


def _is_reply(reply: Any) -> bool:
    if not isinstance(reply, list) or not reply:
        return False
    if reply[0] == "value" and len(reply) in (2, 3):
        try:
            carry.unpacked(reply[1])
            _, _ = carry.unpacked(reply[-1]) if len(reply) == 3 else (None, None)
        except (ValueError, TypeError, RecursionError, OverflowError):
            return False
        return True
    texts = all(isinstance(one, str) for one in reply)
    return texts and ((reply[0], len(reply)) == ("opaque", 2) or _is_raised(reply))


def _is_raised(reply: list[str]) -> bool:
    return reply[0] == "raised" and len(reply) >= 3


def tried(task: Task, code: str, statements: Sequence[str], reference: str = "") -> Outcome:
    """Run tests on an answer.

    Args:
        statements: Python that calls the function and asserts; each is a test.
        reference: A right function, which the tests call ``_reference``.
    """
    outcome, known = _rounds(task, code, statements, reference, [])
    if not (outcome.ok and task.complete and known):
        return outcome
    calls = [one for one, _ in reversed(known)]  # a function of its arguments does not mind
    replies = call(task, code, calls)
    if isinstance(replies, Outcome):
        return replies
    again = list(zip(calls, replies, strict=True))
    other, _ = _rounds(task, code, statements, reference, again)
    if other.ok is False:
        return Outcome(None, "lost", f"called in another order, it fails: {other.reason}")
    return other


def together(task: Task, code: str) -> Outcome:
    """Run the tests and all of an answer in one process, as anybody else would: what it keeps from
    call to call, what it shares with its callers, and what its last lines do to it is seen there.

    It can only speak against an answer: an answer is in reach of its tests there.
    """
    tests, setup = [*task.examples, *task.tests], f"{task.stub}\n{task.setup}"
    if not (task.entry and tests):
        return Outcome(True)
    data = {"code": code, "entry": task.entry, "tests": tests, "setup": setup}
    more = {"reference": task.reference}
    execution = sandbox().run(_HELPERS + _TOGETHER, data=data | more)
    said = execution.value if execution.ok else why(execution)
    if said == "":
        return Outcome(True, passed=len(tests))
    return Outcome(None, "lost", f"in one process with its tests it fails: {said}")


Known = list[tuple[Any, Any]]
"""(call, reply)."""


def _rounds(
    task: Task, code: str, statements: Sequence[str], reference: str, known: Known
) -> tuple[Outcome, Known]:
    """Run tests, again and again with what they asked for; what came of it, and all that is known
    by then."""
    name = task.entry.rpartition(".")[2]
    setup = f"{task.stub}\n{task.setup}"
    data = {"tests": list(statements), "setup": setup, "name": name, "reference": reference}
    unbound, ended = False, ("", "")
    for _ in range(ROUNDS):
        execution = sandbox().run(CARRY + _HELPERS + _TESTS, data=data | {"known": known})
        if not execution.ok or not isinstance(execution.value, dict):
            return Outcome(None, "lost", f"the tests cannot be run: {why(execution)}"), known
        outcomes, needed = execution.value["outcomes"], execution.value["needed"]
        if failed := [one for one in outcomes if one[0] == "failed"]:
            _, line, shown = failed[0]
            reason = f"`{line[:200]}` fails" + (f": {shown}" if shown else "")
            return Outcome(False, "failed", reason, unbound=unbound), known
        if not needed:
            break
        fresh = [one for at, one in enumerate(needed) if one not in needed[:at]]
        found = _replies(task, code, fresh)
        if isinstance(found, Outcome):
            return found, known
        replies, ended = found
        unbound = unbound or "NameError" in (ended[0], *(one[1] for one in replies))
        known = [*known, *zip(fresh, replies, strict=True)]
    lost = [one[1] for one in outcomes if one[0] != "passed"]
    if lost:
        return Outcome(None, "lost", f"a test cannot tell: {lost[0] or 'too many calls'}"), known
    if ended[0]:
        reason = f"its function passes, but the program ends with {ended[0]}: {ended[1]}"
        return Outcome(None, "lost", reason, unbound=unbound), known
    return Outcome(True, passed=len(statements)), known


_NO_FAULT = ("", "0", "None")
"""With what a program ends itself where all went well."""


def prints(task: Task, code: str) -> Outcome:
    """Run a program on the inputs of a task, and compare what it prints as LiveCodeBench does."""
    for given, wanted in task.inputs:
        execution = sandbox().run(_PRINTS, data={"code": code, "input": given})
        if execution.limit:
            return Outcome(None, "limit", f"the limit on {execution.limit} was reached")
        failure = execution.failure
        if failure and failure.type == "SystemExit" and failure.message not in _NO_FAULT:
            return Outcome(None, "lost", f"it ends with the status {failure.message[:200]}")
        if failure and not _is_plain_end(failure):
            ended = f"{failure.type}: {failure.message[:200]}"
            if _of_sandbox(failure.type, failure.message):
                return Outcome(None, "lost", f"in the sandbox it ends with {ended}")
            return Outcome(False, "died", f"for the input {given[:200]!r} it ends with {ended}")
        if not _printed_alike(execution.stdout, wanted):
            output = execution.stdout[:200]
            reason = f"for the input {given[:200]!r} it prints {output!r}"
            return Outcome(False, "failed", reason)
    return Outcome(True, passed=len(task.inputs))


def _is_plain_end(failure: Failure) -> bool:
    """Whether a program came to its end, or ended itself."""
    by_itself = failure.type == "Died" and failure.message.startswith("ended with status 0,")
    return by_itself or failure.type in ("MissingValue", "SystemExit")


def _printed_alike(one: str, other: str) -> bool:
    """Whether the lines of two outputs are the same, but for spaces around them, or their numbers
    are."""
    ours, theirs = ([line.strip() for line in text.strip().split("\n")] for text in (one, other))
    return len(ours) == len(theirs) and all(
        a == b or (_numbers(a) == _numbers(b) is not None)
        for a, b in zip(ours, theirs, strict=True)
    )


def _numbers(line: str) -> list[Decimal] | None:
    """The numbers of a line that has nothing else."""
    try:
        return [Decimal(one) for one in line.split()]
    except InvalidOperation:
        return None
