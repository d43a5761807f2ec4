"""Answering: the runs that a request asks for, and their reply in the words of its API."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from agentflow.server import completions, messages, wire
from agentflow.server.completions import CompletionReply
from agentflow.server.counting import counted
from agentflow.server.endpoint import Call, Server
from agentflow.server.messages_reply import MessageReply
from agentflow.server.offers import Offer
from agentflow.server.reasoning import Delta
from agentflow.server.refused import Refused
from agentflow.server.requested import GenerationRequest
from agentflow.server.results import Ended
from agentflow.server.run import Run, Send, begin, until_gone
from agentflow.server.settings import ServeSettings
from agentflow.server.wire import ChatReply
from agentflow.together import together


class Reply(Protocol):
    """How an API writes one reply: whole, or as events."""

    def whole(self, ended: Sequence[Ended]) -> dict[str, Any]:
        """All of it."""

    def delta(self, index: int, delta: Delta) -> bytes:
        """A piece of a run's thinking; empty where it has no place."""

    def end(self, index: int, ended: Ended) -> bytes:
        """A run's end."""

    def last(self, ended: Sequence[Ended]) -> bytes:
        """The end of the stream."""


async def chat(server: Server, call: Call) -> Response | None:
    """``/v1/chat/completions``."""
    read = wire.read(await body_of(call.request, server.settings))
    asked, head = read.asked(), _head(call, "chatcmpl", read.model)
    return await _answer(server, call, asked, ChatReply(head, asked, with_usage=read.with_usage))


async def complete(server: Server, call: Call) -> Response | None:
    """``/v1/completions``."""
    read = completions.read(await body_of(call.request, server.settings))
    asked, head = read.asked(), _head(call, "cmpl", read.model)
    reply = CompletionReply(head, asked, with_usage=read.with_usage)
    return await _answer(server, call, asked, reply)


async def message(server: Server, call: Call) -> Response | None:
    """``/v1/messages``."""
    read = messages.read(await body_of(call.request, server.settings))
    asked, head = read.asked(), _head(call, "msg", read.model)
    return await _answer(server, call, asked, MessageReply(head, asked, thinks=read.shows_thinking))


async def count_tokens(server: Server, call: Call) -> Response | None:
    """``/v1/messages/count_tokens``: no number would be true."""
    said = (
        "tokens are not counted beforehand: a method asks its models more than once, and what it "
        "asks is known when it has run; read the reply's usage"
    )
    raise Refused(404, said, "not_counted")


def _head(call: Call, kind: str, model: str) -> dict[str, Any]:
    return {"id": f"{kind}-{call.stream.id}", "created": int(time.time()), "model": model}


async def _answer(
    server: Server, call: Call, asked: GenerationRequest, reply: Reply
) -> Response | None:
    """Answer whole, or stream."""
    offer = offer_called(server, asked.model)
    runs = begin(asked, offer, call.account, server.settings)
    call.fields |= {"model": offer.id, "streamed": asked.stream}
    with call.account.admitted(len(runs)), counted(server.metrics, runs, call.fields) as statuses:
        if asked.stream:
            work = _streamed(call, runs, reply)
        else:
            work = together(_ended(run) for run in runs)
        ended = await until_gone(work, call.request.receive)
        statuses += [one.result.status for one in ended]
    return None if asked.stream else JSONResponse(reply.whole(ended))


async def _ended(run: Run, send: Send | None = None) -> Ended:
    return run.ended(await run.result(send))


async def _streamed(call: Call, runs: Sequence[Run], reply: Reply) -> list[Ended]:
    """Stream all runs at once, to the last one's end."""

    async def one(index: int, run: Run) -> Ended:
        async def send(delta: Delta) -> None:
            if events := reply.delta(index, delta):
                await call.stream.write(events)

        ended = await _ended(run, send)
        await call.stream.write(reply.end(index, ended))
        return ended

    async with call.stream.kept_alive():
        ended = await together(one(index, run) for index, run in enumerate(runs))
    await call.stream.write(reply.last(ended), last=True)
    return ended


def offer_called(server: Server, id: str) -> Offer:
    """The offer with an id.

    Raises:
        Refused: If there is none (404).
    """
    if id not in server.offers:
        message = f"no model {id[:128]!r}; GET /v1/models lists them"
        raise Refused(404, message, "model_not_found", "model")
    return server.offers[id]


async def body_of(request: Request, settings: ServeSettings) -> bytes:
    """The body of a request.

    Raises:
        Refused: If it is no JSON (415), too large (413) or too slow (408).
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":  # which a web page may not send without being allowed to
        raise Refused(415, "send Content-Type: application/json", "bad_content_type")
    body = bytearray()
    try:
        async with asyncio.timeout(settings.body_seconds):
            async for part in request.stream():
                body += part
                if len(body) > settings.body_bytes:
                    said = f"the body is over {settings.body_bytes:,} bytes long"
                    raise Refused(413, said, "body_too_large")
    except TimeoutError:
        said = f"the body did not come within {settings.body_seconds:g} s"
        raise Refused(408, said, "body_too_slow") from None
    return bytes(body)
