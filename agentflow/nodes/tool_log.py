"""What the tools that a node uses cost and said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from agentflow import ledger
from agentflow.tools.toolbox import Use


@dataclass(slots=True)
class ToolLog:
    """Every use of a tool becomes an entry of the ledger and an event ``tool``.

    Attributes:
        place: Where in the run; entries are called ``tool:ROLE/place/number``.
        emit: Receives the events.
        entries: The ledger's entries so far.
    """

    place: str
    emit: Callable[[dict[str, Any]], None]
    entries: ledger.Entries = field(default_factory=dict)

    def __call__(self, use: Use) -> None:
        entry = ledger.Entry(f"tool:{use.role}", seconds=use.seconds)
        key = f"tool:{use.role}/{self.place}/{len(self.entries)}"
        self.entries |= ledger.record(key, entry)
        self.emit({"type": "tool"} | asdict(use))
