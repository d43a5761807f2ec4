"""What the tools that a node uses cost and said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from agentflow import ledger
from agentflow.models.metered import Metered
from agentflow.tools.toolbox import Use


@dataclass(slots=True)
class ToolLog:
    """Every use of a tool becomes an entry of the ledger and an event ``tool``.

    Attributes:
        place: Where in the run; entries are called ``tool:ROLE/place/number``.
        emit: Receives the events.
        clock: Tells the seconds of the run's clock.
        used: The ledger's entries for uses so far.
        meters: Models that were asked as tools, by their role in the ledger.
    """

    place: str
    emit: Callable[[dict[str, Any]], None]
    clock: Callable[[], float]
    used: ledger.Entries = field(default_factory=dict)
    meters: dict[str, Metered] = field(default_factory=dict)

    @property
    def entries(self) -> ledger.Entries:
        """The ledger's entries so far."""
        entries = dict(self.used)
        for meter in self.meters.values():
            entries |= meter.entries
        return entries

    def __call__(self, use: Use) -> None:
        entry = ledger.Entry(f"tool:{use.role}", seconds=use.seconds, until=self.clock())
        key = f"tool:{use.role}/{self.place}/{len(self.used)}"
        self.used |= ledger.record(key, entry)
        self.emit({"type": "tool"} | asdict(use))
