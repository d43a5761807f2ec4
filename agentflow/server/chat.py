"""``/v1/chat/completions``: a method solves the problem that the user's message holds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from agentflow.run import Result
from agentflow.server import wire
from agentflow.server.endpoint import Call, Server
from agentflow.server.offers import Offer
from agentflow.server.reasoning import Delta
from agentflow.server.run import Run, begin, until_gone
from agentflow.server.settings import ServeSettings
from agentflow.server.stream import ClientGone
from agentflow.server.wire import Refused


async def chat(server: Server, call: Call) -> Response | None:
    """Answer with a completion, or stream one."""
    asked = wire.read(await _body(call.request, server.settings))
    offer = offer_called(server, asked.model)
    run = begin(asked, offer, call.account, server.settings)
    streamed = bool(asked.stream)
    call.fields |= {"model": offer.id, "streamed": streamed}
    head = {"id": f"chatcmpl-{call.stream.id}", "created": int(time.time()), "model": offer.id}
    with call.account.admitted():
        if not streamed:
            work = until_gone(run.result(), call.request.receive)
            result = await _counted(server, call, run, work)
            return JSONResponse(wire.completion(head, result, run.seed))
        with_usage = asked.stream_options is not None and bool(asked.stream_options.include_usage)
        work = until_gone(_streamed(call, run, head, with_usage), call.request.receive)
        await _counted(server, call, run, work)
    return None


async def _streamed(call: Call, run: Run, head: dict[str, Any], with_usage: bool) -> Result:
    """The run's result, streamed to its end."""
    role = {"role": "assistant"}

    async def send(delta: Delta) -> None:
        told = {} if delta.intervention is None else {"agentflow": delta.intervention}
        await call.stream.write(
            wire.chunk(head, role | {"reasoning_content": delta.text}, None, **told)
        )
        role.clear()

    async with call.stream.kept_alive():
        result = await run.result(send)
    if role:
        await call.stream.write(wire.chunk(head, role))
    end = wire.last_chunks(head, result, run.seed, with_usage=with_usage)
    await call.stream.write(b"".join(end), last=True)
    return result


async def _counted(server: Server, call: Call, run: Run, work: Awaitable[Result]) -> Result:
    """What ``work`` comes to; the run is counted and logged, however it ends."""
    begun, status = time.monotonic(), "failed"
    server.metrics.running.inc()
    try:
        result = await work
        status = result.status
        return result
    except ClientGone:
        status = "disconnected"
        raise
    except Refused:
        status = "refused"
        raise
    except asyncio.CancelledError:
        status = "stopped"
        raise
    finally:
        server.metrics.running.dec()
        server.metrics.ended(run.offer.id, status, run.cost, time.monotonic() - begun)
        cost = {"prompt": run.cost.prompt, "generated": run.cost.generated}
        call.fields |= {"run": status, "tokens": cost}


def offer_called(server: Server, id: str) -> Offer:
    """The offer with an id.

    Raises:
        Refused: If there is none (404).
    """
    if id not in server.offers:
        message = f"no model {id[:128]!r}; GET /v1/models lists them"
        raise Refused(404, message, "model_not_found", "model")
    return server.offers[id]


async def _body(request: Request, settings: ServeSettings) -> bytes:
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
