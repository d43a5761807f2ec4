"""Any OpenAI-compatible server, over raw completions: vLLM, llama.cpp's server, and the like.

The hot path reads the event stream itself over one shared aiohttp session: a general client costs
several times the CPU per token (``benchmarks/stream.py``).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import aclosing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import count, islice
from time import monotonic
from typing import Any

import aiohttp
import orjson

from agentflow.errors import (
    AgentflowError,
    BadInput,
    BadReply,
    ModelUnavailable,
    Refused,
    StreamBroken,
    Withheld,
)
from agentflow.models import (
    choice_tokens,
    fields,
    finish_reason,
    in_engine,
    raw_body,
    server_errors,
    sse,
)
from agentflow.models.connection import LOST, Connection, refuses, why_lost
from agentflow.models.fields import Wrong
from agentflow.models.incoming import Incoming
from agentflow.models.model import Capabilities, Finish, Request, Token
from agentflow.models.template import letters, llamacpp_props, served_profile
from agentflow.profile import Piece, Profile, detect

_VLLM_LOGPROBS = 20
"""Alternatives per token that vLLM gives unless its ``--max-logprobs`` says otherwise."""
_FEW = 1000
"""A server that gives more alternatives gives all there are (``--max-logprobs -1``)."""
_CUT_SHORT = ("", "abort", "error")
"""Why a reply ended that is not whole; vLLM says "abort" when it shuts down."""
_REMEMBERED = 1000
"""Characters of a piece whose token ids are kept; longer ones are a problem's own, and many."""


class HTTPModel(Connection):
    """A model behind an OpenAI-compatible base URL.

    Args:
        base_url: For example ``http://localhost:8000/v1``.
        name: The served model's name; None for the only one that the server lists.
        profile: How it is spoken to; None to learn it from the server.
        api_key: Sent as a bearer token.
        idle_timeout: Seconds without an event after which a stream counts as broken, and that an
            answer of another kind may take from its first byte to its last.
        at_once: Whether it is to answer without thinking (:attr:`Profile.at_once`).
        context: Most tokens of its context that are used; None for all that its server has.

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
        key_header: str = "",
        at_once: bool = False,
        context: int | None = None,
    ) -> None:
        super().__init__(base_url, api_key, idle_timeout, key_header)
        self.name, self._at_once, self._most = name or "", at_once, context
        self._named = bool(name)
        self._given = profile
        self.profile = profile or detect(self.name)
        self.capabilities = Capabilities()
        self._engine = ""
        self._context: int | None = None
        self._slots = 0  # not yet known
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
            card = await self._card()
            engine = "llamacpp" if card.get("owned_by") == "llamacpp" else "vllm"
            tokenize = partial(self._ask_tokens, engine=engine)
            found = await served_profile(card, engine, self._ask, tokenize, self._given)
            found = found.at_once if self._at_once else found
            self.profile = found.within(self._most)
            with self._reading("/models"):
                # vLLM's word for it
                self._context = fields.count_or_none(card.get("max_model_len"), "max_model_len")
                meta = fields.fields(card.get("meta"), "meta")
                self.parameters = fields.count_or_none(meta.get("n_params"), "meta.n_params") or 0
                self.root = fields.text_or_none(card.get("root"), "root") or ""
            self._markers, self._tokens = {}, {}
            try:
                for marker in self.profile.markers:
                    ids = await self._ask_tokens(Piece(marker, special=True), engine)
                    if len(ids) == 1:
                        self._markers[ids[0]] = marker
                self._texts = dict(self._markers)
                if engine == "vllm":
                    await self._check_ids()
                self._by_id = engine == "vllm" and await self._can_learn()
                most = None if engine == "llamacpp" else await self._most_alternatives()
                self.capabilities = Capabilities(logprobs=most)
            except (BadInput, BadReply):  # no tokenizer endpoint, or no ids: prompts travel as text
                self._markers, self._texts, self._by_id = {}, {}, False
                self.capabilities = Capabilities(exact_prefix=False, logprobs=5)
            if card.get("owned_by") == "vllm" and self.capabilities.exact_prefix:
                await self._find_plugin()
            self._engine, self._slots, self._lost = engine, 0, False

    async def _card(self) -> Mapping[str, Any]:
        """The entry of the model in the server's list; its name where none was given.

        Raises:
            BadInput: If there is none, or several and none is named, or what answers is no such
                API.
        """
        served = await self._served()
        if not self._named:
            self.name = only_model(served, self.at(""))
        elif self.name not in served:
            raise BadInput(f"{self.base_url} serves {_listed(served)}, not {self.name!r}")
        return served[self.name]

    async def _served(self) -> dict[str, Mapping[str, Any]]:
        """The server's models by name.

        Raises:
            BadInput: If it lists none in the way of this API.
        """
        url = self.at("/models")
        try:
            return fields.models(await self.json("GET", url))
        except Refused as error:
            if error.status != 404 or not self._hint:
                raise
            raise Refused(f"{error}{self._hint}", error.status) from error
        except (BadReply, Wrong) as error:
            raise BadInput(
                self.without_key(
                    f"{url} lists no models; is it an OpenAI-compatible API? ({error})"
                )
            ) from error

    @contextmanager
    def _reading(self, path: str) -> Iterator[None]:
        """What is wrong in a reply of the server becomes a :class:`BadReply` that names it."""
        try:
            yield
        except Wrong as error:
            raise BadReply(
                self.without_key(f"{self.base_url}{path} answered what cannot be used: {error}")
            ) from error

    async def _ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        return await self.json("POST" if body else "GET", f"{self._root}{path}{self._query}", body)

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
                self._remember({piece: found})
            ids += found
        return ids

    def _remember(self, tokens: Mapping[Piece, tuple[int, ...]]) -> None:
        if len(self._tokens) > 10_000:
            self._tokens.clear()
        self._tokens |= {one: ids for one, ids in tokens.items() if len(one.text) <= _REMEMBERED}

    async def _ask_tokens(self, piece: Piece, engine: str) -> tuple[int, ...]:
        if engine == "llamacpp":
            special = piece.special
            return await self._tokenized(
                {"content": piece.text, "add_special": False, "parse_special": special}
            )
        ids: tuple[int, ...] = ()
        for text in [piece.text] if piece.special else letters(piece.text, self.profile):
            ids += await self._tokenized(
                {"model": self.name, "prompt": text, "add_special_tokens": False}
            )
        return ids

    async def _tokenized(self, body: dict[str, Any]) -> tuple[int, ...]:
        reply = await self._ask("/tokenize", body)
        with self._reading("/tokenize"):
            return fields.ids(fields.member(reply, "tokens"), "tokens")

    async def _check_ids(self) -> None:
        """See that the server tells the ids of what it generates, which SGLang and older vLLMs do
        not, though they tokenize: a prompt of ids would lack all that was generated.

        Raises:
            BadReply: If it does not.
        """
        body = {"model": self.name, "prompt": [0], "max_tokens": 1, "return_token_ids": True}
        reply = await self.json("POST", self.at("/completions"), body)
        with self._reading("/completions"):
            choice = fields.only_choice(fields.fields(reply, "(the whole)")) or {}
            fields.ids(choice.get("token_ids"), "token_ids")

    async def _most_alternatives(self) -> int:
        """How many alternatives per token vLLM gives: its refusal of too many names the most."""
        body = {"model": self.name, "prompt": [0], "max_tokens": 1, "logprobs": 10_000_000}
        try:
            await self.json("POST", self.at("/completions"), body)
        except BadInput as error:
            if named := re.search(r"max allowed: (\d+)", str(error)):
                return int(named[1])
        return _VLLM_LOGPROBS

    async def _find_plugin(self) -> None:
        most = self.capabilities.logprobs
        vocabulary = most if most is not None and most > _FEW else None
        tell = partial(self.json, "POST", self.at("/completions"))
        found = await in_engine.digits_of(tell, self.name, tuple(self._markers), vocabulary)
        self.capabilities = replace(self.capabilities, in_engine=found)

    async def _can_learn(self) -> bool:
        """Whether the server tells a token's text; else alternatives are named by theirs."""
        if not self._markers:  # of which one stands between any two
            return False
        try:
            await self._learn({next(i for i in count() if i not in self._markers)})
        except (BadInput, BadReply):
            return False
        return True

    async def _learn(self, ids: Iterable[int]) -> None:
        """Ask for the texts of tokens, all at once: a marker stands between them."""
        new = sorted(ids)
        between, marker = next(iter(self._markers.items()))
        row = [between, *(one for token in new for one in (token, between))]
        reply = await self._ask("/detokenize", {"model": self.name, "tokens": row})
        with self._reading("/detokenize"):
            prompt = fields.text(fields.member(reply, "prompt"), "prompt")
            texts = prompt.split(marker)[1:-1]
            if len(texts) != len(new):
                raise Wrong("prompt", prompt, f"the text of {len(new)} tokens")
        self._texts.update(zip(new, texts, strict=True))

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        """Stream a raw completion.

        A token whose id is a marker of the profile has the marker as its text; one that ends the
        model's turn is not streamed, but its alternatives are in the :class:`Finish`.
        """
        await self._find()
        if request.own is not None:
            await self._count_slots()
        markers, stops, top = self._markers, frozenset(self.profile.stops), request.top
        reply = Incoming(request.max_tokens, "text")
        instead: tuple[tuple[str, float], ...] = ()
        with self._reading_stream(reply):
            async with (
                self.request("POST", self.at("/completions"), self._body(request)) as sent,
                aclosing(self._choices(sent, reply, sse.longest(top))) as choices,
            ):
                async for choice in choices:
                    if self._by_id and (new := choice_tokens.wanted(choice) - self._texts.keys()):
                        await self._learn(new)
                    for token in choice_tokens.tokens(choice, top, markers, self._texts):
                        marker = markers.get(token.id) if token.id is not None else None
                        if marker in stops:
                            instead = token.top
                            continue
                        if reply.full:  # it sends more than was asked for
                            yield self._finish("length", reply.used)
                            return
                        reply.take(len(token.text))
                        reply.streamed += 1
                        try:
                            yield token if marker is None else token._replace(text=marker)
                        except GeneratorExit:
                            if request.own is not None:
                                await self._one_more(choices)
                            raise
        self._see_end(reply, whole=reply.reason not in _CUT_SHORT)
        yield self._finish("stop" if reply.reason == "stop" else "length", reply.used, instead)

    async def _choices(
        self, response: aiohttp.ClientResponse, reply: Incoming, most: int
    ) -> AsyncGenerator[fields.Choice, None]:
        """What each event of a response brings of the reply; it is for the reader to count it.

        Args:
            most: Bytes that an event may have.

        Raises:
            Refused, ModelUnavailable, StreamBroken: If an event is an error.
            Wrong: If one is not what the API says.
            aiohttp.ClientError, TimeoutError, OSError: If the connection breaks or falls silent, or
                no token comes for too long.
        """
        reply.headers = response.headers
        before: fields.Choice | None = None
        last, came = monotonic(), 0
        async for event in sse.events(response, self._idle_timeout, most):
            if event.get("error") is not None:
                raise self._broken(
                    reply, server_errors.message(event, self.api_key), server_errors.code(event)
                )
            choice = fields.only_choice(event, before)
            ends = reply.reason or (choice is not None and choice.get("finish_reason"))
            if event.get("usage"):
                try:
                    told = fields.usage(event)
                    reply.used = told if told.prompt or told.generated else reply.used
                except Wrong:
                    if not ends:  # else the reply came whole
                        raise
            if choice is not None:
                before = choice
                yield choice
                if (end := choice.get("finish_reason")) is not None:
                    reply.reason = (
                        finish_reason.ended(fields.text(end, "finish_reason")) or reply.reason
                    )
            if choice is None and ends and event.get("usage"):  # nothing more is to come
                return
            if reply.pieces > came:
                came, last = reply.pieces, monotonic()
            elif monotonic() - last > self._idle_timeout:
                raise TimeoutError(f"no token for {self._idle_timeout:g} s")

    @contextmanager
    def _reading_stream(self, reply: Incoming) -> Iterator[None]:
        """Where the connection breaks the reply ends; it says why.

        Raises:
            BadReply, StreamBroken: For an event that is not what the API says.
        """
        try:
            yield
        except (*LOST, orjson.JSONDecodeError) as error:
            reply.why, reply.gone = why_lost(error), isinstance(error, LOST)
            if reply.full:  # nothing but the reason is missing
                reply.reason = reply.reason or "length"
        except Wrong as error:
            if reply.streamed:
                reply.gone = False
                raise self._broken(reply, str(error)) from error
            message = f"{self.base_url} streams what cannot be used: {error}{self._hint}"
            raise self.identified(BadReply(message), reply.headers) from error

    def _see_end(self, reply: Incoming, *, whole: bool) -> None:
        """
        Raises:
            Withheld: If the rest of the reply is filtered.
            ModelUnavailable, StreamBroken: If it is not ``whole``.
        """
        if reply.reason == "content_filter":
            said = f"the stream ended with 'content_filter' after {reply.streamed} tokens"
            text = f"{self.base_url}: {said}: the provider withholds the rest"
            raise self._with_counts(Withheld(text), reply)
        if not whole:
            reply.gone = reply.gone and reply.reason in _CUT_SHORT
            why = f"it ended with {reply.reason!r:.60}" if reply.reason else reply.why
            raise self._broken(reply, why)

    async def _one_more(self, choices: AsyncIterator[fields.Choice]) -> None:
        """Let llama.cpp write a token behind a cut: what goes on from the last one before it finds
        that one computed as it was written, however soon the cut came."""
        if self._engine == "llamacpp":
            with suppress(*LOST, orjson.JSONDecodeError, Wrong, AgentflowError):
                await anext(choices, None)

    def _finish(
        self, reason: str, used: fields.Usage, instead: tuple[tuple[str, float], ...] = ()
    ) -> Finish:
        """The end of a stream; the server's count only where its tokens do not come one by one."""
        counted = None if self.capabilities.exact_prefix else used.generated
        return Finish(reason, used.prompt, used.cached, instead, counted, used.reasoning)

    def _broken(self, reply: Incoming, why: str, code: int = 0) -> AgentflowError:
        """The error for a stream that ended before its time, or that is an error from the start.

        Args:
            code: The status of an error that the server itself told; 0 where it told none.
        """
        long = server_errors.too_long(why)
        if not reply.streamed and (refuses(code) or long):
            told = f"{self.base_url} answered {code or 'with an error'}: {why}{long}"
            return self._with_counts(Refused(told, code), reply)
        self._lost, kind = True, StreamBroken if reply.streamed else ModelUnavailable
        text = f"{self.base_url}: the stream broke after {reply.streamed} tokens ({why})"
        asks = reply.gone and not code
        text += "" if reply.streamed else self._hint
        return self._with_counts(
            kind(f"{text}; is the server still running?" if asks else text), reply
        )

    def _with_counts(self, error: server_errors.E, reply: Incoming) -> server_errors.E:
        """The error, with what was told of the reply's tokens."""
        if reply.used.prompt or reply.used.generated:
            error.told = self._finish("length", reply.used)
        return self.identified(error, reply.headers)

    @property
    def provider(self) -> str:
        """Whose API it is, for those who watch."""
        return self._engine

    @property
    def _hint(self) -> str:
        """What may be wrong with the address; empty where nothing seems to be."""
        return "" if self.base_url.endswith("/v1") else "; most base URLs end in /v1"

    @property
    def _root(self) -> str:
        return self.base_url.removesuffix("/v1")

    def _body(self, request: Request) -> dict[str, Any]:
        body = raw_body.for_any(request, self.name, self._room(request))
        if self._engine == "llamacpp":
            return body | raw_body.for_llamacpp(request, self._slots or 1)
        stops = [i for i, marker in self._markers.items() if marker in self.profile.stops]
        return body | raw_body.for_vllm(request, stops, self._by_id)

    async def _count_slots(self) -> None:
        """Learn how many slots llama.cpp has, for a stream that is to keep to one."""
        if self._engine == "llamacpp" and not self._slots:
            slots = (await llamacpp_props(self._ask)).get("total_slots")
            self._slots = slots if type(slots) is int and slots > 0 else 1

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


def only_model(served: Mapping[str, Mapping[str, Any]], url: str) -> str:
    """The name of the model that a server serves; adapters and further names of it do not count.

    Raises:
        BadInput: If it lists none, or several.
    """
    if not served:
        raise BadInput(f"{url} lists no model; name one behind the URL, as {url}#NAME")
    own = [name for name, card in served.items() if not card.get("parent")] or list(served)
    if len({str(served[name].get("root") or name) for name in own}) > 1:
        raise BadInput(
            f"{url} serves several models ({_listed(own)}); name one behind the URL, as "
            f"{url}#{own[0]}"
        )
    return own[0]


def _listed(names: Collection[str], most: int = 8) -> str:
    """The first of a server's models, and how many more there are."""
    more = len(names) - most
    return ", ".join(islice(names, most)) + (f" and {more} more" if more > 0 else "")
