"""Over which streams the protocol is spoken: this process' own, or HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agentflow import models
from agentflow.server.endpoint import GONE, account_of, check_host, new_id, refusal
from agentflow.server.mcp.desk import Desk
from agentflow.server.mcp.tools import server_of
from agentflow.server.refused import Refused
from agentflow.server.serve import listen

PATH = "/mcp"


async def over_stdio(desk: Desk) -> None:
    """Serve who started this process, until its standard input ends."""
    try:
        await server_of(desk).run_stdio_async()
    finally:
        await models.close_all()


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
        streamable_http_path=PATH, max_request_body_size=settings.body_bytes, host=settings.host
    )
    return _Guarded(app, desk)


@dataclass(frozen=True, slots=True)
class _Guarded:
    """Lets in who has a key, where there are any, and does not wait for who is slow."""

    app: ASGIApp
    desk: Desk

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
            seen["key"] = account_of(request, self.desk.server).name
        except Refused as refused:
            await refusal(refused, id)(scope, receive, send)
            self.desk.server.told(id, request.method[:16], PATH, refused.status)
            return
        settings = self.desk.server.settings
        slow = _Patience(scope, receive, send, settings.body_seconds, settings.write_seconds)
        try:
            await self.app(scope, slow.receive, slow.send)
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
