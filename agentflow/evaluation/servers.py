"""The servers that samples run on: the least busy gets the next, one that is lost gets none.

A sample stays on its server, where its prefix is cached. Samples wait here until a server has room,
before their own time begins.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from agentflow.backoff import outlast, silent
from agentflow.errors import AgentflowError, BadInput, ModelUnavailable, StreamBroken
from agentflow.together import together

T = TypeVar("T")

ATTEMPTS = 3
"""How often a run is begun before it is recorded as failed."""


@dataclass(slots=True, eq=False)
class Place:
    """A server.

    Attributes:
        at: As a run is given it.
        check: Finds the server and tells its model's name; raises ModelUnavailable where it does
            not answer.
        name: Of its model, once it was found.
        busy: Samples on it.
        lost: The task that waits for it to come back; None for one that is there.
        error: Why it was given up; None for one that was not.
    """

    at: Any
    check: Callable[[], Awaitable[str]]
    name: str | None = None
    busy: int = 0
    lost: asyncio.Task[None] | None = None
    error: AgentflowError | None = None

    async def find(self) -> str:
        """The name of its model.

        Raises:
            BadInput: If it cannot be used, or has another model than before.
            ModelUnavailable: If it does not answer.
        """
        name = await self.check()
        if self.name not in (None, name):
            raise BadInput(f"{self.at}: its model was {self.name}, and is {name} now")
        self.name = name
        return name


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

    async def model(self) -> str:
        """The name of the model that all servers have; one that does not answer yet is waited for,
        as one that is lost.

        Raises:
            BadInput: If they have different ones, or one cannot be used.
            ModelUnavailable: If one does not answer for longer than ``patience``.
        """
        names = set(await together(self._there(place) for place in self.places))
        if len(names) > 1:
            raise BadInput(f"the servers have different models: {', '.join(sorted(names))}")
        return names.pop()

    async def begin(
        self, run: Callable[[Any], Awaitable[T]], failed: Callable[[AgentflowError], T]
    ) -> T:
        """What a run comes to on the least busy server, which it is given; where that is lost it is
        begun again, at most :data:`ATTEMPTS` times in all, and then it ``failed``.

        Raises:
            ModelUnavailable: If every server was given up.
        """
        for attempt in range(1, ATTEMPTS + 1):
            async with self.lease() as place:
                try:
                    return await run(place.at)
                except (ModelUnavailable, StreamBroken) as error:
                    self.lose(place)
                    if attempt == ATTEMPTS:
                        return failed(error)
        raise AssertionError("the last attempt gives a record")

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
                    f"no server is left (one that is lost is waited for, up to {self.patience:.0f} "
                    "s): " + "; ".join(str(place.error) for place in self.places)
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
            await self._there(place)
        except AgentflowError as error:
            place.error = error
        finally:
            place.lost = None
            async with self._changed:
                self._changed.notify_all()

    async def _there(self, place: Place) -> str:
        """The name of a server's model, once it answers."""
        return await outlast(place.find, ModelUnavailable, self.patience, self.tell)

    def _free(self) -> list[Place]:
        there = (place for place in self.places if place.lost is None and place.error is None)
        return [place for place in there if place.busy < self.room]
