"""What a client asks for, whichever API it speaks; and how a request's parameters are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agentflow.server.refused import Refused
from agentflow.server.shapes import Shape

Body = TypeVar("Body", bound=BaseModel)

Neutral = Mapping[str, tuple[tuple[Any, ...], str]]
"""Parameters that no method takes -> (values that ask for nothing, beside null; what to do)."""


@dataclass(frozen=True, slots=True)
class GenerationRequest:
    """A request.

    Attributes:
        model: The id of what is to answer.
        problems: The problems' texts.
        n: How many runs each of them gets.
        settings: The method's settings that are parameters of the API.
        chosen: Further settings, of the extension field ``agentflow``.
        stop: Where a text that answers is cut off: before the first of them.
        shape: The JSON that the answer is to come in; None for text.
        stream: Whether the reply is streamed.
        bounded: Whether a ``max_tokens`` above the operator's is lowered to it, not refused: an
            API may require one of everybody.
    """

    model: str
    problems: tuple[str, ...]
    n: int = 1
    settings: Mapping[str, Any] = field(default_factory=dict)
    chosen: Mapping[str, Any] = field(default_factory=dict)
    stop: tuple[str, ...] = ()
    shape: Shape | None = None
    stream: bool = False
    bounded: bool = False

    @property
    def runs(self) -> int:
        """How many runs it takes."""
        return len(self.problems) * self.n


class Strict(BaseModel):
    """A part of a request that has these fields and no others."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Parameters(BaseModel):
    """What the requests of every API have; further parameters are looked at by name."""

    model_config = ConfigDict(strict=True, extra="allow")

    model: str
    stream: bool | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    top_k: Annotated[int, Field(ge=0)] | None = None
    agentflow: dict[str, Any] | None = None


def parsed(body: bytes, kind: type[Body], neutral: Neutral) -> Body:
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
        request = kind.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        param = ".".join(str(part)[:64] for part in first["loc"])
        raise Refused(400, f"{param}: {first['msg']}", "invalid_value", param) from error
    check_neutral(request.model_extra or {}, neutral)
    return request


def check_neutral(given: Mapping[str, Any], neutral: Neutral) -> None:
    """Refuse parameters that no method takes, unless their values ask for nothing.

    Raises:
        Refused: If one asks for something (400); names them all, and says what to do.
    """
    refused = [
        name
        for name, value in given.items()
        if not (name in neutral and (value is None or value in neutral[name][0]))
    ]
    if not refused:
        return
    named = ", ".join(name[:64] for name in refused[:20])
    advice = dict.fromkeys(neutral[name][1] for name in refused if name in neutral)
    said = "; ".join(one for one in advice if one)
    message = f"unsupported parameters: {named}; leave them out" + (f" ({said})" if said else "")
    raise Refused(400, message, "unsupported_parameter", refused[0][:64])


def stops(given: str | list[str] | None, name: str) -> tuple[str, ...]:
    """The texts before which an answer is cut off.

    Raises:
        Refused: If there are over 16 of them, or one is empty (400).
    """
    found = (given,) if isinstance(given, str) else tuple(given or ())
    if len(found) > 16:
        raise Refused(400, f"{name}: at most 16", "invalid_value", name)
    if "" in found:
        raise Refused(400, f"{name}: an empty text stops nothing", "invalid_value", name)
    return found


def settings_of(**given: Any) -> dict[str, Any]:
    """The settings among parameters that may be missing."""
    return {name: value for name, value in given.items() if value is not None}
