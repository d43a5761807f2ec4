"""What the attacks have at hand; its text stands in front of every attacking program."""

from __future__ import annotations

# ruff: noqa: F401  (the attacks use what is imported here)
import contextlib
import ctypes
import importlib.util
import mmap
import os
import pickle
import platform
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

libc = ctypes.CDLL(None, use_errno=True)

X86 = platform.machine() == "x86_64"
NUMBERS = {  # system call -> number on x86_64, number on arm64
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "clone": (56, 220),
    "clone3": (435, 435),
    "finit_module": (313, 273),
    "fsopen": (430, 430),
    "io_uring_setup": (425, 425),
    "kexec_load": (246, 104),
    "memfd_create": (319, 279),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "process_vm_readv": (310, 270),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "userfaultfd": (323, 282),
}
NEWNS, NEWUTS, NEWUSER, NEWNET = 0x20000, 0x4000000, 0x10000000, 0x40000000


def call(name: str, *arguments: Any) -> int:
    """A system call that Python has no name for; raises OSError as they all do."""
    return checked(libc.syscall(NUMBERS[name][0 if X86 else 1], *map(_word, arguments)))


def _word(argument: Any) -> Any:
    return ctypes.c_long(argument) if isinstance(argument, int) else argument


def checked(result: int) -> int:
    """The result of a function of C; raises OSError where it is negative."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def succeeds(attempt: Any, *arguments: Any) -> bool:
    """Whether an attempt raises no OSError."""
    try:
        attempt(*arguments)
    except OSError:
        return False
    return True


def any_succeeds(attempt: Any, given: Any) -> bool:
    """Whether an attempt raises no OSError for one of what is given."""
    return any(succeeds(attempt, one) for one in given)


def unshare(flags: int) -> bool:
    """Enter new namespaces, with every privilege in them; False where that is refused."""
    return succeeds(lambda: checked(libc.unshare(flags | NEWUSER)))


def content(path: Any, most: int = 1 << 16) -> bytes:
    """The beginning of a file; empty where it cannot be read."""
    try:
        return os.read(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), most)
    except OSError:
        return b""


def tells(read: bytes, decoys: dict[str, Any]) -> bool:
    """Whether what was read is the secret."""
    return read == str(decoys["secret"]).encode()


def processes() -> list[int]:
    """The processes to be seen in /proc; its absence shows none."""
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []


def enclosed() -> bool:
    """Whether this is the first process of a PID namespace, so that a signal to all hits no host.

    What would hurt the host where the sandbox does not hold asks this first.
    """
    return os.getpid() == 1


def own_mounts() -> bool:
    """Enter a mount namespace; False where mounting could change those of the host."""
    return unshare(NEWNS) or enclosed()


def others(decoys: dict[str, Any]) -> list[int]:
    """The processes to look into: outside only the decoy, inside all that may be there."""
    if not decoys["inside"]:
        return list(decoys["targets"])
    seen = {*decoys["targets"], 1, 2, 3, os.getppid(), *processes()}
    return sorted(seen - {0, os.getpid()})
