"""CPU time and memory of a served engine's processes, for benchmarks."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agentflow.models.serve import Served


class Cpu:
    """CPU seconds so far of a server's processes, and of this one."""

    def __init__(self, served: Served) -> None:
        (self.api,) = children(served.process.pid)
        self.engine = [*descendants(self.api)]

    def read(self) -> dict[str, float]:
        return {
            "client": time.process_time(),
            "api": used(self.api),
            "engine": sum(map(used, self.engine)),
        }

    @contextmanager
    def count(self) -> Iterator[dict[str, float]]:
        """What is used inside of the block, in seconds."""
        found: dict[str, float] = {}
        before = self.read()
        yield found
        found.update({name: value - before[name] for name, value in self.read().items()})

    def memory(self) -> float:
        """MB that the engine holds."""
        pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self.engine]
        return sum(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6


def children(pid: int) -> list[int]:
    return [
        int(child)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for child in (task / "children").read_text().split()
    ]


def descendants(pid: int) -> Iterator[int]:
    for child in children(pid):
        yield child
        yield from descendants(child)


def used(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
