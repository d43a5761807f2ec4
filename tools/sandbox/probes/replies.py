"""Attacks on whoever reads the result."""

from __future__ import annotations

import os
from typing import Any

from agentflow.tools.sandbox.execution import Limits
from agentflow.tools.sandbox.probes.prelude import succeeds
from agentflow.tools.sandbox.probes.probe import Ran, probe, silenced

BRIEF = Limits(seconds=1, cpu_seconds=1, memory_mib=256)


def believed(ran: Ran) -> str:
    """The forged result was taken, and that the program had to be stopped was not told."""
    return "the forged result was believed" if ran.value is True and not ran.limit else ""


@probe(believed, limits=Limits(seconds=1, cpu_seconds=1), begins=True)
def forged(data: dict[str, Any]) -> None:
    """Writes a result of its own to every file descriptor, then runs for ever."""
    import json
    import time

    shape = {"value": True, "failure": None, "limit": None, "shown": "True", "ok": True}
    text = json.dumps({**shape, "seconds": 0, "cpu_seconds": 0, "peak_mib": 0, "status": 0})
    for number in range(1, 256):
        succeeds(os.write, number, f"\n{text}\n".encode())
    print("begun", flush=True)
    os.write(1, text.encode())
    while True:
        time.sleep(1)


@probe(silenced, limits=BRIEF)
def garbled(data: dict[str, Any]) -> None:
    """Writes garbage to every file descriptor and ends."""
    for number in range(1, 256):
        succeeds(os.write, number, bytes(range(256)) * 4)
    os._exit(0)


@probe(silenced, limits=BRIEF)
def ended(data: dict[str, Any]) -> None:
    """Ends without a result (os._exit)."""
    os._exit(0)


@probe(silenced, limits=BRIEF)
def killed(data: dict[str, Any]) -> None:
    """Kills itself."""
    os.kill(os.getpid(), 9)


@probe(silenced, limits=BRIEF)
def crashed(data: dict[str, Any]) -> None:
    """Crashes in C: it reads from address 0."""
    import ctypes
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ctypes.string_at(0)


@probe(silenced, limits=BRIEF)
def closed(data: dict[str, Any]) -> int:
    """Closes every file descriptor before the result is written."""
    os.closerange(0, 1024)
    return 1


@probe(silenced, limits=BRIEF)
def deep(data: dict[str, Any]) -> Any:
    """Gives lists nested 100,000 deep."""
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    return value


@probe(silenced, limits=BRIEF)
def cycle(data: dict[str, Any]) -> Any:
    """Gives a list that holds itself."""
    value: list[Any] = []
    value.append(value)
    return value


@probe(silenced, limits=BRIEF)
def long_integer(data: dict[str, Any]) -> int:
    """Gives an integer of 200,000 digits."""
    return 1 << 664_386


@probe(silenced, limits=BRIEF)
def broken_text(data: dict[str, Any]) -> Any:
    """Gives an object whose every text raises."""

    class Broken:
        def __str__(self) -> str:
            raise KeyboardInterrupt

        __repr__ = __str__

    return Broken()


@probe(silenced, limits=BRIEF, begins=True)
def endless_text(data: dict[str, Any]) -> Any:
    """Gives an object that never ends telling what it is."""

    class Endless:
        def __str__(self) -> str:
            print("begun", flush=True)
            while True:
                pass

        __repr__ = __str__

    return Endless()


@probe(silenced, limits=BRIEF)
def broken_error(data: dict[str, Any]) -> None:
    """Raises an error that has no text."""

    class Broken(BaseException):
        def __str__(self) -> str:
            os._exit(3)

        __repr__ = __str__

    raise Broken


@probe(silenced, limits=BRIEF)
def changed_runner(data: dict[str, Any]) -> Any:
    """Changes the functions that write the result."""
    import builtins
    import json
    import sys

    def ruined(*_: Any, **__: Any) -> Any:
        return b"\0"

    json.dumps = json.JSONEncoder.encode = os.write = ruined  # type: ignore[method-assign]
    builtins.print = builtins.repr = ruined
    sys.stdout = sys.stderr = None
    return 1
