"""A server in this process, on scripted models that know how many of their streams are open."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from agentflow.models import Delay, Finish, Request, ScriptedModel, Token
from agentflow.server import Offer, ServeSettings, application
from agentflow.server.serve import Server, configuration

PUZZLE = "4 7 8 8"
THINKING = "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n"
SAID = "Answer: (7 - 8 / 8) * 4 = 24"
ANSWER = "(7 - 8 / 8) * 4"
SOLVED = f"{THINKING}</think>\n{SAID}"
ENDLESS = [part for _ in range(5000) for part in ("on and on\n", Delay(0.005))]


class Counted(ScriptedModel):
    """A scripted model; ``streaming`` says how many of its streams are under way.

    They begin when ``gate`` is open, where there is one.
    """

    streaming = 0
    gate: asyncio.Event | None = None

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        self.streaming += 1
        try:
            if self.gate is not None:
                await self.gate.wait()
            async for item in super().stream(request):
                yield item
        finally:
            self.streaming -= 1


def offers(model: ScriptedModel, **settings: Any) -> dict[str, Offer]:
    """Two methods on one model."""
    ids = {method: f"{method}/scripted" for method in ("direct", "interwhen")}
    return {id: Offer(id, method, settings, model) for method, id in ids.items()}


def asked(text: str = PUZZLE, method: str = "interwhen", **more: Any) -> dict[str, Any]:
    """The body of a request."""
    message = {"role": "user", "content": text}
    return {"model": f"{method}/scripted", "messages": [message], **more}


def client(
    model: ScriptedModel, serve: ServeSettings | None = None, library: Any = httpx, **settings: Any
) -> Any:
    """An HTTP client of an application of its own, without a socket between them.

    Args:
        library: httpx, or its successor of the same interface, which some SDKs have.
    """
    app = application(serve or ServeSettings(), offers(model, **settings))
    transport = library.ASGITransport(app, raise_app_exceptions=True)
    return library.AsyncClient(transport=transport, base_url="http://localhost/v1")


@asynccontextmanager
async def running(
    model: ScriptedModel, serve: ServeSettings | None = None, send_buffer: int = 0, **settings: Any
) -> AsyncIterator[tuple[Server, int]]:
    """uvicorn as the command starts it, and its port."""
    serve = serve or ServeSettings()
    server = Server(configuration(application(serve, offers(model, **settings)), serve))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        if send_buffer:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
        task = asyncio.ensure_future(server.serve([listening]))
        while not server.started:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        try:
            yield server, listening.getsockname()[1]
        finally:
            server.should_exit = True
            await task


async def falls_to_zero(model: Counted, seconds: float = 600.0) -> bool:
    """Whether all of the model's streams end in time."""
    for _ in range(int(seconds / 0.02)):
        if model.streaming == 0:
            return True
        await asyncio.sleep(0.02)
    return False


async def falls(model: Counted) -> None:
    """Wait until no stream is open."""
    async with asyncio.timeout(600):
        while model.streaming:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def rises(model: Counted, to: int = 1) -> None:
    """Wait until so many streams are open."""
    async with asyncio.timeout(600):
        while model.streaming < to:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
