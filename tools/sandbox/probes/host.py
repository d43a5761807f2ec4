"""What there is on the host that an attack could have left there or killed."""

from __future__ import annotations

import contextlib
import ctypes
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

SETTLE = 1.0
"""Seconds in which what ends must be gone."""


def status(process: int) -> tuple[str, str, int] | None:
    """(name, state, parent) of a process; None if there is none."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(errors="replace")
    except OSError:
        return None
    name = text[text.index("(") + 1 : text.rindex(")")]
    state, parent = text[text.rindex(")") + 2 :].split()[:2]
    return name, state, int(parent)


def all_processes() -> dict[int, tuple[str, str, int]]:
    found = {int(name): status(int(name)) for name in os.listdir("/proc") if name.isdigit()}
    return {process: shown for process, shown in found.items() if shown}


def alive(process: int) -> bool:
    found = status(process)
    return found is not None and found[1] not in "ZX"


def named(name: str) -> list[int]:
    """The processes that bear a name."""
    return [one for one, shown in all_processes().items() if shown[0] == name and shown[1] != "Z"]


@contextlib.contextmanager
def adopting() -> Iterator[Callable[[], dict[int, str]]]:
    """Become the parent of orphans, so that none is overlooked; gives (process, state) of all."""
    libc = ctypes.CDLL(None)
    get, put = 37, 36
    was = ctypes.c_int()
    libc.prctl(get, ctypes.byref(was), 0, 0, 0)
    libc.prctl(put, 1, 0, 0, 0)

    def children() -> dict[int, str]:
        shown = all_processes()
        ours = {os.getpid()}
        while more := {one for one, (_, _, parent) in shown.items() if parent in ours} - ours:
            ours |= more
        return {one: shown[one][1] for one in ours - {os.getpid()}}

    try:
        yield children
    finally:
        libc.prctl(put, was.value, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Host:
    """What there is on the host, as far as it could belong to the sandbox."""

    processes: int
    zombies: int
    files: int
    mounts: int

    @classmethod
    def now(cls, children: Callable[[], dict[int, str]]) -> Host:
        states = list(children().values())
        zombies = states.count("Z")
        files = len(os.listdir("/proc/self/fd"))
        mounts = len(Path("/proc/self/mountinfo").read_text().splitlines())
        return cls(len(states) - zombies, zombies, files, mounts)

    def changes(self, children: Callable[[], dict[int, str]]) -> list[str]:
        """What there is more of than there was, a moment later at the latest."""
        until = time.monotonic() + SETTLE
        while True:
            now = Host.now(children)
            more = [
                f"{getattr(now, name)} {name} where there were {getattr(self, name)}"
                for name in self.__slots__
                if getattr(now, name) > getattr(self, name)
            ]
            if not more or time.monotonic() > until:
                return more
            time.sleep(0.05)
