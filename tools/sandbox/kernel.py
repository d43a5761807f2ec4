"""The system calls that Python does not have, by ctypes; each raises OSError when it fails."""

from __future__ import annotations

import ctypes
import os
import platform
import struct
from collections.abc import Sequence

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE, MS_RELATIME = 4096, 16384, 1 << 18, 1 << 21
MNT_DETACH = 2
PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_READ, PR_CAPBSET_DROP = 4, 22, 23, 24
PR_SET_SECUREBITS, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 28, 38, 47
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
LANDLOCK = 444
"""landlock_create_ruleset; _add_rule and _restrict_self follow; the same on every machine."""

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def check(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def unshare(flags: int) -> None:
    check(libc.unshare(flags))


def setns(descriptor: int, kind: int) -> None:
    check(libc.setns(descriptor, kind))


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    arguments = [os.fsencode(text) for text in (source, target, kind)]
    check(libc.mount(*arguments, ctypes.c_ulong(flags), options.encode()))


def umount(target: str, flags: int) -> None:
    check(libc.umount2(os.fsencode(target), flags))


def pivot_root(new: str, old: str) -> None:
    number = PIVOT_ROOT[platform.machine()]
    check(libc.syscall(ctypes.c_long(number), os.fsencode(new), os.fsencode(old)))


def prctl(option: int, *arguments: int) -> int:
    numbers = [ctypes.c_ulong(number) for number in (*arguments, 0, 0, 0, 0)[:4]]
    return check(libc.prctl(option, *numbers))


def drop_capabilities() -> None:
    """Give up all capabilities, also those that a program could get by being executed."""
    capability = 0
    while libc.prctl(PR_CAPBSET_READ, ctypes.c_ulong(capability), 0, 0, 0) >= 0:
        prctl(PR_CAPBSET_DROP, capability)
        capability += 1
    prctl(PR_CAP_AMBIENT, 4)  # PR_CAP_AMBIENT_CLEAR_ALL
    prctl(PR_SET_SECUREBITS, 0xEF)  # every bit set and locked but KEEP_CAPS, which stays off
    check(libc.capset(struct.pack("=Ii", 0x20080522, 0), bytes(24)))


def no_new_privileges() -> None:
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def seccomp(program: bytes) -> None:
    """Put a filter (`struct sock_filter[]`) on this process, for good."""
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    check(libc.prctl(PR_SET_SECCOMP, ctypes.c_ulong(2), header, 0, 0))


# Landlock (kernel 5.13)

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
EVERYTHING = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""ABI version: every right on files that it knows."""


def landlock_version() -> int:
    """The kernel's Landlock ABI; 0 where there is none."""
    return max(0, int(libc.syscall(ctypes.c_long(LANDLOCK), None, ctypes.c_size_t(0), 1)))


def landlock(version: int, rules: Sequence[tuple[str, int]]) -> None:
    """Leave this process these rights on files, and no TCP, no signals, no abstract sockets.

    Args:
        version: The ABI, at least 1.
        rules: [(path, rights beneath it)].
    """
    rights = EVERYTHING[max(known for known in EVERYTHING if known <= version)]
    attributes = [rights]
    attributes += [3] * (version >= 4)  # TCP: bind, connect
    attributes += [3] * (version >= 6)  # abstract sockets, signals
    text = struct.pack(f"={len(attributes)}Q", *attributes)
    ruleset = check(libc.syscall(ctypes.c_long(LANDLOCK), text, ctypes.c_size_t(len(text)), 0))
    for path, allowed in rules:
        place = os.open(path, os.O_PATH)
        rule = struct.pack("=Qi", allowed & rights, place)
        check(libc.syscall(ctypes.c_long(LANDLOCK + 1), ruleset, 1, rule, 0))
        os.close(place)
    check(libc.syscall(ctypes.c_long(LANDLOCK + 2), ruleset, 0))
    os.close(ruleset)
