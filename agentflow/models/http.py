"""Any OpenAI-compatible server, over raw completions: vLLM, llama.cpp's server, and the like.

The hot path reads the event stream itself over one shared aiohttp session: a general client costs
several times the CPU per token (``benchmarks/stream.py``).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import count, pairwise
from typing import Any
from uuid import uuid4

import aiohttp
import orjson

from agentflow.errors import AgentflowError, BadInput, ModelUnavailable, StreamBroken
from agentflow.models import wire
from agentflow.models.protocol import Capabilities, Finish, Request, Token
from agentflow.models.template import SPECIAL, served_profile
from agentflow.profile import Piece, Profile, detect

LOST = (aiohttp.ClientError, asyncio.TimeoutError, OSError)
"""What a connection that is refused, broken or silent raises."""
_TRY_LATER = (408, 425, 429)
"""Client errors, by their number, that another attempt may cure."""
_VLLM_LOGPROBS = 20
"""Alternatives per token that vLLM gives unless its ``--max-logprobs`` says otherwise."""
_REMEMBERED = 1000
"""Characters of a piece whose token ids are kept; longer ones are a problem's own, and many."""


class HTTPModel:
    """A model behind an OpenAI-compatible base URL.

    Args:
        base_url: For example ``http://localhost:8000/v1``.
        name: The served model's name; None for the first one the server lists.
        profile: How it is spoken to; None to learn it from the server.
        api_key: Sent as a bearer token.
        idle_timeout: Seconds without an event after which a stream counts as broken, and that an
            answer of another kind may take from its first byte to its last.

    Attributes:
        parameters: How many the model has, where its server tells; 0 where not.
        root: Where its server loaded it from, where that is told.
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
        self._named = bool(name)
        self.profile = profile or detect(self.name)
        self.capabilities = Capabilities()
        self._known_profile = profile is not None
        self.api_key = api_key
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._idle_timeout = idle_timeout
        self._timeout = aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=idle_timeout)
        self._session: aiohttp.ClientSession | None = None
        self._engine = ""
        self._lost = False
        self._context: int | None = None
        self.parameters, self.root = 0, ""
        self._markers: dict[int, str] = {}
        self._texts: dict[int, str] = {}
        self._by_id = False
        self._tokens: dict[Piece, tuple[int, ...]] = {}
        self._opening = asyncio.Lock()

    async def open(self) -> None:
        """Ask the server for its model, its limits and the ids of the profile's markers.

        Where a server was lost it asks again, for another one may stand there by now.
        """
        async with self._opening:
            if self._engine and not self._lost:
                return
            url = f"{self.base_url}/models"
            reply = await self._json("GET", url)
            try:
                served = {model["id"]: model for model in reply["data"]}
            except (KeyError, TypeError) as error:
                raise BadInput(f"{url} lists no models; is it an OpenAI-compatible API?") from error
            if not served:
                raise BadInput(f"{self.base_url}: the server lists no model")
            if self._named and self.name not in served:
                raise BadInput(f"{self.base_url} serves {', '.join(served)}, not {self.name!r}")
            if not self._named:
                self.name = next(iter(served))
            card = served[self.name]
            engine = "llamacpp" if card.get("owned_by") == "llamacpp" else "vllm"
            given = self.profile if self._known_profile else None
            tokenize = partial(self._ask_tokens, engine=engine)
            self.profile = await served_profile(card, engine, self._ask, tokenize, given)
            self._context = card.get("max_model_len")  # vLLM's word for it
            self.parameters = int((card.get("meta") or {}).get("n_params") or 0)
            self.root = str(card.get("root") or "")
            self._markers, self._tokens = {}, {}
            try:
                for marker in self.profile.markers:
                    ids = await self._ask_tokens(Piece(marker, special=True), engine)
                    if len(ids) == 1:
                        self._markers[ids[0]] = marker
                self._texts = dict(self._markers)
                self._by_id = engine == "vllm" and await self._can_learn()
                most = None if engine == "llamacpp" else await self._most_alternatives()
                self.capabilities = Capabilities(logprobs=most)
            except BadInput:  # no tokenizer endpoint: prompts travel as text
                self.capabilities = Capabilities(exact_prefix=False, logprobs=5)
            self._engine, self._lost = engine, False

    async def _ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        return await self._json("POST" if body else "GET", self._root + path, body)

    async def _find(self) -> None:
        if self._lost:
            await self.open()

    async def tokenize(self, pieces: Sequence[Piece]) -> tuple[int, ...]:
        """Token ids of the pieces, each piece alone; short ones are remembered."""
        await self._find()
        ids: tuple[int, ...] = ()
        for piece in pieces:
            found = self._tokens.get(piece)
            if found is None:
                found = await self._ask_tokens(piece, self._engine)
                if len(self._tokens) > 10_000:
                    self._tokens.clear()
                if len(piece.text) <= _REMEMBERED:
                    self._tokens[piece] = found
            ids += found
        return ids

    async def _ask_tokens(self, piece: Piece, engine: str) -> tuple[int, ...]:
        if engine == "llamacpp":
            special = piece.special
            return await self._tokenized(
                {"content": piece.text, "add_special": False, "parse_special": special}
            )
        ids: tuple[int, ...] = ()
        for text in [piece.text] if piece.special else self._letters(piece.text):
            ids += await self._tokenized(
                {"model": self.name, "prompt": text, "add_special_tokens": False}
            )
        return ids

    def _letters(self, text: str) -> list[str]:
        """The text in parts of which none holds a whole special token.

        vLLM's tokenizer always looks for these, so what spells one is cut behind its first letter.
        """
        special = "|".join([*map(re.escape, filter(None, self.profile.markers)), SPECIAL])
        cuts = [0, *(found.start() + 1 for found in re.finditer(special, text)), len(text)]
        return [text[a:b] for a, b in pairwise(cuts)]

    async def _tokenized(self, body: dict[str, Any]) -> tuple[int, ...]:
        url = f"{self._root}/tokenize"
        reply = await self._json("POST", url, body)
        try:
            return tuple(reply["tokens"])
        except (KeyError, TypeError) as error:
            raise BadInput(f"{url} gave no tokens") from error

    async def _most_alternatives(self) -> int:
        """How many alternatives per token vLLM gives: its refusal of too many names the most."""
        body = {"model": self.name, "prompt": [0], "max_tokens": 1, "logprobs": 10_000_000}
        try:
            await self._json("POST", f"{self.base_url}/completions", body)
        except BadInput as error:
            if named := re.search(r"max allowed: (\d+)", str(error)):
                return int(named[1])
        return _VLLM_LOGPROBS

    async def _can_learn(self) -> bool:
        """Whether the server tells a token's text; else alternatives are named by theirs."""
        try:
            await self._learn({next(i for i in count() if i not in self._markers)})
        except (BadInput, StopIteration):
            return False
        return True

    async def _learn(self, ids: Iterable[int]) -> None:
        """Ask for the texts of tokens, all at once: a marker stands between them."""
        new = sorted(ids)
        between, marker = next(iter(self._markers.items()))
        row = [between, *(one for token in new for one in (token, between))]
        url = f"{self._root}/detokenize"
        reply = await self._json("POST", url, {"model": self.name, "tokens": row})
        try:
            texts = reply["prompt"].split(marker)[1:-1]
            self._texts.update(zip(new, texts, strict=True))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise BadInput(f"{url} gave no texts of tokens") from error

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        """Stream a raw completion.

        A token whose id is a marker of the profile has the marker as its text; one that ends the
        model's turn is not streamed, but its alternatives are in the :class:`Finish`.
        """
        await self._find()
        markers, stops, top = self._markers, frozenset(self.profile.stops), request.top
        reason, received = "", 0
        usage: dict[str, Any] = {}
        instead: tuple[tuple[str, float], ...] = ()
        try:
            async with self._request(
                "POST", f"{self.base_url}/completions", self._body(request)
            ) as response:
                async for event in wire.events(response, self._idle_timeout):
                    if "error" in event:
                        raise self._broken(received, wire.message(event), wire.code(event))
                    usage = event.get("usage") or usage
                    for choice in event.get("choices") or ():
                        reason = choice.get("finish_reason") or reason
                        if self._by_id and (new := wire.wanted(choice) - self._texts.keys()):
                            await self._learn(new)
                        for token in wire.tokens(choice, top, markers, self._texts):
                            marker = markers.get(token.id) if token.id is not None else None
                            if marker in stops:
                                instead = token.top
                                continue
                            received += 1
                            yield token if marker is None else token._replace(text=marker)
        except (*LOST, orjson.JSONDecodeError) as error:
            if not reason:  # else everything had come
                raise self._broken(received, str(error) or type(error).__name__) from error
        if reason in ("", "abort", "error"):  # vLLM says "abort" when it shuts down
            why = f"it ended with {reason!r}" if reason else "it ended without a finish reason"
            raise self._broken(received, why)
        details = usage.get("prompt_tokens_details") or {}
        yield Finish(
            "stop" if reason == "stop" else "length",
            usage.get("prompt_tokens"),
            details.get("cached_tokens"),
            instead,
        )

    def _broken(self, received: int, why: str, code: int = 500) -> AgentflowError:
        """The error for a stream that ended before its time, or that is an error from the start."""
        if not received and _refuses(code):
            return BadInput(f"{self.base_url} answered {code}: {why}")
        self._lost = True
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
            "max_tokens": self._room(request),
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
            if request.schema is not None:
                body["json_schema"] = request.schema
        else:
            body |= {"skip_special_tokens": False, "return_token_ids": True}
            body |= {"repetition_penalty": 1.0, "logprobs": request.top or None}
            body["return_tokens_as_token_ids"] = bool(request.top and self._by_id)
            if not request.cache:
                body["cache_salt"] = uuid4().hex
            if request.schema is not None:
                body["structured_outputs"] = {"json": request.schema}
            # The server only knows the stops of the model's own configuration.
            body["stop_token_ids"] = [
                i for i, marker in self._markers.items() if marker in self.profile.stops
            ]
        return body

    def _room(self, request: Request) -> int:
        """The tokens to ask for: vLLM refuses more than its context holds."""
        if self._context is None or isinstance(request.prompt, str):
            return request.max_tokens
        if (room := self._context - len(request.prompt)) < 1:
            raise BadInput(
                f"{self.base_url}: the prompt's {len(request.prompt):,} tokens fill the model's "
                f"context of {self._context:,}; ask for less, or serve it with a longer context"
            )
        return min(request.max_tokens, room)

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
        except LOST as error:
            self._lost = True
            raise ModelUnavailable(
                f"no server answers at {url} ({str(error) or 'timed out'}); start one or check "
                "--model"
            ) from error
        async with response:
            if response.status >= 400:
                kind = BadInput if _refuses(response.status) else ModelUnavailable
                raise kind(f"{url} answered {response.status}: {await self._say(response)}")
            yield response

    async def _json(self, method: str, url: str, body: dict[str, Any] | None = None) -> Any:
        async with self._request(method, url, body) as response:
            try:
                return orjson.loads(await self._whole(response))
            except orjson.JSONDecodeError as error:
                raise BadInput(
                    f"{url} answered something that is not JSON; is it an OpenAI-compatible API?"
                ) from error
            except LOST as error:
                said = str(error) or "timed out"
                raise ModelUnavailable(f"{url}: the answer broke off ({said})") from error

    async def _whole(self, response: aiohttp.ClientResponse) -> bytes:
        """The whole answer, from a server that may send it byte by byte."""
        async with asyncio.timeout(self._idle_timeout):
            return await response.read()

    async def _say(self, response: aiohttp.ClientResponse) -> str:
        """What an error response says, in one short line."""
        try:
            raw = await self._whole(response)
            return wire.message(orjson.loads(raw))
        except orjson.JSONDecodeError:
            said = " ".join(raw.decode(errors="replace").split())[:200]
            return "a web page; is it an OpenAI-compatible API?" if said[:1] == "<" else said
        except LOST:
            return "(the answer broke off)"


def _refuses(status: int) -> bool:
    """Whether an error's status says that another attempt is of no use."""
    return 400 <= status < 500 and status not in _TRY_LATER
