"""Over which streams the protocol is spoken: this process' own, or HTTP."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Thread
from typing import Any

from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agentflow import models
from agentflow.server.endpoint import (
    GONE,
    account_of,
    check_host,
    check_origin,
    new_id,
    refusal,
)
from agentflow.server.mcp.desk import Desk
from agentflow.server.mcp.sessions import Sessions, owned
from agentflow.server.mcp.tools import server_of
from agentflow.server.refused import Refused
from agentflow.server.serve import listen

PATH = "/mcp"


async def over_stdio(desk: Desk) -> None:
    """Serve who started this process, until its standard input ends.

    Raises:
        KeyboardInterrupt: If Ctrl-C ended it.
        BrokenPipeError: If nobody reads its standard output any more.
    """
    loop, interrupted, unread = asyncio.get_running_loop(), asyncio.Event(), False
    with _ending_input() as end:

        def stop() -> None:
            interrupted.set()
            loop.remove_signal_handler(signal.SIGINT)
            end()

        loop.add_signal_handler(signal.SIGINT, stop)
        try:
            await server_of(desk).run_stdio_async()
        except* BrokenPipeError:
            unread = True
        finally:
            loop.remove_signal_handler(signal.SIGINT)
            await models.close_all()
    if interrupted.is_set():
        raise KeyboardInterrupt
    if unread:
        raise BrokenPipeError


@contextmanager
def _ending_input() -> Iterator[Callable[[], None]]:
    """Have standard input come through this process, and give what ends it.

    The protocol's SDK reads it in a thread, which nothing but its end stops.
    """
    ours, theirs = socket.socketpair()
    real = os.dup(0)
    os.dup2(theirs.fileno(), 0)
    theirs.close()

    def end() -> None:
        with suppress(OSError):
            ours.shutdown(socket.SHUT_WR)

    def copy() -> None:
        with suppress(OSError):
            while chunk := os.read(real, 1 << 16):
                ours.sendall(chunk)
        end()

    Thread(target=copy, daemon=True).start()
    try:
        yield end
    finally:
        end()
        os.dup2(real, 0)


async def over_http(desk: Desk, ready: Callable[[str], None]) -> None:
    """Serve over streamable HTTP, until SIGTERM or Ctrl-C.

    Args:
        ready: Told the URL once requests are accepted.

    Raises:
        BadInput: If the address cannot be listened on, or is not loopback and there are no keys.
    """
    try:
        await listen(http_application(desk), desk.server.settings, PATH, ready)
    finally:
        await models.close_all()


def http_application(desk: Desk) -> ASGIApp:
    """The server as an ASGI application."""
    settings = desk.server.settings
    app = server_of(desk).streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=settings.body_bytes,
        host=settings.host,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )  # we see to that, as for every route: only a server without keys needs it
    return _Guarded(app, desk, Sessions(app))


@dataclass(frozen=True, slots=True)
class _Guarded:
    """Lets in who has a key, where there are any, and does not wait for who is slow."""

    app: ASGIApp
    desk: Desk
    sessions: Sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if scope["path"] == "/health":
            await JSONResponse({"status": "ok"})(scope, receive, send)
            return
        request, id, seen = Request(scope), new_id(), dict[str, Any]()
        try:
            check_host(request, self.desk.server)
            check_origin(request, self.desk.server)
            owner = seen["key"] = account_of(request, self.desk.server).name
        except Refused as refused:
            await refusal(refused, id)(scope, receive, send)
            self.desk.server.told(id, request.method[:16], PATH, refused.status)
            return
        settings = self.desk.server.settings
        slow = _Patience(scope, receive, send, settings.body_seconds, settings.write_seconds)

        async def replied(message: Message) -> None:
            if message["type"] == "http.response.start":
                await self.sessions.used(owner, asked, message)
            await slow.send(message)

        asked = owned(scope, owner)
        try:
            await self.app(asked, slow.receive, replied)
        except ClientDisconnect:  # behind a reply that nobody was there to read
            slow.status = GONE
        finally:
            self.desk.server.told(id, request.method[:16], PATH, slow.status or GONE, **seen)


@dataclass(slots=True)
class _Patience:
    """A request's streams, broken off where the client is too slow."""

    scope: Scope
    inner_receive: Receive
    inner_send: Send
    body_seconds: float
    write_seconds: float
    status: int = 0
    _whole: bool = False

    async def receive(self) -> Message:
        """The next message; the client is gone if its body does not come."""
        if self._whole:
            return await self.inner_receive()
        try:
            async with asyncio.timeout(self.body_seconds):
                message = await self.inner_receive()
        except TimeoutError:
            self._break_off()
            return {"type": "http.disconnect"}
        self._whole = not message.get("more_body")
        return message

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """Send a message; the connection is broken off if nobody reads it."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
        try:
            async with asyncio.timeout(self.write_seconds):
                await self.inner_send(message)
        except TimeoutError:
            self._break_off()
            raise OSError("the client does not read") from None

    def _break_off(self) -> None:
        if transport := self.scope.get("state", {}).get("transport"):
            transport.abort()
