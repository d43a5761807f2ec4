"""The servers that samples run on: the least busy gets the next, one that is lost gets none.

A sample stays on its server, where its prefix is cached. Samples wait here until a server has room,
before their own time begins.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from agentflow.backoff import outlast, silent
from agentflow.errors import ModelUnavailable
from agentflow.models import Model


@dataclass(slots=True, eq=False)
class Place:
    """A server.

    Attributes:
        at: As a run is given it.
        check: Finds the server; raises ModelUnavailable where it does not answer.
        busy: Samples on it.
        lost: The task that waits for it to come back; None for one that is there.
        error: Why it was given up; None for one that was not.
    """

    at: str | Model | None
    check: Callable[[], Awaitable[Any]]
    busy: int = 0
    lost: asyncio.Task[None] | None = None
    error: ModelUnavailable | None = None


class Servers:
    """Leases on servers.

    Args:
        places: The servers.
        room: Samples that each takes at once.
        patience: Seconds that one that does not answer is waited for.
        tell: Told when one is waited for.
    """

    def __init__(
        self,
        places: Sequence[Place],
        room: int,
        patience: float,
        tell: Callable[[str], None] = silent,
    ) -> None:
        self.places = list(places)
        self.room = room
        self.patience = patience
        self.tell = tell
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def lease(self) -> AsyncIterator[Place]:
        """The least busy server that is there, once one has room.

        Raises:
            ModelUnavailable: If every server was given up.
        """
        async with self._changed:
            await self._changed.wait_for(
                lambda: self._free() or all(place.error is not None for place in self.places)
            )
            if not (free := self._free()):
                raise ModelUnavailable(
                    f"no server answered for {self.patience:.0f} s: "
                    + "; ".join(str(place.error) for place in self.places)
                )
            place = min(free, key=lambda one: one.busy)
            place.busy += 1
        try:
            yield place
        finally:
            place.busy -= 1
            async with self._changed:
                self._changed.notify_all()

    def lose(self, place: Place) -> None:
        """Give a server no more samples until it answers again."""
        if place.lost is None:
            place.lost = asyncio.ensure_future(self._find(place))

    async def close(self) -> None:
        """Wait for nobody any more."""
        waiting = [place.lost for place in self.places if place.lost is not None]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    async def _find(self, place: Place) -> None:
        try:
            await outlast(place.check, ModelUnavailable, self.patience, self.tell)
        except ModelUnavailable as error:
            place.error = error
        place.lost = None
        async with self._changed:
            self._changed.notify_all()

    def _free(self) -> list[Place]:
        there = (place for place in self.places if place.lost is None and place.error is None)
        return [place for place in there if place.busy < self.room]
