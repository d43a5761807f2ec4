"""What every route does: let the client in, turn errors into replies, count and log."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from agentflow.server import log, messages_reply, wire
from agentflow.server.access import Access, Account
from agentflow.server.metrics import Metrics
from agentflow.server.offers import Offer
from agentflow.server.refused import Refused
from agentflow.server.settings import ServeSettings
from agentflow.server.stream import ClientGone, EventStream
from agentflow.telemetry import continued

_LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
GONE = 499
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


class Errors(NamedTuple):
    """How an API words an error: a whole reply, and the last event of a stream."""

    body: Callable[[Refused, str], dict[str, Any]]
    event: Callable[[Refused, str], bytes]


OPENAI = Errors(wire.error_body, wire.error_event)
ANTHROPIC = Errors(messages_reply.error_body, messages_reply.error_event)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A route's ASGI application."""

    server: Server
    route: str
    handler: Handler
    errors: Errors = OPENAI

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
            status = GONE
        finally:
            self.server.pending.discard(task)
        seconds = round(time.monotonic() - begun, 3)
        self.server.told(id, request.method, self.route, status, seconds=seconds, **fields)

    async def _reply(
        self, request: Request, stream: EventStream, send: Send, fields: dict[str, Any]
    ) -> int:
        """Send a reply; its status."""
        try:
            response = await self._response(request, stream, fields)
        except Refused as refused:
            if stream.begun:  # too late for a status: the error is the last event
                await stream.write(self.errors.event(refused, stream.id), last=True)
                return refused.status
            response = refusal(refused, stream.id, self.errors)
        if response is None:
            return 200
        response.headers["x-request-id"] = response.headers["request-id"] = stream.id
        await response(request.scope, request.receive, send)
        return response.status_code

    async def _response(
        self, request: Request, stream: EventStream, fields: dict[str, Any]
    ) -> Response | None:
        """The handler's response.

        Raises:
            Refused: If there is none; also where the handler failed.
            ClientGone: If nobody is there to have it.
        """
        try:
            check_host(request, self.server)
            account = account_of(request, self.server)
            fields["key"] = account.name
            return await self.handler(self.server, Call(request, account, stream, fields))
        except (Refused, ClientGone):
            raise
        except ClientDisconnect:
            raise ClientGone from None
        except asyncio.CancelledError:  # the server stops, and its grace is over
            raise Refused(503, "the server stops", "stopping", retry_after=5) from None
        except Exception as error:
            body = {"id": stream.id, "error": log.described(error)}
            log.write("failed", body, logging.ERROR)
            message = f"an error of the server; its log has it as {stream.id}"
            raise Refused(500, message, "internal_error") from None


def account_of(request: Request, server: Server) -> Account:
    """Who asks.

    Raises:
        Refused: If there is no such key (401).
    """
    headers = request.headers
    return server.access.account(headers.get("authorization", ""), headers.get("x-api-key", ""))


def check_host(request: Request, server: Server) -> None:
    """Without keys, refuse a web page that has its own name point to this machine.

    Raises:
        Refused: If the request is to another name (403).
    """
    if server.access.open and not _is_here(request.headers.get("host", ""), server):
        raise Refused(403, "without keys, only this machine's own name is served", "bad_host")


def check_origin(request: Request, server: Server) -> None:
    """Without keys, refuse a web page of elsewhere.

    Raises:
        Refused: If one asks (403).
    """
    origin = request.headers.get("origin", "")
    if server.access.open and origin and not _is_here(origin.rpartition("://")[2], server):
        raise Refused(403, "without keys, no page of another host is served", "bad_origin")


def _is_here(host: str, server: Server) -> bool:
    """Whether a host, which may have its port behind it, is this machine."""
    name = host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]
    return name.lower() in (*_LOCAL_HOSTS, server.settings.host)


def new_id() -> str:
    """A request's id."""
    return f"req-{secrets.token_hex(8)}"


def refusal(refused: Refused, id: str, errors: Errors = OPENAI) -> Response:
    """An error as a response."""
    headers = {} if refused.retry_after is None else {"retry-after": str(refused.retry_after)}
    if refused.status == 401:
        headers["www-authenticate"] = "Bearer"
    return JSONResponse(errors.body(refused, id), refused.status, headers)
