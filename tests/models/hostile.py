"""A server that means harm: every way in which a reply may have no end, or be something else.

    python tests/models/hostile.py BEHAVIOUR [PORT]

serves one for the command line to be tried against; its URL is printed.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer
from fake_server import Fake, event, vllm_event

Write = Callable[[bytes], Awaitable[None]]

_TOKEN = vllm_event(4, " a")
_EMPTY = event(choices=[{"text": "", "index": 0, "logprobs": None, "finish_reason": None}])


async def endless(write: Write) -> None:
    """Tokens without end, whatever was asked for."""
    while True:
        await write(_TOKEN)


async def empty(write: Write) -> None:
    """Events without a token, without end."""
    while True:
        await write(_EMPTY)


async def pings(write: Write) -> None:
    """A few tokens, then events without any, without end."""
    for _ in range(3):
        await write(_TOKEN)
    await empty(write)


async def drip(write: Write) -> None:
    """A token a byte at a time."""
    for number in itertools.count():
        await write(_TOKEN[number % len(_TOKEN) :][:1])
        await asyncio.sleep(0.02)


async def silent(write: Write) -> None:
    """Nothing, without end."""
    await asyncio.sleep(3600)


async def one_line(write: Write) -> None:
    """An event without an end."""
    await write(b"data: ")
    while True:
        await write(b"a" * 65_536)


async def huge(write: Write) -> None:
    """Tokens of half a million letters each."""
    while True:
        await write(vllm_event(4, "a" * 500_000))


async def after_the_end(write: Write) -> None:
    """The end, and then more without end."""
    for _ in range(3):
        await write(_TOKEN)
    await write(event(choices=[{"text": "", "index": 0, "finish_reason": "stop"}]))
    await write(b"data: [DONE]\n\n")
    await endless(write)


BEHAVIOURS = {
    one.__name__: one
    for one in (endless, empty, pings, drip, silent, one_line, huge, after_the_end)
}


class Hostile(Fake):
    """A vLLM that behaves as it is told.

    Attributes:
        asked: Completions that were begun.
        sent: Bytes of them that were written.
    """

    def __init__(self, behaviour: str) -> None:
        super().__init__("vllm")
        self.behaviour = behaviour
        self.asked = self.sent = 0

    async def completions(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if body.get("logprobs") == 10_000_000 or "vllm_xargs" in body:
            return web.json_response({"error": {"message": "max allowed: 20"}}, status=400)
        if body["prompt"] == [0]:  # does it tell ids?
            return web.json_response({"choices": [{"text": "a", "token_ids": [5]}]})
        self.asked += 1
        if self.behaviour == "redirect":
            raise web.HTTPTemporaryRedirect(f"/v1/completions?{self.asked}")
        headers = {"Content-Type": "text/event-stream"}
        if self.behaviour == "gzip":
            headers["Content-Encoding"] = "gzip"
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)

        async def write(data: bytes) -> None:
            self.sent += len(data)
            await response.write(data)

        if self.behaviour == "gzip":
            packer = zlib.compressobj(wbits=31)
            packed = [packer.compress(b"a" * 65_536) for _ in range(2000)]
            await write(b"".join([*packed, packer.flush()]))
        else:
            await BEHAVIOURS[self.behaviour](write)
        return response


@asynccontextmanager
async def serving(behaviour: str) -> AsyncIterator[tuple[str, Hostile]]:
    """A hostile server's URL, and itself."""
    server = Hostile(behaviour)
    async with TestServer(server.app, host="127.0.0.1") as running:
        yield f"http://127.0.0.1:{running.port}/v1", server


async def serve_raw(head: Callable[[asyncio.StreamWriter], Awaitable[Any]]) -> asyncio.Server:
    """A server of bytes, for what is wrong before an answer begins."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            await head(writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    return await asyncio.start_server(handle, "127.0.0.1", 0)


async def main() -> None:
    """Serve until interrupted."""
    server = Hostile(sys.argv[1])
    port = int(sys.argv[2]) if len(sys.argv) > 2 else None
    async with TestServer(server.app, host="127.0.0.1", port=port) as running:
        print(f"http://127.0.0.1:{running.port}/v1", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
