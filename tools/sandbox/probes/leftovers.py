"""Attacks that leave something behind: for the next call, or on the host."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from typing import Any

from agentflow.tools.sandbox.probes.prelude import any_succeeds, checked, content, libc, succeeds
from agentflow.tools.sandbox.probes.probe import outlasted, probe, seen


def find_file(data: dict[str, Any]) -> bool:
    """The call after it."""
    places = (".", "/tmp", "/var/tmp", "/dev/shm", os.environ.get("HOME", "/"))
    return any(content(f"{place}/{data['marker']}") for place in places)


@probe(outlasted, later=find_file)
def file_for_the_next(data: dict[str, Any]) -> bool:
    """Leaves a file for the next call in the scratch folder, /tmp or home."""
    places = [".", os.environ.get("HOME", "/")] if data["inside"] else ["."]
    if data["inside"]:
        places += ["/tmp", "/var/tmp", "/dev/shm"]
    return any_succeeds(lambda place: Path(place, data["marker"]).write_text("x"), places)


def import_planted(data: dict[str, Any]) -> bool:
    """The call after it."""
    sys.path.insert(0, "")
    try:
        __import__(data["marker"])
    except ImportError:
        return False
    return True


@probe(outlasted, later=import_planted)
def planted_module(data: dict[str, Any]) -> bool:
    """Leaves a module where the next call imports from."""
    text = "found = True\n"
    places = [".", *sys.path] if data["inside"] else ["."]
    return any_succeeds(lambda place: Path(place, f"{data['marker']}.py").write_text(text), places)


def find_segment(data: dict[str, Any]) -> bool:
    """The call after it; takes it away."""
    segment = checked(libc.shmget(data["key"], 0, 0))
    return not libc.shmctl(segment, 0, None)


@probe(outlasted, later=find_segment)
def system_v_memory(data: dict[str, Any]) -> bool:
    """Leaves a shared memory segment of System V."""
    return checked(libc.shmget(data["key"], 4096, 0o1600)) >= 0


def find_semaphore(data: dict[str, Any]) -> bool:
    """The call after it; takes it away."""
    semaphore = checked(libc.semget(data["key"], 0, 0))
    return not libc.semctl(semaphore, 0, 0)


@probe(outlasted, later=find_semaphore)
def system_v_semaphore(data: dict[str, Any]) -> bool:
    """Leaves a semaphore of System V."""
    return checked(libc.semget(data["key"], 1, 0o1600)) >= 0


def find_queue(data: dict[str, Any]) -> bool:
    """The call after it; takes it away."""
    queue = checked(libc.msgget(data["key"], 0))
    return not libc.msgctl(queue, 0, None)


@probe(outlasted, later=find_queue)
def system_v_queue(data: dict[str, Any]) -> bool:
    """Leaves a message queue of System V."""
    return checked(libc.msgget(data["key"], 0o1600)) >= 0


def find_posix_queue(data: dict[str, Any]) -> bool:
    """The call after it; takes it away."""
    checked(libc.mq_open(f"/{data['marker']}".encode(), os.O_RDWR))
    return not libc.mq_unlink(f"/{data['marker']}".encode())


@probe(outlasted, later=find_posix_queue)
def posix_queue(data: dict[str, Any]) -> bool:
    """Leaves a POSIX message queue."""
    name = f"/{data['marker']}".encode()
    return checked(libc.mq_open(name, os.O_CREAT | os.O_RDWR, 0o600, None)) >= 0


def find_posix_memory(data: dict[str, Any]) -> bool:
    """The call after it; takes it away."""
    checked(libc.shm_open(f"/{data['marker']}".encode(), os.O_RDWR, 0))
    return not libc.shm_unlink(f"/{data['marker']}".encode())


@probe(outlasted, later=find_posix_memory)
def posix_memory(data: dict[str, Any]) -> bool:
    """Leaves POSIX shared memory."""
    name = f"/{data['marker']}".encode()
    return checked(libc.shm_open(name, os.O_CREAT | os.O_RDWR, 0o600)) >= 0


@probe(seen)
def daemon(data: dict[str, Any]) -> bool:
    """Leaves a process that nobody is the parent of, in a session of its own."""
    import time

    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            libc.prctl(15, data["marker"].encode(), 0, 0, 0)
            os.closerange(0, 64)
            time.sleep(8)
        os._exit(0)
    os.wait()
    time.sleep(0.2)
    return True


@probe(seen)
def child(data: dict[str, Any]) -> bool:
    """Leaves children that outlive it and ignore every signal."""
    import signal
    import time

    if os.fork() == 0:
        for number in range(1, 65):
            succeeds(lambda number=number: libc.signal(number, ctypes.c_void_p(1)))
        libc.prctl(15, data["marker"].encode(), 0, 0, 0)
        time.sleep(8)
        os._exit(signal.SIGTERM)
    time.sleep(0.2)
    return True


@probe(needs="a kernel that writes cores into the working folder")
def core_dump(data: dict[str, Any]) -> bool:
    """Leaves an image of its memory, by crashing."""
    import resource

    if content("/proc/sys/kernel/core_pattern").startswith((b"|", b"/")):
        return False
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))
    if (child := os.fork()) == 0:
        os.abort()
    return os.WCOREDUMP(os.waitpid(child, 0)[1])


def find_changes(data: dict[str, Any]) -> bool:
    """The call after it."""
    import builtins
    import math

    return (
        getattr(builtins, "planted", None) is not None
        or math.pi < 3
        or "planted" in sys.modules
        or "PLANTED" in os.environ
        or any(type(finder).__name__ == "Planted" for finder in sys.meta_path)
        or Path("changes").exists()
    )


@probe(outlasted, later=find_changes)
def changed_modules(data: dict[str, Any]) -> bool:
    """Changes builtins, modules, the environment and import hooks for the next call."""
    import builtins
    import math

    class Planted:
        pass

    builtins.planted = math.pi = 1  # type: ignore[attr-defined, misc]
    sys.modules["planted"] = math
    os.environ["PLANTED"] = "1"
    sys.meta_path.insert(0, Planted())  # type: ignore[arg-type]
    Path("changes").write_text("x")
    return True
