"""What a thread's calls cost, on disk: a node that dies with its process writes no ledger.

The solver's streams go on from journals of their own (:mod:`agentflow.models.journal`); what other
roles were asked is asked again, and was paid all the same.
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from agentflow.ledger import Entries


@dataclass(frozen=True, slots=True)
class Paid:
    """A file with an entry of the ledger on each line. A disk that is full is not told of here: the
    journals beside it tell."""

    path: Path
    _thread: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(1, "paid"), init=False
    )

    def __call__(self, entries: Entries) -> None:
        """Have entries written, soon and in this order; none behind :meth:`close`."""
        with suppress(RuntimeError):
            self._thread.submit(self._append, json.dumps(entries))

    def before(self) -> Entries:
        """What was written so far; a line that was cut off by a kill does not count."""
        entries = Entries()
        with suppress(OSError):
            for line in self.path.read_bytes().split(b"\n"):
                with suppress(ValueError):
                    entries |= json.loads(line)
        return entries

    def close(self) -> None:
        """Wait until all is written."""
        self._thread.shutdown()

    def _append(self, line: str) -> None:
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as file:
                file.write(f"\n{line}".encode())  # what a kill cut off has no end
