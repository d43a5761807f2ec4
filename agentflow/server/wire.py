"""The format of OpenAI's chat completions: what is read of a request, how a reply is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agentflow.ledger import Entries, by_role, total
from agentflow.progress import on_whole
from agentflow.run import Result

_NEUTRAL: dict[str, tuple[Any, ...]] = {
    "audio": (),
    "frequency_penalty": (0,),
    "function_call": ("none",),
    "functions": ([],),
    "logit_bias": ({},),
    "logprobs": (False,),
    "modalities": (["text"],),
    "n": (1,),
    "parallel_tool_calls": (True, False),
    "prediction": (),
    "presence_penalty": (0,),
    "reasoning_effort": ("none",),
    "response_format": ({"type": "text"},),
    "service_tier": ("auto", "default"),
    "stop": ([],),
    "store": (False,),
    "tool_choice": ("none", "auto"),
    "tools": ([],),
    "top_logprobs": (),
    "verbosity": ("medium",),
    "web_search_options": (),
}
"""Parameters of the API that no method takes -> values that ask for nothing, beside null."""


class Refused(Exception):
    """A request that is answered with an error.

    Attributes:
        status: HTTP's.
        code: A word for programs.
        param: The parameter that is wrong.
        retry_after: Seconds after which to ask again.
    """

    def __init__(
        self,
        status: int,
        message: str,
        code: str,
        param: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.param, self.retry_after = status, code, param, retry_after

    def body(self) -> dict[str, Any]:
        """The error as OpenAI's API words it."""
        kind = "invalid_request_error" if self.status < 500 else "server_error"
        said = {"message": str(self), "type": kind, "param": self.param, "code": self.code}
        return {"error": said}


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class TextPart(_Strict):
    """A part of a message; only text is taken."""

    type: Literal["text"]
    text: str


class Message(_Strict):
    """A message of the conversation."""

    role: Literal["user", "system", "developer", "assistant", "tool", "function"]
    content: str | list[TextPart]
    name: str | None = None

    @property
    def text(self) -> str:
        """The whole text."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part.text for part in self.content)


_SPEAKERS = {
    "system": "Instructions",
    "developer": "Instructions",
    "user": "User",
    "assistant": "Assistant",
}
"""Whose messages are taken -> the heading over them in a conversation."""


def _wrong(number: int, why: str) -> Refused:
    """A message that cannot be taken."""
    code = "invalid_value" if why == "it is empty" else "unsupported_value"
    return Refused(400, f"messages[{number}]: {why}", code, "messages")


class StreamOptions(_Strict):
    """How a stream is written; it is never padded."""

    include_usage: bool | None = None
    include_obfuscation: bool | None = None


class ChatRequest(BaseModel):
    """The body of a request for a chat completion."""

    model_config = ConfigDict(strict=True, extra="allow")

    model: str
    messages: Annotated[list[Message], Field(min_length=1)]
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    max_completion_tokens: Annotated[int, Field(ge=1)] | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    seed: Annotated[int, Field(ge=0)] | None = None
    user: str | None = None
    safety_identifier: str | None = None
    prompt_cache_key: str | None = None
    prompt_cache_retention: str | None = None
    metadata: dict[str, str] | None = None
    agentflow: dict[str, Any] | None = None

    @property
    def problem(self) -> str:
        """The problem's text: the user's message; where a conversation leads to it, all of it, with
        a heading over each message. A domain that cannot read the rest refuses the problem.

        Raises:
            Refused: If the last message is not the user's, if it is empty, or if one is a tool's
                (400).
        """
        for number, message in enumerate(self.messages):
            if message.role not in _SPEAKERS:
                raise _wrong(number, f"{message.role}: a method uses no tools of its client's")
        last = self.messages[-1]
        if last.role != "user":
            raise _wrong(len(self.messages) - 1, f"{last.role}: the last message is the user's")
        if not last.text.strip():
            raise _wrong(len(self.messages) - 1, "it is empty")
        if len(self.messages) == 1:
            return last.text
        spoken = (f"[{_SPEAKERS[one.role]}]\n{one.text.strip()}" for one in self.messages)
        return "\n\n".join(spoken)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of a method that are parameters of the API."""
        given = {
            "max_tokens": self.max_completion_tokens or self.max_tokens,
            "temperature": self.temperature,
            "top_p": self.top_p,
            "seed": self.seed,
        }
        return {name: value for name, value in given.items() if value is not None}


def read(body: bytes) -> ChatRequest:
    """A request's body.

    Raises:
        Refused: If it is no JSON, or a parameter is unknown, unsupported or wrong (400); names it.
    """
    try:
        data = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}: {error.msg}"
        raise Refused(400, f"the body is no JSON: {where}", "invalid_json") from error
    if not isinstance(data, dict):
        raise Refused(400, "the body is no JSON object", "invalid_json")
    try:
        request = ChatRequest.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        param = ".".join(map(str, first["loc"]))
        raise Refused(400, f"{param}: {first['msg']}", "invalid_value", param) from error
    unsupported = [
        name
        for name, value in (request.model_extra or {}).items()
        if not (name in _NEUTRAL and (value is None or value in _NEUTRAL[name]))
    ]
    if unsupported:
        named = ", ".join(name[:64] for name in unsupported[:20])
        message = f"unsupported parameters: {named}; leave them out"
        raise Refused(400, message, "unsupported_parameter", unsupported[0][:64])
    return request


def content(result: Result) -> str:
    """What the assistant says: the text behind the thinking where it states the answer, else the
    answer alone; where there is none to give, why."""
    if result.answer is None:
        why = reason(result)
        return f"No answer ({result.status})" + (f": {why}" if why else "")
    said = (result.parts[1] or "").strip()
    return said if result.answer in said else result.answer


def reason(result: Result) -> str:
    """Why a run ended as it did; an error may name servers, and is not shown."""
    return "the model's server broke off" if result.error else result.reason


def thinking(result: Result) -> str:
    """What the model thought, without the markers around it."""
    return result.parts[0]


def extension(result: Result, seed: int) -> dict[str, Any]:
    """The field ``agentflow``: what the answer is worth and what it cost.

    What the engine had in its cache is left out, and with it the price: it would tell what others
    asked before.
    """
    verdicts = [
        {key: event.get(key) for key in ("monitor", "answer", "ok", "score", "reason")}
        | {"branch": event.get("branch", 0)}
        for event in result.events
        if on_whole(event)
    ]
    costs = {role: asdict(entry) for role, entry in by_role(result.ledger).items()}
    for cost in costs.values():
        for private in ("role", "cached", "cost", "until", "estimated"):
            del cost[private]
    return {
        "status": result.status,
        "answer": result.answer,
        "reason": reason(result),
        "candidate": result.candidate,
        "verdicts": verdicts,
        "corrections": result.corrections,
        "cost": costs,
        "seed": seed,
    }


def usage(entries: Entries) -> dict[str, int]:
    """Tokens of all roles, in the API's words."""
    cost = total(entries)
    return {
        "prompt_tokens": cost.prompt,
        "completion_tokens": cost.generated,
        "total_tokens": cost.prompt + cost.generated,
    }


def completion(head: Mapping[str, Any], result: Result, seed: int) -> dict[str, Any]:
    """A whole reply; ``head`` holds ``id``, ``created`` and ``model``."""
    message = {
        "role": "assistant",
        "content": content(result),
        "reasoning_content": thinking(result).strip(),
        "refusal": None,
    }
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return {
        **head,
        "object": "chat.completion",
        "choices": [choice],
        "usage": usage(result.ledger),
        "agentflow": extension(result, seed),
    }


def chunk(
    head: Mapping[str, Any], delta: Mapping[str, Any], finish: str | None = None, **more: Any
) -> bytes:
    """A part of a streamed reply, as an event."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
    return event({**head, "object": "chat.completion.chunk", "choices": [choice], **more})


def last_chunks(
    head: Mapping[str, Any], result: Result, seed: int, *, with_usage: bool
) -> list[bytes]:
    """The end of a streamed reply: the answer, what it is worth, and what it cost."""
    said = content(result)
    parts = [chunk(head, {"content": said})] if said else []
    parts.append(chunk(head, {}, "stop", agentflow=extension(result, seed)))
    if with_usage:
        whole = {**head, "object": "chat.completion.chunk", "choices": []}
        parts.append(event(whole | {"usage": usage(result.ledger)}))
    return [*parts, DONE]


DONE = b"data: [DONE]\n\n"


def event(data: Mapping[str, Any]) -> bytes:
    """A server-sent event."""
    return b"data: " + orjson.dumps(data) + b"\n\n"
