"""Stand-ins with raw completions and a tokenizer: vLLM and llama.cpp, on the same brain."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer
from brain import reply
from standin import Count

sys.path.insert(0, str(Path(__file__).parent.parent / "models"))

from fake_server import Fake, event, llamacpp_event, vllm_event

_TAKES = {
    "llamacpp": {"logprobs", "cache_prompt", "repeat_penalty", "typical_p", "json_schema"},
    "vllm": {
        *("skip_special_tokens", "return_token_ids", "repetition_penalty", "logprobs"),
        *("return_tokens_as_token_ids", "cache_salt", "structured_outputs", "stop_token_ids"),
    },
}
_COMMON = {
    *("model", "prompt", "max_tokens", "temperature", "top_p", "top_k", "min_p", "seed"),
    *("presence_penalty", "frequency_penalty", "stream", "stream_options"),
}


class Raw(Fake):
    """A server of raw completions that counts.

    Attributes:
        bodies, counts, refused: As of :class:`standin.Standin`.
    """

    def __init__(self, dialect: str) -> None:
        super().__init__(dialect)
        self.names = ["Qwen3-8B"]
        self.bodies: list[dict[str, Any]] = []
        self.counts: list[Count] = []
        self.refused: list[str] = []

    @property
    def prompt(self) -> int:
        return sum(one.prompt for one in self.counts)

    @property
    def generated(self) -> int:
        return sum(one.generated for one in self.counts)

    async def models(self, request: web.Request) -> web.StreamResponse:
        about = {"owned_by": self.dialect, "max_model_len": 40_960}
        return web.json_response({"data": [{"id": name} | about for name in self.names]})

    async def tokenize(self, request: web.Request) -> web.StreamResponse:
        if "messages" in await request.json():  # it was started without a template
            raise web.HTTPBadRequest
        return await super().tokenize(request)

    async def completions(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if body["prompt"] == [0] and "logprobs" not in body:  # does it tell ids, has it our plugin?
            return await super().completions(request)
        if self.dialect == "vllm" and (body.get("logprobs") or 0) > self.most:
            said = f"max allowed: {self.most}"  # how the client learns it
            return web.json_response({"error": {"message": said}}, status=400)
        self.bodies.append(body)
        if unknown := body.keys() - _COMMON - _TAKES[self.dialect]:
            self.refused.append(f"unknown: {', '.join(sorted(unknown))}")
            return web.json_response({"error": {"message": self.refused[-1]}}, status=400)
        given = body["prompt"]
        text = given if isinstance(given, str) else "".join(self.vocabulary[i] for i in given)
        tokens = self.tokens(self.say(text, body))
        count = Count(len(given))
        self.counts.append(count)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        kept = tokens[: body["max_tokens"]]
        shape = llamacpp_event if self.dialect == "llamacpp" else vllm_event
        top = [(" Yes", -0.2), (" No", -2.0)][: body.get("logprobs") or 0]
        for id, piece in kept:
            count.generated += 1
            logs = (-0.2, [(piece, -0.2), *top[1:]]) if body.get("logprobs") else ()
            await response.write(shape(id, piece, *logs))
        usage = {"prompt_tokens": count.prompt, "completion_tokens": count.generated}
        reason = "stop" if len(kept) == len(tokens) else "length"
        choice = {"text": "", "index": 0, "logprobs": None, "finish_reason": reason}
        await response.write(event(choices=[choice], usage=usage))
        await response.write(b"data: [DONE]\n\n")
        count.whole = True
        return response

    def say(self, text: str, body: dict[str, Any]) -> str:
        """What follows a text."""
        schema = body.get("json_schema") or (body.get("structured_outputs") or {}).get("json")
        turns: list[dict[str, Any]] = [{"role": "user", "content": text}]
        if "Wait, " in text or "8 / 8 = 2" in text:
            turns.insert(0, {"role": "assistant", "content": ""})
        thought = reply(turns, schema)
        opened = text.rfind("<think>") > text.rfind("</think>")
        return f"{thought.thinking}</think>\n{thought.said}" if opened else thought.said


@asynccontextmanager
async def standing_raw(dialect: str) -> AsyncIterator[Raw]:
    """A server, while the block runs."""
    one = Raw(dialect)
    async with TestServer(one.app, host="127.0.0.1") as server:
        one.url = f"http://127.0.0.1:{server.port}/v1"
        yield one
