"""Attacks on other processes: the parent, the zygote, calls at the same time, the host's."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from typing import Any

from agentflow.tools.sandbox.probes.prelude import (
    any_succeeds,
    call,
    checked,
    content,
    enclosed,
    libc,
    others,
    processes,
    succeeds,
    tells,
)
from agentflow.tools.sandbox.probes.probe import disturbed, printed, probe, seen


def waiting(data: dict[str, Any]) -> bool:
    """A call beside the attack: it keeps a secret and comes to its end if nobody stops it."""
    import time
    from pathlib import Path

    Path(data["marker"]).write_text(data["secret"])
    print("begun", flush=True)
    time.sleep(1.5)
    return tells(content(data["marker"]), data)


@probe(seen, victim=True)
def kill(data: dict[str, Any]) -> bool:
    """Kills processes of the host by their numbers."""
    targets = [*data["targets"], *(range(2, 400) if enclosed() else ())]
    return any([succeeds(os.kill, process, signal.SIGKILL) for process in targets])  # noqa: C419


@probe(disturbed, beside=waiting)
def kill_beside(data: dict[str, Any]) -> bool:
    """Kills a call that runs at the same time, the zygote, and everything at once."""
    if data["inside"] and not enclosed():
        return True  # it sees the processes of the host; to kill them all would prove no more
    targets = [-1, *range(2, 400)] if enclosed() else data["targets"]
    return any([succeeds(os.kill, process, signal.SIGKILL) for process in targets])  # noqa: C419


@probe(beside=waiting)
def read_beside(data: dict[str, Any]) -> bool:
    """Reads the scratch folder of a call at the same time."""
    places = ["/tmp", ".", "..", *(f"/proc/{one}/cwd" for one in others(data))]
    return any(content(f"{place}/{data['marker']}").decode() for place in places)


@probe(disturbed, beside=waiting)
def write_beside(data: dict[str, Any]) -> bool:
    """Overwrites what a call at the same time keeps in its scratch folder."""

    def overwrite(process: int) -> None:
        with open(f"/proc/{process}/cwd/{data['marker']}", "r+") as file:
            file.write("x")

    return any_succeeds(overwrite, others(data))


@probe()
def see_beside(data: dict[str, Any]) -> bool:
    """Sees processes that are not its own."""
    return any(process not in (1, 2, os.getpid(), os.getppid()) for process in processes())


@probe(victim=True)
def ptrace(data: dict[str, Any]) -> bool:
    """Traces a process: its memory and every step would be the attacker's."""
    seize = 0x4206
    return any_succeeds(lambda process: checked(libc.ptrace(seize, process, 0, 0)), others(data))


@probe(victim=True)
def memory_file(data: dict[str, Any]) -> bool:
    """Opens the memory of other processes in /proc."""

    def opened(process: int) -> None:
        with open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
            memory.seek(data["address"])
            if memory.read(100).split(b"\0")[0].decode() != data["secret"]:
                raise OSError

    return any_succeeds(opened, others(data))


@probe(victim=True)
def memory_call(data: dict[str, Any]) -> bool:
    """Copies the memory of other processes (process_vm_readv)."""

    def copied(process: int) -> None:
        class Piece(ctypes.Structure):
            _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))

        buffer = ctypes.create_string_buffer(100)
        ours = Piece(ctypes.addressof(buffer), 100)
        theirs = Piece(data["address"], 100)
        one = ctypes.byref
        call("process_vm_readv", process, one(ours), 1, one(theirs), 1, 0)
        if buffer.value.decode() != data["secret"]:
            raise OSError

    return any_succeeds(copied, others(data))


@probe(victim=True)
def descriptor_of_others(data: dict[str, Any]) -> bool:
    """Takes an open file from another process (pidfd_getfd)."""

    def taken(process: int) -> None:
        handle = call("pidfd_open", process, 0)
        call("pidfd_getfd", handle, 0, 0)

    return any_succeeds(taken, others(data))


@probe(victim=True)
def priority_of_others(data: dict[str, Any]) -> bool:
    """Slows other processes down."""
    return any_succeeds(
        lambda process: os.setpriority(os.PRIO_PROCESS, process, 5), data["targets"]
    )


@probe(victim=True)
def limits_of_others(data: dict[str, Any]) -> bool:
    """Sets the limits of other processes."""

    def set_limit(process: int) -> None:
        limit = resource.prlimit(process, resource.RLIMIT_NOFILE)
        resource.prlimit(process, resource.RLIMIT_NOFILE, limit)

    return any_succeeds(set_limit, data["targets"])


@probe(needs="root")
def own_priority(data: dict[str, Any]) -> bool:
    """Takes the processor from everybody else: a higher priority, or real time."""
    return any_succeeds(
        lambda attempt: attempt(),
        [
            lambda: os.setpriority(os.PRIO_PROCESS, 0, -5),
            lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
        ],
    )


@probe(printed)
def other_program(data: dict[str, Any]) -> None:
    """Turns into a shell of the host."""
    os.execv("/bin/sh", ["sh", "-c", "echo ran"])


@probe(printed)
def own_program(data: dict[str, Any]) -> None:
    """Writes a program into the scratch folder and turns into it."""
    with open("own", "w") as file:
        file.write("#!/bin/sh\necho ran\n")
    os.chmod("own", 0o755)
    os.execv("./own", ["own"])


@probe(printed)
def program_in_memory(data: dict[str, Any]) -> None:
    """Writes a program into memory and turns into it, so that no mount's flags hold."""
    file = call("memfd_create", b"own", 0)
    os.write(file, content("/bin/echo", 1 << 24) or content(sys.executable, 1 << 24))
    os.execve(file, ["echo", "ran"], {})


@probe(printed)
def another_python(data: dict[str, Any]) -> None:
    """Starts Python anew, without what the sandbox set up in it."""
    os.execv(os.path.realpath(sys.executable), ["python", "-I", "-S", "-c", "print('ran')"])
