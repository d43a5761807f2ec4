"""uvicorn's HTTP/1.1, stricter with clients that are slow or push."""

from __future__ import annotations

import asyncio
import socket
from functools import partial
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

CONNECTIONS = 1000
"""Open connections; for a further one, who has waited longest for a request is broken off."""

UNREAD_BYTES, SEND_BUFFER = 16_384, 65_536
"""What may wait in this process, and in its kernel, for a client to read it."""

HEAD_SECONDS = 20.0
"""Seconds in which the head of a request must have come."""


class Protocol(H11Protocol):
    """One connection.

    A head that does not come in time ends it, but not while a reply is still being read. So does
    what is sent while a reply is under way: with the reading paused for it, nobody would see the
    client go. A request's state has the connection as ``transport``, to break it off.
    """

    _late: asyncio.TimerHandle | None = None
    _waits_since = 0.0
    _unread = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self.app_state = {**self.app_state, "transport": transport}
        transport.set_write_buffer_limits(high=UNREAD_BYTES)
        if (own := transport.get_extra_info("socket")) is not None:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            # asyncio sets it only for sockets that name their protocol, which accepted ones do not.
            own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._await_head()
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        if self._late is not None:
            self._late.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what was sent."""
        super().data_received(data)
        cycle = self.cycle
        busy = cycle is not None and not cycle.more_body and not cycle.response_complete
        if busy and self.conn.trailing_data[0]:
            self.transport.abort()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._await_head()

    @property
    def _waits(self) -> bool:
        """Whether no request is under way."""
        return self.cycle is None or self.cycle.response_complete

    def _make_room(self) -> None:
        """Where there are too many connections, end one that waits; this one does, at least."""
        if len(self.connections) <= CONNECTIONS:
            return
        waiting = [one for one in self.connections if isinstance(one, Protocol) and one._waits]
        oldest = min(waiting, key=lambda one: one._waits_since)
        self.connections.discard(oldest)
        oldest.transport.abort()

    def _await_head(self) -> None:
        self._waits_since = self.loop.time()
        if self._late is not None:
            self._late.cancel()
        self._unread = self.transport.get_write_buffer_size()
        self._late = self.loop.call_later(HEAD_SECONDS, partial(self._end_if_idle, self.cycle))

    def _end_if_idle(self, cycle: Any) -> None:
        """End the connection, unless a request came, or the last reply is being read."""
        if self.cycle is not cycle:
            return
        if 0 < self.transport.get_write_buffer_size() <= self._unread - UNREAD_BYTES:
            self._await_head()
        else:
            self.transport.abort()
