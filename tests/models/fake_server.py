"""A fake server for the HTTP engine's tests: both dialects, every way a stream can go wrong."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

from agentflow.models import HTTPModel

SPECIAL = ["<|im_start|>", "<|im_end|>", "<think>", "</think>"]
PIECE = re.compile(r" ?[^\s<>]+|\s|<|>")
SOLVED = """ 1 6 8 12 : 12 - 8 = 4 -> 1 4 6
 1 4 6 : 6 * 4 = 24 -> 1 24
 1 24 : 24 * 1 = 24 -> 24
"""
ANSWER = "Answer: ( 6 * ( 12 - 8 ) ) * 1 = 24\n"

Reply = Callable[["Fake", web.StreamResponse, dict[str, Any]], Awaitable[None]]


class Fake:
    """A server that speaks llama.cpp's or vLLM's dialect and streams what a test says.

    Attributes:
        reply: Writes the answer to a completion.
        requests: The bodies of all completions.
        tokenized: Texts that were tokenized.
        detokenizes: Whether it tells the texts of tokens.
        most: Alternatives that vLLM's dialect gives.
        slots: How many llama.cpp's dialect says that it has; 0 where it does not say.
        gone: Set when a client left before the reply was whole.
        refuses: Status that every completion is answered with, instead of a reply.
        tokenizes: Whether it has a tokenizer endpoint.
        tells_ids: Whether it tells the ids of what it generates.
        plugin: What it answers, and with which status, when asked for our plugin; by default it
            has none and generates what it generates.
    """

    def __init__(self, dialect: str, reply: Reply | None = None) -> None:
        self.dialect = dialect
        self.reply = reply
        self.names = ["agentflow-pocket"]
        self.requests: list[dict[str, Any]] = []
        self.tokenized: list[str] = []
        self.gone = asyncio.Event()
        self.refuses = 0
        self.plugin: tuple[Any, int] = ({"choices": [{"token_ids": [5, 6]}]}, 200)
        self.tokenizes = True
        self.tells_ids = True
        self.detokenizes = True
        self.most = 20
        self.slots = 0
        self.url = ""
        self.vocabulary = list(SPECIAL)
        self.app = web.Application()
        self.app.router.add_get("/v1/models", self.models)
        self.app.router.add_get("/props", self.props)
        self.app.router.add_post("/tokenize", self.tokenize)
        self.app.router.add_post("/detokenize", self.detokenize)
        self.app.router.add_post("/v1/completions", self.completions)

    def ids(self, text: str, *, special: bool = False) -> list[int]:
        """Token ids of a text; new pieces get new ids."""
        pieces = [text] if special and text in SPECIAL else PIECE.findall(text)
        for piece in pieces:
            if piece not in self.vocabulary:
                self.vocabulary.append(piece)
        return [self.vocabulary.index(piece) for piece in pieces]

    def tokens(self, text: str) -> list[tuple[int, str]]:
        """A text as generated tokens, markers in it as special tokens."""
        parts = re.split(f"({'|'.join(map(re.escape, SPECIAL))})", text)
        ids = [i for part in parts for i in self.ids(part, special=True)]
        return [(i, self.vocabulary[i]) for i in ids]

    async def models(self, request: web.Request) -> web.StreamResponse:
        about: dict[str, Any] = {"owned_by": self.dialect}
        if self.dialect == "vllm":
            about["max_model_len"] = 2048
        return web.json_response({"data": [{"id": name} | about for name in self.names]})

    async def props(self, request: web.Request) -> web.StreamResponse:
        """What llama.cpp tells of itself, as far as a test has it told."""
        if not self.slots:
            raise web.HTTPNotFound
        return web.json_response({"total_slots": self.slots})

    async def tokenize(self, request: web.Request) -> web.StreamResponse:
        if not self.tokenizes:
            raise web.HTTPNotFound
        body = await request.json()
        if self.dialect == "llamacpp":
            assert body["add_special"] is False
            text, special = body["content"], body["parse_special"]
        else:
            assert body["add_special_tokens"] is False
            text, special = body["prompt"], None
        self.tokenized.append(text)
        if special is None:  # vLLM finds special tokens wherever they are spelled
            return web.json_response({"tokens": [i for i, _ in self.tokens(text)]})
        return web.json_response({"tokens": self.ids(text, special=special)})

    async def detokenize(self, request: web.Request) -> web.StreamResponse:
        if not self.detokenizes:
            raise web.HTTPNotFound
        text = "".join(self.vocabulary[i] for i in (await request.json())["tokens"])
        return web.json_response({"prompt": text})

    async def completions(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if self.dialect == "vllm" and (body.get("logprobs") or 0) > self.most:
            said = f"Requested sample logprobs of {body['logprobs']}, which is greater than max "
            error = {"error": {"message": f"{said}allowed: {self.most}"}}
            return web.json_response(error, status=400)
        if body.get("prompt") == [0] and "vllm_xargs" in body:  # is our plugin there?
            said, status = self.plugin
            return web.json_response(said, status=status)
        if body.get("prompt") == [0]:  # does it tell ids?
            choice = {"text": "a", "finish_reason": "length"}
            ids = {"token_ids": [5]} if self.tells_ids else {}
            return web.json_response({"choices": [choice | ids]})
        self.requests.append(body)
        if self.refuses:
            error = {"error": {"message": "the prompt is too long"}}
            return web.json_response(error, status=self.refuses)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        self.transport = request.transport
        assert self.reply is not None
        try:
            await self.reply(self, response, body)
        except (ConnectionError, asyncio.CancelledError):
            self.gone.set()
            raise
        return response

    def events(self, tokens: Sequence[tuple[int, str]], reason: str | None = "stop") -> list[bytes]:
        """The events of a whole reply in the server's shape, one token each."""
        shape = llamacpp_event if self.dialect == "llamacpp" else vllm_event
        found = [shape(*token) for token in tokens]
        if reason is not None:
            found.append(last_event(reason))
            found.append(b"data: [DONE]\n\n")
        return found

    def says(self, text: str, reason: str | None = "stop") -> Reply:
        """A reply that streams ``text``."""

        async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
            for event in fake.events(fake.tokens(text), reason):
                await response.write(event)

        return reply


def event(**fields: Any) -> bytes:
    return b"data: " + json.dumps(fields, ensure_ascii=False).encode() + b"\n\n"


def llamacpp_event(
    i: int, text: str, logprob: float = -0.5, top: Sequence[tuple[str, float]] = ()
) -> bytes:
    tops = [{"id": 0, "token": t, "logprob": p} for t, p in top]
    tops = tops or [{"id": i, "token": text, "logprob": logprob}]
    content = [{"id": i, "token": text, "logprob": logprob, "top_logprobs": tops}]
    choice = {"text": text, "index": 0, "logprobs": {"content": content}, "finish_reason": None}
    return event(choices=[choice])


def vllm_event(
    i: int, text: str, logprob: float | None = None, top: Sequence[tuple[str, float]] = ()
) -> bytes:
    logprobs = None
    if logprob is not None:
        logprobs = {
            "tokens": [text],
            "token_logprobs": [logprob],
            "top_logprobs": [dict(top)],
            "text_offset": [0],
        }
    shown = "" if text in ("<|im_end|>",) else text  # vLLM keeps a stop token's text back
    choice = {"text": shown, "index": 0, "logprobs": logprobs, "finish_reason": None}
    return event(choices=[choice | {"token_ids": [i]}])


def last_event(reason: str) -> bytes:
    details = {"cached_tokens": 3}
    usage = {"prompt_tokens": 5, "completion_tokens": 1, "prompt_tokens_details": details}
    choice = {"text": "", "index": 0, "logprobs": None, "finish_reason": reason}
    return event(choices=[choice], usage=usage)


@asynccontextmanager
async def connected(fake: Fake, port: int = 0) -> AsyncIterator[HTTPModel]:
    """The opened client of a fake server that stands while the block runs."""
    async with TestServer(fake.app, host="127.0.0.1", port=port or None) as server:
        model = HTTPModel(f"http://127.0.0.1:{server.port}/v1", idle_timeout=600)
        await model.open()
        yield model
        await model.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def broken(data: Callable[[Fake], list[bytes]], *, abort: bool = False) -> Reply:
    """A reply that is only ``data``; ``abort`` also resets the connection."""

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        for one in data(fake):
            await response.write(one)
        if abort:
            await asyncio.sleep(0.05)  # let what was written arrive first
            fake.transport.abort()

    return reply


def two(fake: Fake) -> list[bytes]:
    return fake.events(fake.tokens(" 1 6"), None)
