"""Runs a command that ends when whoever started this ends, even by kill -9.

    python leash.py COMMAND...

Standard input is a pipe whose other end the starter holds: where it ends, the starter is gone.
Then, and when the command ends, no process of it is left, whatever groups and sessions they made
(where there is ``/proc``; elsewhere those of this group). SIGTERM is passed on; the exit code is
the command's. It imports nothing of agentflow, to be there at once.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_GRACE = 5.0
"""Seconds that the command has to end by itself once the starter is gone."""
_STEP = 0.02


def main(command: list[str]) -> NoReturn:
    """Run the command, and end as it does."""
    waiting: list[int] = []  # signals that came before there was whom to tell
    started: list[int] = []

    def pass_on(number: int, _: object) -> None:
        waiting.append(number)
        _tell(started, number)

    signal.signal(signal.SIGTERM, pass_on)
    _control(_PR_SET_CHILD_SUBREAPER, 1)  # what the command leaves behind becomes ours
    started.append(_start(command))
    _tell(started, *waiting)
    threading.Thread(target=_watch, args=(started, waiting), daemon=True).start()
    code = os.waitstatus_to_exitcode(os.waitpid(started[0], 0)[1])
    started.clear()
    _kill_all()
    if code < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # one such file is enough
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


def _start(command: list[str]) -> int:
    """Start the command, without the pipe; where this is killed, so is it."""
    child = os.fork()  # there is only one thread yet
    if child:
        return child
    try:
        _control(_PR_SET_PDEATHSIG, signal.SIGKILL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.execvp(command[0], command)
    finally:
        os._exit(127)


def _tell(processes: list[int], *signals: int) -> None:
    for process in processes:
        for number in signals:
            with suppress(ProcessLookupError):
                os.kill(process, number)


def _watch(started: list[int], told: list[int]) -> None:
    """End everything once the starter is gone."""
    with suppress(OSError):
        while os.read(0, 4096):
            pass
    if not told:
        _tell(started, signal.SIGTERM)
        until = time.monotonic() + _GRACE
        while started and time.monotonic() < until:
            time.sleep(_STEP)
    _kill_all()
    os.killpg(0, signal.SIGKILL)


def _kill_all() -> None:
    """Kill what descends from this process, and what that starts meanwhile."""
    until = time.monotonic() + _GRACE
    while (found := _descendants()) and time.monotonic() < until:
        _tell(found, signal.SIGKILL)
        time.sleep(_STEP)


def _descendants() -> list[int]:
    """The living processes below this one; none where there is no ``/proc``."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            if state not in "ZX":
                parents[int(folder.name)] = int(parent)
    found, family = [], {os.getpid()}
    while born := [one for one, parent in parents.items() if parent in family - {one}]:
        found += born
        family = set(born)
    return found


def _control(option: int, value: int) -> None:
    """Linux's ``prctl``; elsewhere nothing."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main(sys.argv[1:])
