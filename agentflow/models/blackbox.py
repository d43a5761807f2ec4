"""Black boxes: servers that only answer messages, over ``/chat/completions``.

Such a server cannot go on from a text of ours, gives no token ids and may keep its thinking back.
What it can is to be shown, in a new turn, what was written so far.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import replace
from typing import Any

import aiohttp
import orjson

from agentflow.errors import BadInput, Refused
from agentflow.models import choice_tokens, fields, server_errors
from agentflow.models.dialects import Effort, body_of, dialect_of, format_of, without
from agentflow.models.http import HTTPModel, only_model
from agentflow.models.incoming import Incoming
from agentflow.models.model import Capabilities, Finish, Request, Token, estimated
from agentflow.models.splitter import Splitter
from agentflow.models.turns import (
    CHAT,
    Behind,
    ChatOnly,
    ChatPrompt,
    chat_profile,
    chat_prompt,
    turns_of,
)
from agentflow.profile import Profile, Sampling

_CALLED = ("tool_calls", "tool_call", "tool_use", "function_call")
"""Why a reply ended that ends in calls; without one it is not whole."""


class ChatAPI(ChatOnly, HTTPModel):
    """A model behind a chat-only base URL.

    Its tokens are the streamed pieces, or tokens where log-probabilities were asked for; the server
    says how many it generated. Thinking, which servers stream as ``reasoning_content`` or
    ``reasoning``, as chunks of the content, or in it between the profile's markers, stands between
    these markers as tokens of their own; a reply without any has them too, with nothing between.

    Args:
        base_url, name, api_key, idle_timeout: As for :class:`~agentflow.models.http.HTTPModel`;
            a given name is taken on trust, since servers answer to names that they do not list.
        profile: The model's; its markers, limits and sampling are used. Where its template opens
            the thinking, a reply's content is taken to begin in the thinking, as it does on servers
            that have such a template and tell no thinking apart. None for :data:`CHAT`.
        provider: Name of the API's dialect; None to tell from the URL and its list of models.
        effort, thinking_tokens: How much the model is to think, and most tokens of it.

    Attributes:
        dialect: What the API takes.
    """

    def __init__(
        self,
        base_url: str,
        name: str | None = None,
        *,
        profile: Profile | None = None,
        api_key: str | None = None,
        idle_timeout: float = 60.0,
        provider: str | None = None,
        effort: Effort | None = None,
        thinking_tokens: int | None = None,
    ) -> None:
        self.dialect, self._provider = dialect_of(base_url, "", provider), provider
        known = CHAT if profile is None else chat_profile(profile)
        super().__init__(
            base_url,
            name,
            profile=known,
            api_key=api_key,
            idle_timeout=idle_timeout,
            key_header=self.dialect.key,
        )
        self.effort, self.thinking_tokens = effort, thinking_tokens
        self._learned: list[tuple[str, str]] = []
        self._know("")

    def _know(self, owner: str) -> None:
        """Learn what the API takes from whom its model belongs to."""
        self.dialect = dialect_of(self.base_url, owner, self._provider)
        most = self.dialect.most_logprobs(self.name)
        self.capabilities = Capabilities(
            continues=False, turns=True, exact_prefix=False, logprobs=most
        )
        if self.dialect.tools:
            self.profile = replace(self.profile, tools=True)

    async def open(self) -> None:
        """See that the server answers; ask it for its model where none is named."""
        async with self._opening:
            if self._engine and not self._lost:
                return
            try:
                served = await self._served()
            except BadInput as error:
                if not self._named:
                    if getattr(error, "status", 0) != 404:
                        raise
                    name = f"a server that lists no models needs a name, as {self.at('')}#NAME"
                    raise BadInput(f"{error}; {name}") from error
                served = {}
            if not self._named:
                self.name = only_model(served, self.at(""))
            card = served.get(self.name) or next(iter(served.values()), {})
            owner = card.get("owned_by")
            self._know(owner if isinstance(owner, str) else "")
            body_of(self.dialect, self.name, self.profile.sampling, limit=1, seed=0, **self._think)
            self._engine, self._lost = "chat", False

    @property
    def provider(self) -> str:
        """Whose API it is, for those who watch."""
        return self.dialect.name

    @property
    def _think(self) -> dict[str, Any]:
        return {"effort": self.effort, "budget": self.thinking_tokens}

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        """Stream the answer to the messages that the prompt holds.

        Behind a text of the model's it streams what comes in a new turn, as going on from it.

        Raises:
            MissingCapability: If the prompt is not what :class:`ChatProfile` renders.
            ModelUnavailable, StreamBroken: As :class:`~agentflow.models.model.Model` says.
        """
        await self._find()
        prompt = chat_prompt(request.prompt, self.name)
        body = await self._body_for(request, prompt)
        splitter, behind = Splitter(self.profile), Behind(self.profile, prompt.body)
        reply, calls = Incoming(request.max_tokens, "delta"), dict[int, list[str]]()
        with self._reading_stream(reply):
            async with (
                self.ask_chat(body) as response,
                aclosing(self._choices(response, reply, reply.room)) as choices,
            ):
                async for choice in choices:
                    delta = _delta(choice, begun=reply.pieces > 0)
                    reasoning, content = _texts(delta)
                    called = _called(delta, calls)
                    if not (reasoning or content or called):
                        continue
                    if reply.full:  # it sends more than was asked for
                        reply.reason = "length"
                        break
                    reply.take(len(reasoning) + len(content) + called)
                    for token in _pieces(splitter, choice, reasoning, content, request.top):
                        # some print the token that ends their turn
                        if token.text not in self.profile.stops and behind.takes(token.text):
                            reply.streamed += 1
                            yield token
        for text in (*splitter.feed("", _as_text(calls)), *splitter.end()):
            if behind.takes(text):
                reply.streamed += 1
                yield estimated(text)
        if calls and reply.reason in _CALLED:
            reply.reason = "stop"
        self._see_end(reply, whole=reply.reason in ("stop", "length"))
        used = reply.used
        counted = used.generated or (None if reply.pieces else used.generated)  # some say 0 first
        yield Finish(reply.reason, used.prompt, used.cached, (), counted, used.reasoning)

    @asynccontextmanager
    async def ask_chat(self, body: dict[str, Any]) -> AsyncIterator[aiohttp.ClientResponse]:
        """The response to a chat request.

        What a server that is in no table refuses by name, and a request can do without, is left out
        from then on.

        Raises:
            Refused, ModelUnavailable: As :meth:`request`.
        """
        url = self.at("/chat/completions")
        async with AsyncExitStack() as stack:
            while True:
                fitted = self._fitted(body)
                try:
                    response = await stack.enter_async_context(self.request("POST", url, fitted))
                    break
                except Refused as error:
                    told = error.status in (400, 422) and not server_errors.too_long(str(error))
                    refused = without(fitted, str(error)) if told else None
                    if refused is None:
                        raise
                    if refused not in self._learned:
                        self._learned.append(refused)
                    elif self._fitted(body) == fitted:  # no other request learned it meanwhile
                        raise
            yield response

    async def chat(self, body: dict[str, Any]) -> Any:
        """The answer to a chat request that is not streamed, as JSON.

        Raises:
            Refused, ModelUnavailable: As :meth:`request`.
            BadReply: If it is no JSON.
        """
        async with self.ask_chat(body) as response:
            return await self.read(response)

    def _fitted(self, body: dict[str, Any]) -> dict[str, Any]:
        """The request without what the server was learned to refuse."""
        fitted = dict(body)
        for key, instead in self._learned:
            if key in fitted:
                value = fitted.pop(key)
                if instead:
                    fitted[instead] = value
        return fitted

    def core(self, limit: int, sampling: Sampling, seed: int, top: int) -> dict[str, Any]:
        """What a request says beside its messages, in the API's dialect."""
        return body_of(
            self.dialect,
            self.name,
            sampling,
            limit=limit,
            seed=seed,
            top=top,
            **self._think,
        )

    async def _body_for(self, request: Request, prompt: ChatPrompt) -> dict[str, Any]:
        messages = await turns_of(prompt, self.profile)
        body = self.core(request.max_tokens, request.sampling, request.seed, request.top)
        body |= {"messages": messages, "stream": True}
        if self.dialect.counts_asked:
            body["stream_options"] = {"include_usage": True}
        if request.schema is not None:
            body |= format_of(self.dialect, request.schema, messages)
        return body


def _pieces(
    splitter: Splitter, choice: fields.Choice, reasoning: str, content: str, top: int
) -> Iterator[Token]:
    """The pieces of an event, token by token where their log-probabilities came along."""
    logprobs = fields.fields(choice.get("logprobs"), "logprobs") if top else {}
    logged = choice_tokens.logged(fields.entries(logprobs.get("content"), "logprobs.content"), top)
    if content and "".join(token.text for token in logged) == content:
        for text in splitter.feed(reasoning, ""):
            yield estimated(text)
        for token in logged:
            for text in splitter.feed("", token.text):
                yield token if text == token.text else estimated(text)
        return
    for text in splitter.feed(reasoning, content):
        yield estimated(text)


def _delta(choice: fields.Choice, *, begun: bool) -> Mapping[str, Any]:
    """What a streamed choice brings. A server that does not stream gives a whole message; one that
    does may repeat all of it at the end.

    Args:
        begun: Whether something came before.
    """
    delta = fields.fields(choice.get("delta"), "delta")
    return delta if delta or begun else fields.fields(choice.get("message"), "message")


def _texts(delta: Mapping[str, Any]) -> tuple[str, str]:
    """(thinking, content) of what a streamed choice brings; a refusal is what the model says.

    Raises:
        Wrong: If one is neither a text nor made of texts.
    """
    reasoning = ""
    for key in ("reasoning_content", "reasoning", "thinking"):
        reasoning = reasoning or "".join(fields.thinking_and_text(delta.get(key), f"delta.{key}"))
    thinking, content = fields.thinking_and_text(delta.get("content"), "delta.content")
    refusal = fields.text_or_none(delta.get("refusal"), "delta.refusal")
    return reasoning or thinking, content or refusal or ""


def _called(delta: Mapping[str, Any], calls: dict[int, list[str]]) -> int:
    """Take the pieces of calls that a delta brings into ``calls``, (name, arguments) by their
    place; gives their characters.

    Raises:
        Wrong: If they are none.
    """
    name, size = "delta.tool_calls", 0
    found = [*fields.entries(delta.get("tool_calls"), name)]
    if delta.get("function_call") is not None:  # of OpenAI's older API
        found.append({"index": 0, "function": delta["function_call"]})
    for at, one in enumerate(found):
        call = fields.fields(one, f"{name}[]")
        place = fields.count_or_none(call.get("index"), f"{name}[].index")
        function = fields.fields(call.get("function"), f"{name}[].function")
        said = function.get("arguments")
        said = said if isinstance(said, str | None) else orjson.dumps(said).decode()
        pieces = (fields.text_or_none(function.get("name"), f"{name}[].function.name"), said)
        kept = calls.setdefault(at if place is None else place, ["", ""])
        for which, piece in enumerate(pieces):
            kept[which] += piece or ""
            size += len(piece or "")
    return size


def _as_text(calls: Mapping[int, Sequence[str]]) -> str:
    """Calls as the text of a message of OpenAI's; empty for none."""
    made = [{"function": {"name": n, "arguments": a}} for _, (n, a) in sorted(calls.items())]
    return orjson.dumps({"tool_calls": made}).decode() if made else ""
