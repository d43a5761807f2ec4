"""A stand-in for any API of OpenAI's kind: it validates by a table of rules, and counts.

    python tests/servers/standin.py NAME [PORT]

serves one for the command line to be tried against; its URL is printed.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

sys.path.insert(0, str(Path(__file__).parent))

import native
from brain import Thought, reply, text_of, tokens
from rules import RULES, Rules
from validation import see

KEY = "sk-a-secret-that-nobody-may-write-down"
REQUEST_ID = "req_stand-in-7"
FAULTS = (
    *("reset", "stall", "truncated", "429", "500", "wrong json", "no call", "error event"),
    *("content_filter", "401"),
)
"""What can befall a request; a number stands for a status before the first byte."""


@dataclass
class Count:
    """What one request cost, and whether its reply was sent to its end."""

    prompt: int
    generated: int = 0
    reasoning: int = 0
    whole: bool = False


@dataclass
class Standin:
    """One stand-in.

    Attributes:
        rules: Of the API.
        faults: What befalls the next requests, in order; None for nothing.
        bodies: Of all requests for a reply.
        counts: Of all that were not refused.
        refused: What was wrong with the others: a client that knows the API has none.
        url: Its base URL, once it stands.
    """

    rules: Rules
    faults: list[str | None] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    counts: list[Count] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    url: str = ""
    idle: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def app(self) -> web.Application:
        app = web.Application(client_max_size=1 << 26)
        app.router.add_get("/v1/models", self.models)
        app.router.add_post("/v1/chat/completions", self.chat)
        app.router.add_post("/v1/responses", partial(native.responses, self))
        app.router.add_post("/v1/messages", partial(native.messages, self))
        return app

    @property
    def generated(self) -> int:
        return sum(one.generated for one in self.counts)

    @property
    def prompt(self) -> int:
        return sum(one.prompt for one in self.counts)

    async def models(self, request: web.Request) -> web.StreamResponse:
        self.see_key(request)
        card = {"id": self.rules.model, "object": "model", "owned_by": self.rules.owner}
        return web.json_response({"object": "list", "data": [card]})

    def see_key(self, request: web.Request) -> None:
        header = self.rules.key
        given = request.headers.get(header, "").removeprefix("Bearer ") if header else KEY
        if given != KEY:  # some repeat what they were given
            raise self.error(401, f"Incorrect API key provided: {given or 'none'}")

    def error(self, status: int, said: str, headers: Mapping[str, str] | None = None) -> Exception:
        """The error in the API's form, to be raised."""
        one: Any = {"error": {"message": said, "type": "invalid_request_error", "code": None}}
        if self.rules.error == "gemini":
            one = [{"error": {"code": status, "message": said, "status": "INVALID_ARGUMENT"}}]
        kind = {401: web.HTTPUnauthorized, 429: web.HTTPTooManyRequests}.get(
            status, web.HTTPInternalServerError if status >= 500 else web.HTTPBadRequest
        )
        text = json.dumps(one)
        told = {"x-request-id": REQUEST_ID} | dict(headers or {})
        return kind(text=text, content_type="application/json", headers=told)

    def refuse(self, said: str) -> Exception:
        self.refused.append(said)
        return self.error(400, said)

    def fault(self) -> str | None:
        """What befalls this request; a status is raised."""
        fault = self.faults.pop(0) if self.faults else None
        if fault == "429":
            raise self.error(429, "Rate limit reached", {"Retry-After": "0.01"})
        if fault == "500":
            raise self.error(500, "The server had an error")
        if fault == "401":
            raise self.error(401, f"Incorrect API key provided: {KEY}")
        return fault

    async def chat(self, request: web.Request) -> web.StreamResponse:
        self.see_key(request)
        body = await request.json()
        self.bodies.append(body)
        fault = self.fault()
        for wrong in see(body, self.rules):
            raise self.refuse(wrong)
        thought = self.think(body)
        count = Count(sum(3 + len(tokens(text_of(one))) for one in body["messages"]))
        self.counts.append(count)
        limit = next((body[key] for key in self.rules.limits if key in body), 1 << 20)
        pieces, cut = laid_out(thought, self.rules, limit)
        usage = self.usage_of(count)
        if not body.get("stream"):
            for kind, piece in pieces:
                count_one(count, kind, piece)
            count.whole = True
            if fault is not None:
                return await self.broken(request, fault)
            return web.json_response(
                {
                    "id": "chatcmpl-1",
                    "object": "chat.completion",
                    "model": self.rules.model,
                    "choices": [self.choice_of(thought, pieces, body, cut)],
                    "usage": usage(),
                }
            )
        headers = {"Content-Type": "text/event-stream", "x-request-id": REQUEST_ID}
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        try:
            await self.stream(request, response, body, pieces, cut, thought, count, fault)
        except (ConnectionError, asyncio.CancelledError):
            self.idle.set()
            raise
        return response

    def think(self, body: Mapping[str, Any]) -> Thought:
        """The reply to a request."""
        form = body.get("response_format") or {}
        schema = (form.get("json_schema") or {}).get("schema")
        schema = None if self.rules.schema == "ignored" else schema
        tools = [tool["function"] for tool in body.get("tools") or ()]
        return reply(body["messages"], schema, tools)

    def usage_of(self, count: Count) -> Any:
        """The usage of a request, in the API's form, as far as it has come."""

        def usage() -> dict[str, Any]:
            hidden = count.reasoning if self.rules.hides else 0
            said: dict[str, Any] = {
                "prompt_tokens": count.prompt,
                "completion_tokens": count.generated - hidden,
                "total_tokens": count.prompt + count.generated,
            }
            if not self.rules.hides:
                said["completion_tokens_details"] = {"reasoning_tokens": count.reasoning}
            return said

        return usage

    def choice_of(
        self, thought: Thought, pieces: list[tuple[str, str]], body: Mapping[str, Any], cut: bool
    ) -> dict[str, Any]:
        """The choice of an answer that is not streamed."""
        content = "".join(piece for kind, piece in pieces if kind == "content")
        message: dict[str, Any] = {"role": "assistant", "content": content or None}
        reasoning = "".join(piece for kind, piece in pieces if kind == self.rules.thought)
        if reasoning and self.rules.thought == "chunks":
            message["content"] = [thought_chunk(reasoning), {"type": "text", "text": content}]
        elif reasoning and self.rules.thought != "hidden":
            message[self.rules.thought] = reasoning
        if thought.call is not None:
            name, arguments = thought.call
            function = {"name": name, "arguments": arguments}
            message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
        reason = "length" if cut else "tool_calls" if thought.call else "stop"
        found = {"index": 0, "message": message, "finish_reason": reason}
        if body.get("logprobs"):
            found["logprobs"] = {"content": [logged(t, body) for t in tokens(content)]}
        return found

    async def stream(
        self,
        request: web.Request,
        response: web.StreamResponse,
        body: Mapping[str, Any],
        pieces: list[tuple[str, str]],
        cut: bool,
        thought: Thought,
        count: Count,
        fault: str | None,
    ) -> None:
        """Write the events of a reply."""
        usage, asked = self.usage_of(count), (body.get("stream_options") or {}).get("include_usage")

        async def send(choices: list[Any], **more: Any) -> None:
            event = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": choices}
            if self.rules.usage == "each":
                more.setdefault("usage", usage())
            event |= {"model": self.rules.model, "created": 1} | more
            await response.write(b"data: " + json.dumps(event).encode() + b"\n\n")

        if self.rules.comments:
            await response.write(b": PROCESSING\n\n")
        first = {"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}
        await send([first])
        sent = 0
        for kind, group in chunks(pieces, self.rules.chunk):
            for piece in group:
                count_one(count, kind, piece)
            if kind == "hidden":
                continue
            text = "".join(group)
            delta = {"content": [thought_chunk(text)]} if kind == "chunks" else {kind: text}
            choice: dict[str, Any] = {"index": 0, "delta": delta}
            choice["finish_reason"] = None
            if body.get("logprobs") and kind == "content":
                choice["logprobs"] = {"content": [logged(piece, body) for piece in group]}
            await send([choice])
            sent += 1
            if fault is not None and sent == 3:
                await self.break_off(request, response, fault)
                return
        if thought.call is not None:
            function = {"name": thought.call[0], "arguments": thought.call[1]}
            call = {"index": 0, "id": "call_1", "type": "function", "function": function}
            await send([{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}])
        if fault is not None:
            await self.break_off(request, response, fault)
            return
        reason = "length" if cut else "tool_calls" if thought.call else "stop"
        last = {"index": 0, "delta": {}, "finish_reason": reason}
        await send([last], **({"usage": usage()} if self.rules.usage == "last" else {}))
        if self.rules.usage == "asked" and asked:
            await send([], usage=usage())
        await response.write(b"data: [DONE]\n\n")
        count.whole = True

    async def break_off(
        self, request: web.Request, response: web.StreamResponse, fault: str
    ) -> None:
        """What befalls a stream in its midst."""
        if fault == "reset":
            assert request.transport is not None
            await asyncio.sleep(0.01)
            request.transport.abort()
        elif fault == "stall":
            await asyncio.sleep(3600)
        elif fault == "truncated":
            await response.write(b'data: {"choices": [{"delta": {"con')
        elif fault == "wrong json":
            await response.write(b"data: {'choices': oops}\n\n")
        elif fault == "error event":
            said = {"error": {"message": "overloaded", "code": 500}}
            await response.write(b"data: " + json.dumps(said).encode() + b"\n\n")
        elif fault == "content_filter":
            choice = {"index": 0, "delta": {}, "finish_reason": "content_filter"}
            await response.write(b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n")
        elif fault == "no call":
            call = {"index": 0, "function": {"name": 7, "arguments": "{"}}
            choice = {"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}
            await response.write(b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n")

    async def broken(self, request: web.Request, fault: str) -> web.StreamResponse:
        """What befalls an answer that is not streamed."""
        if fault == "reset":
            assert request.transport is not None
            request.transport.abort()
        if fault == "stall":
            await asyncio.sleep(3600)
        if fault == "no call":
            function = {"name": "no_such_tool", "arguments": "{not json"}
            message = {"role": "assistant", "content": None, "tool_calls": [{"function": function}]}
            choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
            return web.json_response({"choices": [choice]})
        return web.Response(text='{"choices": [{"mess', content_type="application/json")


def laid_out(thought: Thought, rules: Rules, limit: int) -> tuple[list[tuple[str, str]], bool]:
    """A reply as (where it stands, token), cut to a limit; and whether it was."""
    place, thinking, said = rules.thought, tokens(thought.thinking), tokens(thought.said)
    if place == "inline":
        thinking = [*tokens("<think>"), *thinking, *tokens("</think>")]
    if place == "opened":
        thinking = [*thinking, *tokens("</think>")]
    where = "content" if place in ("inline", "opened") else place
    pieces = [(where, piece) for piece in thinking] if place else []
    pieces += [("content", piece) for piece in said]
    if thought.call is not None:
        pieces += [("call", piece) for piece in tokens(" ".join(thought.call))]
    return pieces[:limit], len(pieces) > limit


def chunks(pieces: list[tuple[str, str]], most: int) -> Iterator[tuple[str, list[str]]]:
    """Pieces of one kind in groups."""
    group: list[str] = []
    kind = ""
    for place, piece in pieces:
        if group and (place != kind or len(group) == most):
            yield ("hidden" if kind == "call" else kind), group
            group = []
        kind = place
        group.append(piece)
    if group:
        yield ("hidden" if kind == "call" else kind), group


def count_one(count: Count, kind: str, piece: str) -> None:
    """Count one token."""
    count.generated += 1
    if kind in ("hidden", "chunks", "reasoning", "reasoning_content"):
        count.reasoning += 1


def thought_chunk(text: str) -> dict[str, Any]:
    """Thinking as a chunk of the content."""
    return {"type": "thinking", "thinking": [{"type": "text", "text": text}]}


def logged(piece: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """A token with its log-probability and alternatives."""
    tops = [{"token": piece, "logprob": -0.1}, {"token": " False", "logprob": -3.0}]
    found = {"token": piece, "logprob": -0.1, "bytes": None}
    return found | {"top_logprobs": tops[: body.get("top_logprobs") or 0]}


@asynccontextmanager
async def standing(name: str, **more: Any) -> AsyncIterator[Standin]:
    """A stand-in by the name of its rules, while the block runs."""
    one = Standin(RULES[name], **more)
    async with TestServer(one.app, host="127.0.0.1") as server:
        one.url = f"http://127.0.0.1:{server.port}/v1"
        yield one


def described(standin: Standin) -> dict[str, Any]:
    """The stand-in as a server of the settings; its key is in ``STANDIN_KEY``."""
    rules = standin.rules
    said: dict[str, Any] = {"at": standin.url, "api": "chat", "name": rules.model}
    if rules.thought == "opened":  # its template opens the thinking, and nobody tells it apart
        said["profile"] = "qwen3-thinking"
    if rules.provider:
        said["provider"] = rules.provider
    return said | ({"key_env": "STANDIN_KEY"} if rules.key else {})


async def main() -> None:
    """Serve until interrupted."""
    standin = Standin(RULES[sys.argv[1]])
    port = int(sys.argv[2]) if len(sys.argv) > 2 else None
    async with TestServer(standin.app, host="127.0.0.1", port=port) as running:
        print(f"http://127.0.0.1:{running.port}/v1", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
