"""Any OpenAI-compatible server, over raw completions: vLLM, llama.cpp's server, and the like.

The hot path reads the event stream itself over one shared aiohttp session: a general client costs
several times the CPU per token (``benchmarks/stream.py``).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import orjson

from agentflow.errors import AgentflowError, BadInput, ModelUnavailable, StreamBroken
from agentflow.models.protocol import Capabilities, Finish, Request, Token
from agentflow.profile import Piece, Profile, detect

_LOST = (aiohttp.ClientError, asyncio.TimeoutError, OSError)
"""What a connection that is refused, broken or silent raises."""
_TRY_LATER = (408, 425, 429)
"""Client errors, by their number, that another attempt may cure."""
_VLLM_LOGPROBS = 20
"""Alternatives per token that vLLM gives unless its ``--max-logprobs`` says otherwise."""


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
            url = f"{self.base_url}/models"
            reply = await self._json("GET", url)
            try:
                served = {model["id"]: model for model in reply["data"]}
            except (KeyError, TypeError) as error:
                raise BadInput(f"{url} lists no models; is it an OpenAI-compatible API?") from error
            if not served:
                raise BadInput(f"{self.base_url}: the server lists no model")
            if self.name and self.name not in served:
                raise BadInput(f"{self.base_url} serves {', '.join(served)}, not {self.name!r}")
            self.name = self.name or next(iter(served))
            if not self._known_profile:
                self.profile = detect(self.name)
            engine = "llamacpp" if served[self.name].get("owned_by") == "llamacpp" else "vllm"
            if engine == "vllm":
                self.capabilities = Capabilities(logprobs=_VLLM_LOGPROBS)
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
        url = f"{self._root}/tokenize"
        reply = await self._json("POST", url, body)
        try:
            return tuple(reply["tokens"])
        except (KeyError, TypeError) as error:
            raise BadInput(f"{url} gave no tokens") from error

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        """Stream a raw completion.

        A token whose id is a marker of the profile has the marker as its text; one that ends the
        model's turn is not streamed, but its alternatives are in the :class:`Finish`.
        """
        markers, stops, top = self._markers, frozenset(self.profile.stops), request.top
        reason, received, rest = "", 0, b""
        usage: dict[str, Any] = {}
        instead: tuple[tuple[str, float], ...] = ()
        try:
            async with self._request(
                "POST", f"{self.base_url}/completions", self._body(request)
            ) as response:
                async for chunk in response.content.iter_any():
                    lines = (rest + chunk).split(b"\n")
                    rest = lines.pop()
                    for event in _events(lines):
                        if "error" in event:
                            raise self._broken(received, _message(event))
                        usage = event.get("usage") or usage
                        for choice in event.get("choices") or ():
                            reason = choice.get("finish_reason") or reason
                            for token in _tokens(choice, top, markers):
                                marker = markers.get(token.id) if token.id is not None else None
                                if marker in stops:
                                    instead = token.top
                                    continue
                                received += 1
                                yield token if marker is None else token._replace(text=marker)
        except (*_LOST, orjson.JSONDecodeError) as error:
            if not reason:  # else everything had come
                raise self._broken(received, str(error) or type(error).__name__) from error
        if not reason:
            raise self._broken(received, "it ended without a finish reason")
        details = usage.get("prompt_tokens_details") or {}
        yield Finish(
            "stop" if reason == "stop" else "length",
            usage.get("prompt_tokens"),
            details.get("cached_tokens"),
            instead,
        )

    def _broken(self, received: int, why: str) -> AgentflowError:
        """The error for a stream that ended before its time."""
        kind = StreamBroken if received else ModelUnavailable
        return kind(
            f"{self.base_url}: the stream broke after {received} tokens ({why}); is the server "
            "still running?"
        )

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
            # The server only knows the stops of the model's own configuration.
            body["stop_token_ids"] = [
                i for i, marker in self._markers.items() if marker in self.profile.stops
            ]
        return body

    def _open_session(self) -> aiohttp.ClientSession:
        if self._session is None or self._session.closed:
            self._session = aiohttp.ClientSession(
                timeout=self._timeout,
                headers=self._headers,
                # A kept connection may be closed by the server just when the next request goes out
                # (llama.cpp does), and a POST must not be sent twice.
                connector=aiohttp.TCPConnector(limit=0, force_close=True),
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
        except (aiohttp.InvalidURL, ValueError) as error:
            raise BadInput(f"{url!r} is not a URL") from error
        except aiohttp.ClientResponseError as error:
            raise BadInput(f"what answers at {url} does not speak HTTP") from error
        except _LOST as error:
            raise ModelUnavailable(
                f"no server answers at {url} ({error or 'timed out'}); start one or check --model"
            ) from error
        async with response:
            if response.status >= 400:
                busy = response.status >= 500 or response.status in _TRY_LATER
                kind = ModelUnavailable if busy else BadInput
                raise kind(f"{url} answered {response.status}: {await _say(response)}")
            yield response

    async def _json(self, method: str, url: str, body: dict[str, Any] | None = None) -> Any:
        async with self._request(method, url, body) as response:
            try:
                return orjson.loads(await response.read())
            except orjson.JSONDecodeError as error:
                raise BadInput(
                    f"{url} answered something that is not JSON; is it an OpenAI-compatible API?"
                ) from error
            except _LOST as error:
                raise ModelUnavailable(f"{url}: the answer broke off ({error})") from error


def _events(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The server-sent events in whole lines, parsed."""
    for line in lines:
        if line.startswith(b"data:"):
            data = line[5:].strip()
            if data != b"[DONE]":
                event = orjson.loads(data)
                yield event if isinstance(event, dict) else {"error": f"not an event: {data!r:.80}"}
        elif line.startswith(b"error:"):  # llama.cpp's own form
            yield {"error": orjson.loads(line[6:])}


def _tokens(choice: dict[str, Any], top: int, markers: Mapping[int, str]) -> list[Token]:
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
    text, ids = choice.get("text") or "", choice.get("token_ids") or ()
    pieces = logprobs.get("tokens") or ()
    if ids and len(pieces) != len(ids):
        pieces = _shared(text, ids, markers)
    elif len(pieces) <= 1:
        pieces = [text] if text or pieces else ()
    chosen = logprobs.get("token_logprobs") or [None] * len(pieces)
    tops = logprobs.get("top_logprobs") or [None] * len(pieces)
    return [
        Token(
            piece,
            ids[i] if ids else None,
            chosen[i],
            tuple(sorted((tops[i] or {}).items(), key=lambda pair: -pair[1])),
        )
        for i, piece in enumerate(pieces)
    ]


def _shared(text: str, ids: Sequence[int], markers: Mapping[int, str]) -> list[str]:
    """The texts of several tokens that came with one text, as a server behind its engine sends.

    Markers are told apart; of the others the last one before a marker or the end gets the text.
    """
    pieces = [""] * len(ids)
    last: int | None = None
    for index, token in enumerate(ids):
        if token not in markers:
            last = index
            continue
        before, found, behind = text.partition(markers[token])
        if found:
            if last is not None:
                pieces[last] = before
            text, last = behind, None
    if last is not None:
        pieces[last] = text
    return pieces


def _piece(choice: dict[str, Any], item: dict[str, Any], count: int) -> str:
    """A token's streamed text: the choice's, which withholds incomplete characters."""
    return str(choice.get("text", "")) if count == 1 else str(item.get("token", ""))


def _message(event: Any) -> str:
    error = event.get("error", event) if isinstance(event, dict) else event
    return str(error.get("message", error) if isinstance(error, dict) else error)[:300]


async def _say(response: aiohttp.ClientResponse) -> str:
    """What an error response says, in one short line."""
    try:
        raw = await response.read()
        return _message(orjson.loads(raw))
    except orjson.JSONDecodeError:
        return " ".join(raw.decode(errors="replace").split())[:200]
    except _LOST:
        return "(the answer broke off)"
