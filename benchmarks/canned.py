"""A canned Game of 24 trace, and a server that streams it in llama.cpp's shape."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import islice
from multiprocessing.connection import Connection

import orjson

from agentflow.domains import arithmetic
from agentflow.domains.game24 import solutions
from agentflow.profile import PROFILES

PROFILE = PROFILES["pocket"]
SOLUTIONS = sorted({arithmetic.show(solution) for solution in solutions((1, 6, 8, 12))})
GAP = 200e-6
"""Seconds between two tokens of a paced stream: longer than any reader needs for one."""


def lines() -> Iterator[str]:
    """Endless thinking in the pocket model's format: right steps, claims, verifications."""
    rng = random.Random(24)
    while True:
        for _ in range(rng.randrange(2, 9)):
            yield from attempt(rng)
            yield "No\n"
        yield from (" 1 6 8 12 : 12 - 8 = 4 -> 1 4 6\n", " 1 4 6 : 6 * 4 = 24 -> 1 24\n")
        yield from (" 1 24 : 24 * 1 = 24 -> 24\n", "Yes\n")
        claim = rng.choice(SOLUTIONS)
        yield f" 24 * 1 = ( 6 * 4 ) * 1 = {claim}\n"
        yield f"Answer: {claim} = 24\n"
        for _ in range(rng.randrange(4)):
            yield "Wait, let me verify\n"
            yield f" {claim} = ( 6 * 4 ) * 1 = 24 * 1 = 24\n"


def attempt(rng: random.Random) -> Iterator[str]:
    """Three right steps that do not end in 24."""
    available: tuple[int, ...] = (1, 6, 8, 12)
    while len(available) > 1:
        b, a = sorted(rng.sample(available, 2))
        line, left = step(available, rng.choice("+-*" if a < 20 else "+-"), a, b)
        if left != (24,):
            yield line
            available = left


def step(available: tuple[int, ...], operator: str, a: int, b: int) -> tuple[str, tuple[int, ...]]:
    """The line of one step and what it leaves."""
    result = arithmetic.apply(operator, Fraction(a), Fraction(b))
    assert result is not None
    rest = list(available)
    rest.remove(a)
    rest.remove(b)
    left = tuple(sorted([*rest, int(result)]))
    spoken = " ".join(map(str, available))
    return f" {spoken} : {a} {operator} {b} = {result} -> {' '.join(map(str, left))}\n", left


def tokens() -> Iterator[str]:
    """The trace cut into tokens as the pocket model's tokenizer cuts it: a word or a line break."""
    for line in lines():
        yield from re.findall(r" ?[^\s]+|\n", line)


@cache
def trace_of(length: int) -> tuple[str, ...]:
    """The first ``length`` tokens."""
    return tuple(islice(tokens(), length))


def events(length: int) -> list[bytes]:
    """The stream as llama.cpp sends it, each event in its own HTTP chunk."""
    ids: dict[str, int] = {}
    frame = {"created": 1795253961, "model": "agentflow-pocket", "system_fingerprint": "b0-unknown"}
    frame |= {"object": "text_completion", "id": "chatcmpl-56vhIpF5EVzxiK2sIWg58NexDd90fIKI"}
    chunks = []
    for text in trace_of(length):
        one = {
            "id": 4 + ids.setdefault(text, len(ids)),
            "token": text,
            "bytes": list(text.encode()),
            "logprob": -0.009486228227615356,
        }
        content = [one | {"top_logprobs": [one]}]
        choice = {"text": text, "index": 0, "logprobs": {"content": content}, "finish_reason": None}
        chunks.append({"choices": [choice]} | frame)
    last = {"text": "", "index": 0, "logprobs": None, "finish_reason": "length"}
    usage = {"completion_tokens": length, "prompt_tokens": 17, "total_tokens": length + 17}
    chunks.append({"choices": [last]} | frame | {"usage": usage})
    data = [b"data: " + orjson.dumps(chunk) + b"\n\n" for chunk in chunks] + [b"data: [DONE]\n\n"]
    return [b"%x\r\n%s\r\n" % (len(event), event) for event in data] + [b"0\r\n\r\n"]


def serve(lengths: list[int], ready: Connection, gap: float = GAP) -> None:
    """Serve the canned traces; ``max_tokens`` says which. Runs in a process of its own.

    Under ``/paced`` tokens come ``gap`` seconds apart.
    """
    streams = {length: events(length) for length in lengths}
    joined = {length: b"".join(chunks) for length, chunks in streams.items()}

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            size = re.search(rb"(?i)content-length: (\d+)", head)
            body = orjson.loads(await reader.readexactly(int(size[1])) if size else b"{}")
            if b"/completions" not in head:
                listed = [{"id": "agentflow-pocket", "owned_by": "llamacpp"}]
                known = body.get("content") in PROFILE.markers
                ids = [PROFILE.markers.index(body["content"]) + 1 if known else 0]
                reply = orjson.dumps({"data": listed, "tokens": ids})
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(reply) + reply)
                continue
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                b"Transfer-Encoding: chunked\r\n\r\n"
            )
            length = body["max_tokens"]
            if b"/paced/" in head:
                for chunk in streams[length]:
                    writer.write(chunk)
                    await asyncio.sleep(gap)
            else:
                writer.write(joined[length])
            await writer.drain()

    async def quiet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await answer(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client closed the connection
        finally:
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(quiet, "127.0.0.1", 0, backlog=1024)
        ready.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())
