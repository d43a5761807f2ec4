"""Runs an answer, and the tests on it, each in a process of its own.

The answer's process gets the arguments of calls, and gives back values. The tests' process gets
those values in the place of the function, and gives back the verdict; nothing of the answer ever
runs there. So what an answer does to its own process (a class that equals everything, a patched
builtin, a forged reply, `os._exit`) can only change what its own calls give: no expected value and
no test is within its reach.
"""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any

from agentflow.domains.python import carry
from agentflow.domains.python.programs import ANSWER, CARRY, HELPERS, PRINTS, TESTS, TOGETHER
from agentflow.domains.python.task import GIVEN, Task
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


def call(
    task: Task, code: str, calls: Sequence[Any], limits: Limits | None = None
) -> list[Any] | Outcome:
    """What the answer's function gives for packed calls: one reply each, or why there is none."""
    replies = _replies(task, code, calls, limits)
    return replies if isinstance(replies, Outcome) else replies[0]


def _replies(
    task: Task, code: str, calls: Sequence[Any], limits: Limits | None = None
) -> tuple[list[Any], tuple[str, str]] | Outcome:
    """The replies, and with which error the program ended behind its function: type and message."""
    stub, entry = task.stub, task.entry
    data = {"stub": stub, "code": code, "entry": entry, "calls": list(calls)}
    execution = sandbox().run(CARRY + ANSWER, data=data, limits=limits)
    if execution.limit:
        return Outcome(None, "limit", f"the limit on {execution.limit} was reached")
    if execution.failure and execution.failure.type != "MissingValue":
        failure = execution.failure
        reason = f"{failure.type}: {failure.message[:200]}"
        if failure.type in ("SandboxBroken", "SandboxUnavailable", "BadReply", "RecursionError"):
            return Outcome(None, "lost", reason)
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
        return _is_packed(reply[1]) and (len(reply) == 2 or _is_packed(reply[2], 2))
    texts = all(isinstance(one, str) for one in reply)
    return texts and ((reply[0], len(reply)) == ("opaque", 2) or _is_raised(reply))


def _is_packed(given: Any, parts: int | None = None) -> bool:
    """Whether a value was packed, one of that many parts."""
    try:
        value = carry.unpacked(given)
        return parts is None or len(value) == parts
    except (ValueError, TypeError, RecursionError, OverflowError):
        return False


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
    execution = sandbox().run(HELPERS + TOGETHER, data=data | more)
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
        execution = sandbox().run(CARRY + HELPERS + TESTS, data=data | {"known": known})
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
        if not all(map(_is_packed, fresh)):  # the sandbox cuts what is too deep
            return Outcome(None, "lost", "the arguments of a call cannot be carried"), known
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
        execution = _run(code, given)
        if execution.limit:
            return Outcome(None, "limit", f"the limit on {execution.limit} was reached")
        failure = execution.failure
        if failure and failure.type == "SystemExit" and failure.message not in _NO_FAULT:
            return Outcome(None, "lost", f"it ends with the status {failure.message[:200]}")
        if failure and not _is_plain_end(failure):
            ended = f"{failure.type}: {failure.message[:200]}"
            if _of_sandbox(failure.type, failure.message):
                return Outcome(None, "lost", f"in the sandbox it ends with {ended}")
            if failure.type == "NameError" and not _given().isdisjoint(failure.message.split("'")):
                return Outcome(None, "lost", f"it leaves out an import: {ended}")
            return Outcome(False, "died", f"for the input {given[:200]!r} it ends with {ended}")
        if not _printed_alike(execution.stdout, wanted):
            output = execution.stdout[:200]
            reason = f"for the input {given[:200]!r} it prints {output!r}"
            return Outcome(False, "failed", reason)
    return Outcome(True, passed=len(task.inputs))


def printed(code: str, given: str, limits: Limits) -> Outcome:
    """What a program prints for an input (``reason``), and with which error it ends."""
    execution = _run(code, given, limits)
    if execution.limit:
        return Outcome(None, "limit", f"the limit on {execution.limit} was reached")
    lines = "\n".join(line.strip() for line in execution.stdout.strip().split("\n"))
    failure = execution.failure
    if failure and _of_sandbox(failure.type, failure.message):
        return Outcome(None, "lost", failure.message)
    if failure and not _is_plain_end(failure):
        said = f"{lines}\nraises {failure.type}: {failure.message[:200]}".strip()
        return Outcome(None, "raised", said)
    return Outcome(True, reason=lines or "prints nothing")


def _run(code: str, given: str, limits: Limits | None = None) -> Execution:
    """A program's run on an input."""
    return sandbox().run(PRINTS, data={"code": code, "input": given}, limits=limits)


@cache
def _given() -> set[str]:
    """The names that the benchmark of such programs imports for them."""
    space = dict[str, Any]()
    exec(GIVEN, space)
    return {*space}


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
