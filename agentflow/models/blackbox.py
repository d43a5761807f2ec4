"""Black boxes: servers that only answer messages, over ``/chat/completions``.

Such a server cannot go on from a text of ours, gives no token ids and may keep its thinking back.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import fields as fields_of
from time import monotonic
from typing import Any, Literal

import orjson

from agentflow.errors import BadInput, MissingCapability
from agentflow.models import fields, wire
from agentflow.models.connection import LOST
from agentflow.models.fields import Wrong
from agentflow.models.http import HTTPModel
from agentflow.models.model import Capabilities, Finish, Request, Token
from agentflow.profile import Piece, Profile, Sampling, Thinking
from agentflow.thinking import unfinished
from agentflow.thinking_formats import MARKERS


@dataclass(frozen=True, slots=True)
class ChatProfile(Profile):
    """A profile whose prompt is the messages as JSON; the server has the template."""

    def render(
        self, user: str, system: str = "", *, thinking: Thinking = "open", body: str = ""
    ) -> list[Piece]:
        """The messages, as the JSON that the request carries.

        Raises:
            MissingCapability: If the model's turn is to begin as the server would not begin it.
        """
        if body or (thinking == "none" and self.no_think):
            raise MissingCapability(
                "the server is chat-only and lacks the capability 'continues': a turn cannot be "
                "begun for its model, nor its thinking skipped; use one with raw completions"
            )
        texts = {"system": system, "user": user}
        messages = [{"role": role, "content": text} for role, text in texts.items() if text]
        return [Piece(orjson.dumps(messages).decode())]


CHAT = ChatProfile("chat", max_tokens=16_384, sampling=Sampling(1.0, 1.0, 0))
"""What is taken of a server of which nothing is known."""


class ChatAPI(HTTPModel):
    """A model behind a chat-only base URL.

    Its tokens are the streamed pieces. Thinking, which servers stream as ``reasoning_content`` or
    ``reasoning`` or between the profile's markers in the content, stands between these markers as
    tokens of their own; a reply without any has them too, with nothing between.

    Args:
        base_url, name, api_key, idle_timeout: As for :class:`~agentflow.models.http.HTTPModel`;
            a given name is taken on trust, since servers answer to names that they do not list.
        profile: The model's; its markers, limits and sampling are used. Where its template opens
            the thinking, a reply's content is taken to begin in the thinking, as it does on servers
            that have such a template and tell no thinking apart. None for :data:`CHAT`.
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
        known = CHAT if profile is None else _chat_profile(profile)
        super().__init__(base_url, name, profile=known, api_key=api_key, idle_timeout=idle_timeout)
        self.capabilities = Capabilities(continues=False, exact_prefix=False, logprobs=0)

    async def open(self) -> None:
        """See that the server answers; ask it for its first model where none is named."""
        async with self._opening:
            if self._engine and not self._lost:
                return
            try:
                served = await self._served()
            except BadInput:
                if not self._named:
                    raise
                served = {}
            if not self._named:
                self.name = _first(served, self.base_url)
            self._engine, self._lost = "chat", False

    async def tokenize(self, pieces: Sequence[Piece]) -> tuple[int, ...]:
        """Nothing that a chat-only server can do: raises ``MissingCapability``."""
        raise MissingCapability(f"{self.name} is chat-only and has no tokenizer")

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        """Stream the answer to the messages that the prompt holds.

        Raises:
            MissingCapability: If the prompt is not what :class:`ChatProfile` renders.
            ModelUnavailable, StreamBroken: As :class:`~agentflow.models.model.Model` says.
        """
        await self._find()
        url, body = f"{self.base_url}/chat/completions", self._body(request)
        splitter = _Splitter(self.profile)
        reason, why, received, last = "", "it ended without a finish reason", 0, monotonic()
        most, room = request.max_tokens, self.most_text(request)
        prompt: int | None = None
        cached: int | None = None
        deltas = size = 0
        try:
            async with self.request("POST", url, body) as response:
                async for event in wire.events(response, self._idle_timeout, room):
                    if event.get("error") is not None:
                        raise self._broken(received, wire.message(event), wire.code(event))
                    if event.get("usage") is not None:
                        prompt, cached, _ = fields.usage(event)
                    choice = fields.only_choice(event)
                    reasoning, content = ("", "") if choice is None else _texts(choice)
                    if reasoning or content:
                        if deltas == most:  # it sends more than was asked for
                            reason = "length"
                            break
                        deltas, last = deltas + 1, monotonic()
                        size += len(reasoning) + len(content)
                        if size > room:
                            raise Wrong("delta", f"{size} letters", f"those of {most} tokens")
                        for piece in splitter.feed(reasoning, content):
                            if piece not in self.profile.stops:  # some print that token
                                received += 1
                                yield Token(piece)
                    elif monotonic() - last > self._idle_timeout:
                        raise TimeoutError(f"no token for {self._idle_timeout:g} s")
                    if choice is not None and (said := choice.get("finish_reason")) is not None:
                        reason = fields.text(said, "finish_reason") or reason
        except (*LOST, orjson.JSONDecodeError) as error:
            why = str(error) or type(error).__name__  # no matter where the reason had come
            reason = reason or ("length" if deltas == most else "")
        except Wrong as error:
            raise self._wrong(received, error) from error
        for piece in splitter.end():
            received += 1
            yield Token(piece)
        if reason not in ("stop", "length"):  # a content filter has a word of its own
            raise self._broken(received, f"it ended with {reason!r:.60}" if reason else why)
        yield Finish(reason, prompt, cached)

    def _body(self, request: Request) -> dict[str, Any]:
        sampling = request.sampling
        body: dict[str, Any] = {
            "model": self.name,
            "messages": self._messages(request.prompt),
            "max_tokens": request.max_tokens,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "presence_penalty": 0.0,
            "frequency_penalty": 0.0,
            "seed": request.seed,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if sampling.top_k:  # not in the common API, and strict servers refuse it
            body["top_k"] = sampling.top_k
        if request.schema is not None:
            schema = {"name": "reply", "schema": request.schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    def _messages(self, prompt: tuple[int, ...] | str) -> Any:
        try:
            return orjson.loads(prompt)  # type: ignore[arg-type]
        except orjson.JSONDecodeError as error:
            raise MissingCapability(
                f"{self.name} lacks the capability 'continues': it is chat-only and answers "
                "messages, not a text to go on from"
            ) from error


def _chat_profile(profile: Profile) -> ChatProfile:
    values = {field.name: getattr(profile, field.name) for field in fields_of(profile)}
    if not profile.think_close:  # a server may tell thinking apart where the model's text does not
        values |= {"think_open": CHAT.think_open, "think_close": CHAT.think_close}
    return ChatProfile(**values)


class _Splitter:
    """Pieces of thinking and of content, as pieces with markers between thinking and answer.

    The markers are the profile's, whatever known ones the content begins with.
    """

    def __init__(self, profile: Profile) -> None:
        self.start, self.close = profile.think_open, profile.think_close
        self.ends = {**dict(MARKERS.values()), self.start: self.close}
        self.end_marker = self.close  # what ends the thinking inside this content
        self.prefilled = profile.opened
        # Thinking comes in a field of its own ("reasoning") or "inside" the content.
        self.place: Literal["begin", "reasoning", "inside", "answer"] = "begin"
        self.held = ""

    def feed(self, reasoning: str, content: str) -> Iterator[str]:
        """The pieces that are certain by now."""
        if reasoning and self.place in ("begin", "reasoning"):
            if self.place == "begin":
                yield self.start
            self.place = "reasoning"
            yield reasoning
        if content and self.place == "reasoning":
            yield self.close
            self.place = "answer"
        if content:
            yield from self._content(self.held + content)

    def end(self) -> Iterator[str]:
        """What was held back."""
        text, self.held = self.held, ""
        if self.place == "begin" and text:
            yield from self._begin(inside=self.prefilled)
        if text:
            yield text

    def _content(self, text: str) -> Iterator[str]:
        self.held = ""
        if self.place == "begin":
            body = text.lstrip()
            if any(len(body) < len(start) and start.startswith(body) for start in self.ends):
                self.held = text
                return
            start = next((start for start in self.ends if body.startswith(start)), "")
            self.end_marker = self.ends.get(start, self.close)
            text = body.removeprefix(start) if start else text
            yield from self._begin(inside=bool(start) or self.prefilled)
        if self.place == "inside":
            text, closed, behind = text.partition(self.end_marker)
            if closed:
                self.place = "answer"
                if text:
                    yield text
                yield self.close
                text = behind
            elif keep := unfinished(text, [self.end_marker]):
                text, self.held = text[:-keep], text[-keep:]
        if text:
            yield text

    def _begin(self, *, inside: bool) -> Iterator[str]:
        yield self.start
        if not inside:
            yield self.close
        self.place = "inside" if inside else "answer"


def _texts(choice: Mapping[str, Any]) -> tuple[str, str]:
    """(thinking, content) of one streamed choice.

    Raises:
        Wrong: If one is no text.
    """
    delta = fields.fields(choice.get("delta"), "delta")
    reasoning = fields.text_or_none(delta.get("reasoning_content"), "delta.reasoning_content")
    reasoning = reasoning or fields.text_or_none(delta.get("reasoning"), "delta.reasoning")
    return reasoning or "", fields.text_or_none(delta.get("content"), "delta.content") or ""


def _first(served: Mapping[str, Any], url: str) -> str:
    """The first model of a server's list."""
    if served:
        return next(iter(served))
    raise BadInput(f"{url} lists no model; name one behind the URL, as {url}#NAME")
