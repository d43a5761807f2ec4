"""A reply as server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from starlette.types import Scope, Send

BEAT_SECONDS = 15.0
"""Seconds of silence after which a comment is sent, so that nobody on the way gives up."""


class ClientGone(Exception):
    """The client is gone, or does not read what it is sent."""


@dataclass(slots=True)
class EventStream:
    """Server-sent events to one client; the reply begins with the first of them.

    Attributes:
        scope, send: ASGI's.
        id: The request's.
        write_seconds: How long the client may leave it unread.
        begun: Whether the reply has begun: from then on an error is an event.
    """

    scope: Scope
    send: Send
    id: str
    write_seconds: float
    begun: bool = False
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def write(self, data: bytes, *, last: bool = False) -> None:
        """Send events, behind those of others that write; they may be comments.

        Raises:
            ClientGone: If the client does not read; the connection is broken off.
        """
        try:
            async with asyncio.timeout(self.write_seconds), self._turn:
                if not self.begun:
                    self.begun = True
                    await self.send(self._head())
                await self.send({"type": "http.response.body", "body": data, "more_body": not last})
        except TimeoutError:
            if transport := self.scope.get("state", {}).get("transport"):
                transport.abort()
            raise ClientGone from None

    @asynccontextmanager
    async def kept_alive(self) -> AsyncIterator[None]:
        """Send a comment now and then, as long as this lasts."""
        beating = asyncio.ensure_future(self._beat())
        try:
            yield
        finally:
            beating.cancel()
            with suppress(asyncio.CancelledError, ClientGone):
                await beating

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            await self.write(b": working\n\n")

    def _head(self) -> dict[str, object]:
        headers = [
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"cache-control", b"no-cache"),
            (b"x-accel-buffering", b"no"),
            (b"x-request-id", self.id.encode()),
            (b"request-id", self.id.encode()),
        ]
        return {"type": "http.response.start", "status": 200, "headers": headers}
