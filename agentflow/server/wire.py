"""The format of OpenAI's chat completions: what is read of a request, how a reply is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import orjson
from pydantic import BaseModel, ConfigDict, Field

from agentflow.server import requested as reading
from agentflow.server import shapes
from agentflow.server.conversation import Turn, problem, wrong
from agentflow.server.reasoning import Delta
from agentflow.server.refused import Refused
from agentflow.server.requested import GenerationRequest, Parameters, Strict
from agentflow.server.results import Ended, answer_text, extension, thinking, tokens
from agentflow.server.shapes import Shape

_NO_TOOLS = "a method uses no tools of its client's"
_NO_CALLS = f"{_NO_TOOLS}; JSON is asked for by response_format, of the type json_schema"
"""Libraries have a tool called that takes the object they want."""
_NO_SCORES = "a method tells no probabilities of tokens"
_NO_PENALTY = "no method takes it: set it to 0"
NEUTRAL: reading.Neutral = {
    "audio": ((), "replies are text"),
    "domain": ((), "settings stand in the field agentflow"),
    "echo": ((False,), _NO_SCORES),
    "frequency_penalty": ((0,), _NO_PENALTY),
    "function_call": (("none",), _NO_CALLS),
    "functions": (([],), _NO_CALLS),
    "logit_bias": (({},), ""),
    "logprobs": ((False,), _NO_SCORES),
    "min_p": ((0,), _NO_PENALTY),
    "modalities": ((["text"],), "replies are text"),
    "presence_penalty": ((0,), _NO_PENALTY),
    "repetition_penalty": ((1,), "no method takes it: set it to 1"),
    "store": ((False,), "nothing is kept"),
    "tool_choice": (("none", "auto"), _NO_CALLS),
    "tools": (([],), _NO_CALLS),
    "top_logprobs": ((0,), _NO_SCORES),
    "web_search_options": ((), "the operator says whether a method searches"),
}
"""Parameters of the API that no method takes."""

_NEUTRAL_OF_MESSAGES: reading.Neutral = {
    "audio": ((), "only text is taken"),
    "function_call": ((), _NO_TOOLS),
    "tool_calls": (([],), _NO_TOOLS),
}
_UNREAD = (
    *("annotations", "id", "reasoning", "reasoning_content", "reasoning_details"),
    *("tool_call_id", "type"),
)
"""Fields of messages that say nothing of what a person or a model said to the other: clients send
back the messages that they were sent."""


class Part(BaseModel):
    """A part of a message; only text is taken, and what a model refused in words."""

    model_config = ConfigDict(strict=True, extra="ignore")

    type: str
    text: str | None = None
    refusal: str | None = None


class Message(BaseModel):
    """A message of the conversation."""

    model_config = ConfigDict(strict=True, extra="allow")

    role: str
    content: str | list[Part] | None = None
    refusal: str | None = None
    name: str | None = None

    def turn(self, number: int) -> Turn:
        """What it says.

        Raises:
            Refused: If part of it is no text (400).
        """
        given = {k: v for k, v in (self.model_extra or {}).items() if k not in _UNREAD}
        try:
            reading.check_neutral(given, _NEUTRAL_OF_MESSAGES)
        except Refused as error:
            raise wrong(number, str(error)) from error
        if self.content is None:
            if self.role == "assistant" and self.refusal is not None:
                return Turn(self.role, self.refusal)
            raise wrong(number, "it has no content")
        if isinstance(self.content, str):
            return Turn(self.role, self.content)
        texts = []
        for part in self.content:
            text = {"text": part.text, "refusal": part.refusal}.get(part.type)
            if text is None:
                raise wrong(number, f"{part.type[:64]}: only text is taken; leave it out")
            texts.append(text)
        return Turn(self.role, "\n".join(texts))


class StreamOptions(Strict):
    """How a stream is written; it is never padded."""

    include_usage: bool | None = None
    include_obfuscation: bool | None = None


class Sampled(Parameters):
    """What requests for chat completions and for completions have in common.

    The last of them are read for nothing: who asks, hints about cost and effort, and where a
    provider may keep what was asked.
    """

    n: Annotated[int, Field(ge=1)] | None = None
    stop: str | list[str] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    seed: Annotated[int, Field(ge=0)] | None = None
    stream_options: StreamOptions | None = None
    user: str | None = None
    metadata: dict[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    prediction: dict[str, Any] | None = None
    prompt_cache_key: str | None = None
    prompt_cache_retention: str | None = None
    reasoning_effort: str | None = None
    safety_identifier: str | None = None
    service_tier: str | None = None
    verbosity: str | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of a method that are parameters of the API."""
        return reading.settings_of(
            max_tokens=self.max_tokens,
            temperature=self.temperature,
            top_p=self.top_p,
            top_k=self.top_k,
            seed=self.seed,
        )

    @property
    def with_usage(self) -> bool:
        """Whether a stream ends with what it cost."""
        return bool(self.stream_options and self.stream_options.include_usage)


class ChatRequest(Sampled):
    """The body of a request for a chat completion."""

    messages: Annotated[list[Message], Field(min_length=1)]
    max_completion_tokens: Annotated[int, Field(ge=1)] | None = None
    response_format: dict[str, Any] | None = None

    @property
    def problem(self) -> str:
        """The problem's text; see :func:`agentflow.server.conversation.problem` for errors."""
        return problem([one.turn(number) for number, one in enumerate(self.messages)])

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of a method that are parameters of the API."""
        longer = reading.settings_of(max_tokens=self.max_completion_tokens)
        return super().settings | longer

    def asked(self) -> GenerationRequest:
        """What it asks for.

        Raises:
            Refused: If a message or a parameter cannot be taken (400).
        """
        shape, stop = _shape(self.response_format), reading.stops(self.stop, "stop")
        if shape is not None and stop:
            message = "stop: it would cut the JSON of response_format; leave one of them out"
            raise Refused(400, message, "unsupported_value", "stop")
        return GenerationRequest(
            self.model,
            (self.problem,),
            self.n or 1,
            self.settings,
            self.agentflow or {},
            stop,
            shape,
            bool(self.stream),
        )


def _shape(given: dict[str, Any] | None) -> Shape | None:
    """The JSON that an answer is to come in; None for text."""
    where = "response_format"
    kind = None if given is None else given.get("type")
    if given is None or kind == "text":
        return None
    if kind == "json_object":
        return shapes.ANY
    described = given.get("json_schema")
    if kind == "json_schema" and isinstance(described, dict):
        return shapes.of_schema(described.get("schema"), f"{where}.json_schema.schema")
    message = f"{where}: its type is text, json_object, or json_schema with one"
    raise Refused(400, message, "invalid_value", where)


def read(body: bytes) -> ChatRequest:
    """A request's body.

    Raises:
        Refused: If it is no JSON, or a parameter is unknown, unsupported or wrong (400); names it.
    """
    return reading.parsed(body, ChatRequest, NEUTRAL)


def usage(ended: Sequence[Ended]) -> dict[str, int]:
    """Tokens of all roles, in the API's words."""
    prompt, generated = tokens(ended)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": generated,
        "total_tokens": prompt + generated,
    }


class ChatReply:
    """A reply; ``head`` holds ``id``, ``created`` and ``model``."""

    def __init__(
        self, head: Mapping[str, Any], asked: GenerationRequest, *, with_usage: bool = False
    ) -> None:
        self.head, self.asked, self.with_usage = head, asked, with_usage
        self._begun = 0

    def whole(self, ended: Sequence[Ended]) -> dict[str, Any]:
        """All of it."""
        choices = [self._choice(index, one) for index, one in enumerate(ended)]
        reply = {**self.head, "object": "chat.completion", "choices": choices}
        if len(ended) == 1:
            return reply | {"usage": usage(ended), "agentflow": extension(ended[0])}
        for choice, one in zip(choices, ended, strict=True):
            choice["agentflow"] = extension(one)
        return reply | {"usage": usage(ended)}

    def _choice(self, index: int, ended: Ended) -> dict[str, Any]:
        message = {
            "role": "assistant",
            "content": None,
            "reasoning_content": thinking(ended.result).strip(),
            "refusal": None,
        } | self._says(ended)
        return {"index": index, "message": message, "finish_reason": "stop", "logprobs": None}

    def _says(self, ended: Ended) -> dict[str, str]:
        """The text, in the field where it belongs."""
        said = answer_text(ended.result, self.asked)
        return {"refusal" if said.unfilled else "content": said.text}

    def delta(self, index: int, delta: Delta) -> bytes:
        """A piece of the thinking, as an event."""
        return self._chunk(index, {"reasoning_content": delta.text}, None, delta.intervention)

    def end(self, index: int, ended: Ended) -> bytes:
        """A run's end, as events: the answer, and what it is worth."""
        text = self._chunk(index, {k: v for k, v in self._says(ended).items() if v}, None, None)
        return text + self._chunk(index, {}, "stop", extension(ended))

    def last(self, ended: Sequence[Ended]) -> bytes:
        """The end of a stream, as events: what all of it cost."""
        if not self.with_usage:
            return DONE
        whole = {**self.head, "object": "chat.completion.chunk", "choices": []}
        return event(whole | {"usage": usage(ended)}) + DONE

    def _chunk(
        self,
        index: int,
        delta: Mapping[str, Any],
        finish: str | None,
        told: Mapping[str, Any] | None,
    ) -> bytes:
        before = b""
        if index >= self._begun:  # clients count on choices that begin in order
            first, self._begun = self._begun, index + 1
            role = {"role": "assistant"}
            before = b"".join(self._chunk(one, role, None, None) for one in range(first, index))
            delta = {**role, **delta}
        choice = {"index": index, "delta": delta, "finish_reason": finish, "logprobs": None}
        whole = {**self.head, "object": "chat.completion.chunk", "choices": [choice]}
        return before + event(whole if told is None else whole | {"agentflow": told})


DONE = b"data: [DONE]\n\n"


def event(data: Mapping[str, Any]) -> bytes:
    """A server-sent event."""
    return b"data: " + orjson.dumps(data) + b"\n\n"


def error_body(refused: Refused, id: str) -> dict[str, Any]:
    """An error as OpenAI's API words it."""
    kind = "invalid_request_error" if refused.status < 500 else "server_error"
    body = {"message": str(refused), "type": kind, "param": refused.param, "code": refused.code}
    return {"error": body}


def error_event(refused: Refused, id: str) -> bytes:
    """An error behind the first byte of a stream."""
    return event(error_body(refused, id)) + DONE
