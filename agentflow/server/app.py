"""The application: its routes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from agentflow import models
from agentflow.server.access import Access
from agentflow.server.answering import chat, complete, count_tokens, message, offer_called
from agentflow.server.endpoint import (
    ANTHROPIC,
    OPENAI,
    Call,
    Endpoint,
    Errors,
    Handler,
    Server,
    new_id,
    refusal,
)
from agentflow.server.metrics import CONTENT_TYPE
from agentflow.server.offers import Offer
from agentflow.server.refused import Refused
from agentflow.server.settings import ServeSettings

_MESSAGES = "/v1/messages"
_LAST_WORDS = 5.0
"""Seconds in which requests that were cancelled say so."""


def application(settings: ServeSettings, offers: Mapping[str, Offer]) -> Starlette:
    """The server as an ASGI application.

    Raises:
        BadInput: If a key cannot be used.
    """
    server = Server(settings, offers, Access(settings))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        if server.pending:
            await asyncio.wait(server.pending, timeout=_LAST_WORDS)
        await models.close_all()

    def route(path: str, handler: Handler, method: str) -> Route:
        return Route(path, Endpoint(server, path, handler, _errors(path)), methods=[method])

    return Starlette(
        routes=[
            route("/v1/chat/completions", chat, "POST"),
            route("/v1/completions", complete, "POST"),
            route(_MESSAGES, message, "POST"),
            route(f"{_MESSAGES}/count_tokens", count_tokens, "POST"),
            route("/v1/models", _models, "GET"),
            route("/v1/models/{id:path}", _model, "GET"),
            route("/metrics", _metrics, "GET"),
            Route("/health", _health, methods=["GET"]),
        ],
        lifespan=lifespan,
        exception_handlers={HTTPException: partial(_unrouted, server)},
    )


def _errors(path: str) -> Errors:
    """The words for errors of a path."""
    return ANTHROPIC if path.startswith(_MESSAGES) else OPENAI


async def _models(server: Server, call: Call) -> Response:
    """The list, with what both APIs' clients look for."""
    data = [_described(server, offer) for offer in server.offers.values()]
    ids = {"first_id": data[0]["id"], "last_id": data[-1]["id"]} if data else {}
    return JSONResponse({"object": "list", "data": data, "has_more": False, **ids})


async def _model(server: Server, call: Call) -> Response:
    return JSONResponse(_described(server, offer_called(server, call.request.path_params["id"])))


def _described(server: Server, offer: Offer) -> dict[str, Any]:
    openai = {"id": offer.id, "object": "model", "created": server.started, "owned_by": "agentflow"}
    since = datetime.fromtimestamp(server.started, UTC).isoformat().replace("+00:00", "Z")
    return openai | {"type": "model", "display_name": offer.id, "created_at": since}


async def _metrics(server: Server, call: Call) -> Response:
    if not call.account.metrics:  # they tell what all clients together do
        raise Refused(403, "this key may not read the metrics", "not_allowed")
    return Response(server.metrics.text(), media_type=CONTENT_TYPE)


async def _health(request: Request) -> Response:
    return JSONResponse({"status": "ok"})


async def _unrouted(server: Server, request: Request, error: Exception) -> Response:
    """What no route takes; the log does not have its path, in which anything may stand."""
    assert isinstance(error, HTTPException)
    said = f"{request.method[:16]} {request.url.path[:128]}: {error.detail.lower()}"
    if error.status_code == 404:
        paths = (route.path.replace("{id:path}", "MODEL") for route in request.app.routes)
        said += f"; there are {', '.join(paths)}"
    id = new_id()
    errors = _errors(request.url.path)
    response = refusal(Refused(error.status_code, said, "no_route"), id, errors)
    response.headers.update(error.headers or {})
    response.headers["x-request-id"] = response.headers["request-id"] = id
    server.told(id, request.method[:16], "other", error.status_code)
    return response
