"""What the tools that a node uses cost and said."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from agentflow import ledger
from agentflow.models.budget import Budget
from agentflow.models.metered import Metered
from agentflow.tools.toolbox import Use

_LEAST = 1.0
"""Seconds that a tool has in any case: a stream that was cut when the run's time was over may still
have an answer to be judged."""


@dataclass(slots=True)
class ToolLog:
    """Every use of a tool becomes an entry of the ledger and an event ``tool``.

    Attributes:
        place: Where in the run; entries are called ``tool:ROLE/place/number``.
        emit: Receives the events.
        budget: The run's. It hears of every use, also of one that is cut off with its node.
        used: The ledger's entries for uses so far.
        meters: Models that were asked as tools, by their role in the ledger.
    """

    place: str
    emit: Callable[[dict[str, Any]], None]
    budget: Budget
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
        entry = ledger.Entry(f"tool:{use.role}", seconds=use.seconds, until=self.budget.clock)
        key = f"tool:{use.role}/{self.place}/{len(self.used)}"
        self.used |= ledger.record(key, entry)
        self.budget.entries |= ledger.record(key, entry)
        self.emit({"type": "tool"} | asdict(use))

    @asynccontextmanager
    async def limit(self) -> AsyncIterator[None]:
        """What ends a tool when the run's time is over; one that cannot be cancelled, as a thread
        cannot, goes on behind it.

        Raises:
            TimeoutError: Where it did.
        """
        left = self.budget.seconds_left
        limit = asyncio.timeout(None if left is None else max(left, _LEAST))
        try:
            async with limit:
                yield
        except TimeoutError as error:
            if not limit.expired():
                raise
            self.budget.over = self.budget.late
            raise TimeoutError(self.budget.late) from error
