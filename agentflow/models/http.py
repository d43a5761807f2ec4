"""Any OpenAI-compatible server, over raw completions: vLLM, llama.cpp's server, and the like.

The hot path reads the event stream itself over one shared aiohttp session: a general client costs
several times the CPU per token (``benchmarks/stream.py``).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import orjson

from agentflow.errors import BadInput, ModelUnavailable, StreamBroken
from agentflow.models.protocol import Capabilities, Finish, Request, Token
from agentflow.profile import Piece, Profile, detect

_UNREACHABLE = (aiohttp.ClientConnectionError, asyncio.TimeoutError, OSError)


class HTTPModel:
    """A model behind an OpenAI-compatible base URL.

    Args:
        base_url: For example ``http://localhost:8000/v1``.
        name: The served model's name; None for the first one the server lists.
        profile: How it is spoken to; None to tell from its name.
        api_key: Sent as a bearer token.
        idle_timeout: Seconds without a byte after which a stream counts as broken.
    """

    def __init__(
        self,
        base_url: str,
        name: str | None = None,
        *,
        profile: Profile | None = None,
        api_key: str | None = None,
        idle_timeout: float = 60.0,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.name = name or ""
        self.profile = profile or detect(self.name)
        self.capabilities = Capabilities()
        self._known_profile = profile is not None
        self.api_key = api_key
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._timeout = aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=idle_timeout)
        self._session: aiohttp.ClientSession | None = None
        self._engine = ""
        self._markers: dict[int, str] = {}
        self._tokens: dict[Piece, tuple[int, ...]] = {}
        self._opening = asyncio.Lock()

    async def open(self) -> None:
        """Ask the server for its model and the ids of the profile's markers."""
        async with self._opening:
            if self._engine:
                return
            served = (await self._json("GET", f"{self.base_url}/models")).get("data") or []
            names = [model.get("id") for model in served]
            if not names:
                raise BadInput(f"{self.base_url}: the server lists no model")
            if self.name and self.name not in names:
                raise BadInput(
                    f"{self.base_url} serves {', '.join(map(str, names))}, not {self.name!r}"
                )
            first = next(m for m in served if not self.name or m["id"] == self.name)
            self.name = first["id"]
            if not self._known_profile:
                self.profile = detect(self.name)
            engine = "llamacpp" if first.get("owned_by") == "llamacpp" else "vllm"
            try:
                for marker in self.profile.markers:
                    ids = await self._ask_tokens(Piece(marker, special=True), engine)
                    if len(ids) == 1:
                        self._markers[ids[0]] = marker
            except BadInput:  # no tokenizer endpoint: prompts travel as text
                self.capabilities = Capabilities(exact_prefix=False, logprobs=5)
            self._engine = engine

    async def tokenize(self, pieces: Sequence[Piece]) -> tuple[int, ...]:
        """Token ids of the pieces, each piece alone; repeated pieces are remembered."""
        ids: tuple[int, ...] = ()
        for piece in pieces:
            if piece not in self._tokens:
                if len(self._tokens) > 10_000:
                    self._tokens.clear()
                self._tokens[piece] = await self._ask_tokens(piece, self._engine)
            ids += self._tokens[piece]
        return ids

    async def _ask_tokens(self, piece: Piece, engine: str) -> tuple[int, ...]:
        body: dict[str, Any]
        if engine == "llamacpp":
            body = {"content": piece.text, "add_special": False, "parse_special": piece.special}
        else:
            body = {"model": self.name, "prompt": piece.text, "add_special_tokens": False}
        reply = await self._json("POST", f"{self._root}/tokenize", body)
        return tuple(reply["tokens"])

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        """Stream a raw completion; special tokens outside the profile's markers have no text."""
        body = self._body(request)
        reason, prompt, cached, received = "", None, None, 0
        markers, stops = self._markers, frozenset(self.profile.stops)
        async with self._request("POST", f"{self.base_url}/completions", body) as response:
            try:
                async for data in _events(response):
                    event = orjson.loads(data)
                    if "error" in event:
                        raise StreamBroken(f"{self.base_url}: {_message(event)}")
                    if usage := event.get("usage"):
                        prompt = usage.get("prompt_tokens")
                        details = usage.get("prompt_tokens_details") or {}
                        cached = details.get("cached_tokens")
                    for choice in event.get("choices") or ():
                        if (finish := choice.get("finish_reason")) is not None:
                            reason = finish
                        for token in _tokens(choice, request.top):
                            marker = markers.get(token.id) if token.id is not None else None
                            if marker is not None:
                                if marker in stops:
                                    continue
                                token = token._replace(text=marker)
                            received += 1
                            yield token
            except (*_UNREACHABLE, aiohttp.ClientPayloadError, orjson.JSONDecodeError) as error:
                raise StreamBroken(
                    f"{self.base_url}: the stream broke after {received} tokens "
                    f"({error or type(error).__name__}); is the server still running?"
                ) from error
        if not reason:
            raise StreamBroken(
                f"{self.base_url}: the stream ended without a finish reason after {received} "
                "tokens; the server may have been stopped"
            )
        yield Finish("stop" if reason == "stop" else "length", prompt, cached)

    async def close(self) -> None:
        """Close the session; :meth:`open` and requests make a new one."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    @property
    def _root(self) -> str:
        return self.base_url.removesuffix("/v1")

    def _body(self, request: Request) -> dict[str, Any]:
        sampling = request.sampling
        body: dict[str, Any] = {
            "model": self.name,
            "prompt": request.prompt,
            "max_tokens": request.max_tokens,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "top_k": sampling.top_k,
            "min_p": 0.0,
            "presence_penalty": 0.0,
            "frequency_penalty": 0.0,
            "seed": request.seed,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if self._engine == "llamacpp":
            # Ids come only with log-probabilities; one alternative is the cheapest.
            body |= {"logprobs": max(1, request.top), "cache_prompt": request.cache}
            body |= {"repeat_penalty": 1.0, "typical_p": 1.0}
        else:
            body |= {"skip_special_tokens": False, "return_token_ids": True}
            body |= {"repetition_penalty": 1.0, "logprobs": request.top or None}
        return body

    def _open_session(self) -> aiohttp.ClientSession:
        if self._session is None or self._session.closed:
            self._session = aiohttp.ClientSession(
                timeout=self._timeout,
                headers=self._headers,
                connector=aiohttp.TCPConnector(limit=0),
            )
        return self._session

    @asynccontextmanager
    async def _request(
        self, method: str, url: str, body: dict[str, Any] | None = None
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        data = None if body is None else orjson.dumps(body)
        headers = {"Content-Type": "application/json"}
        try:
            response = await self._open_session().request(method, url, data=data, headers=headers)
        except aiohttp.InvalidURL as error:
            raise BadInput(f"{url!r} is not a URL") from error
        except _UNREACHABLE as error:
            raise ModelUnavailable(
                f"no server answers at {url} ({error or 'timed out'}); start one or check --model"
            ) from error
        async with response:
            if response.status >= 500:
                raise ModelUnavailable(f"{url} answered {response.status}: {await _say(response)}")
            if response.status >= 400:
                raise BadInput(f"{url} answered {response.status}: {await _say(response)}")
            yield response

    async def _json(self, method: str, url: str, body: dict[str, Any] | None = None) -> Any:
        async with self._request(method, url, body) as response:
            try:
                return orjson.loads(await response.read())
            except orjson.JSONDecodeError as error:
                raise BadInput(
                    f"{url} answered something that is not JSON; is it an OpenAI-compatible API?"
                ) from error


async def _events(response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    """The data of each server-sent event, up to ``[DONE]``."""
    rest = b""
    async for chunk in response.content.iter_any():
        lines = (rest + chunk).split(b"\n")
        rest = lines.pop()
        for line in lines:
            if line.startswith(b"data: "):
                data = line[6:].rstrip(b"\r")
                if data == b"[DONE]":
                    return
                yield data
            elif line.startswith(b"error: "):  # llama.cpp's own form
                yield b'{"error":' + line[7:] + b"}"


def _tokens(choice: dict[str, Any], top: int) -> list[Token]:
    """The tokens of one streamed choice, in llama.cpp's or in vLLM's shape."""
    logprobs = choice.get("logprobs") or {}
    content = logprobs.get("content")
    if content is not None:  # llama.cpp: chat-shaped
        return [
            Token(
                _piece(choice, item, len(content)),
                item.get("id"),
                item.get("logprob"),
                tuple((t["token"], t["logprob"]) for t in item.get("top_logprobs", ()))
                if top
                else (),
            )
            for item in content
        ]
    ids = choice.get("token_ids") or ()
    pieces = logprobs.get("tokens") or ([choice["text"]] if choice.get("text") else [])
    if len(ids) != len(pieces):  # several ids for one text: it goes with the last of them
        pieces = [""] * (len(ids) - 1) + [choice.get("text", "")] if ids else pieces
    chosen = logprobs.get("token_logprobs") or [None] * len(pieces)
    tops = logprobs.get("top_logprobs") or [None] * len(pieces)
    return [
        Token(
            text,
            ids[i] if i < len(ids) else None,
            chosen[i],
            tuple(sorted((tops[i] or {}).items(), key=lambda pair: -pair[1])),
        )
        for i, text in enumerate(pieces)
    ]


def _piece(choice: dict[str, Any], item: dict[str, Any], count: int) -> str:
    """A token's streamed text: the choice's, which withholds incomplete characters."""
    return str(choice.get("text", "")) if count == 1 else str(item.get("token", ""))


def _message(event: Any) -> str:
    error = event.get("error", event) if isinstance(event, dict) else event
    return str(error.get("message", error) if isinstance(error, dict) else error)[:300]


async def _say(response: aiohttp.ClientResponse) -> str:
    """What an error response says, in one short line."""
    raw = await response.read()
    try:
        return _message(orjson.loads(raw))
    except orjson.JSONDecodeError:
        return " ".join(raw.decode(errors="replace").split())[:200]
