"""What every route does: let the client in, turn errors into replies, count and log."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from agentflow.server import log, wire
from agentflow.server.access import Access, Account
from agentflow.server.metrics import Metrics
from agentflow.server.offers import Offer
from agentflow.server.settings import ServeSettings
from agentflow.server.stream import ClientGone, EventStream
from agentflow.server.wire import Refused
from agentflow.telemetry import continued

_LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
_GONE = 499
"""The status, in the log, of a reply that nobody was there to read."""


@dataclass(slots=True)
class Server:
    """What the requests of one application share; ``pending`` are those under way."""

    settings: ServeSettings
    offers: Mapping[str, Offer]
    access: Access
    metrics: Metrics = field(default_factory=Metrics)
    started: int = field(default_factory=lambda: int(time.time()))
    pending: set[asyncio.Task[Any]] = field(default_factory=set)

    def told(self, id: str, method: str, route: str, status: int, **fields: Any) -> None:
        """Count and log a reply."""
        self.metrics.replies.labels(route, status).inc()
        where = {"method": method, "route": route, "status": status}
        log.write("request", {"id": id, **where, **fields})


@dataclass(slots=True)
class Call:
    """One request: whose it is, where a stream would go, and what the log is to say of it."""

    request: Request
    account: Account
    stream: EventStream
    fields: dict[str, Any]


Handler = Callable[[Server, Call], Awaitable[Response | None]]
"""Answers a request: with a response, or with None where it has streamed one."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A route's ASGI application."""

    server: Server
    route: str
    handler: Handler

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        id, begun, fields = new_id(), time.monotonic(), dict[str, Any]()
        request = Request(scope, receive)
        stream = EventStream(scope, send, id, self.server.settings.write_seconds)
        task = asyncio.current_task()
        assert task is not None
        self.server.pending.add(task)
        try:
            with continued(request.headers):
                status = await self._reply(request, stream, send, fields)
        except ClientGone:
            status = _GONE
        finally:
            self.server.pending.discard(task)
        seconds = round(time.monotonic() - begun, 3)
        self.server.told(id, request.method, self.route, status, seconds=seconds, **fields)

    async def _reply(
        self, request: Request, stream: EventStream, send: Send, fields: dict[str, Any]
    ) -> int:
        """Send a reply; its status."""
        response = await self._response(request, stream, fields)
        if response is None:
            return 200
        if stream.begun:  # too late for a status: the error is the last event
            await stream.write(b"data: " + bytes(response.body) + b"\n\n" + wire.DONE, last=True)
        elif response.status_code != _GONE:
            response.headers["x-request-id"] = stream.id
            await response(request.scope, request.receive, send)
        return response.status_code

    async def _response(
        self, request: Request, stream: EventStream, fields: dict[str, Any]
    ) -> Response | None:
        """The handler's response, or that of its error."""
        try:
            self._check_host(request)
            account = self.server.access.account(request.headers.get("authorization", ""))
            fields["key"] = account.name
            return await self.handler(self.server, Call(request, account, stream, fields))
        except Refused as refused:
            return refusal(refused)
        except (ClientGone, ClientDisconnect):
            return Response(status_code=_GONE)
        except asyncio.CancelledError:  # the server stops, and its grace is over
            return refusal(Refused(503, "the server stops", "stopping", retry_after=5))
        except Exception as error:
            told = {"id": stream.id, "error": log.described(error)}
            log.write("failed", told, logging.ERROR)
            said = f"an error of the server; its log has it as {stream.id}"
            return refusal(Refused(500, said, "internal_error"))

    def _check_host(self, request: Request) -> None:
        """Without keys, refuse a web page that has its own name point to this machine."""
        host = request.headers.get("host", "")
        name = host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]
        allowed = (*_LOCAL_HOSTS, self.server.settings.host)
        if self.server.access.open and name.lower() not in allowed:
            raise Refused(403, "without keys, only this machine's own name is served", "bad_host")


def new_id() -> str:
    """A request's id."""
    return f"req-{secrets.token_hex(8)}"


def refusal(refused: Refused) -> Response:
    """An error as a response."""
    headers = {} if refused.retry_after is None else {"retry-after": str(refused.retry_after)}
    if refused.status == 401:
        headers["www-authenticate"] = "Bearer"
    return JSONResponse(refused.body(), refused.status, headers)
