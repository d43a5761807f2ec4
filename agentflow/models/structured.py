"""Structured output: ask a model for a reply in a format, and read it strictly."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from agentflow import prompts
from agentflow.models.metered import Metered
from agentflow.models.protocol import Model, Request, complete, prompt_of, segment
from agentflow.profile import Sampling
from agentflow.trace import Trace

How = Literal["valid", "repaired", "default"]
"""How a value came about: as said at first, as said after a repair, or as the default."""

T = TypeVar("T")
R = TypeVar("R", bound="Reply")

_SHOWN = 2000


class Reply(BaseModel):
    """A reply in JSON; what it does not name is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True, slots=True)
class Asked(Generic[T]):
    """What came of a question.

    Attributes:
        value: What the reply says, or the default.
        how: Which of them.
        error: What was wrong with the last reply that could not be used; empty for none.
    """

    value: T
    how: How
    error: str = ""


async def ask(
    model: Model,
    prompt: tuple[str, str],
    read: Callable[[str], T],
    default: T,
    *,
    tokens: int = 1024,
    sampling: Sampling | None = None,
    seed: int = 0,
    cache: bool = True,
    schema: dict[str, Any] | None = None,
) -> Asked[T]:
    """Ask, and where the reply cannot be read ask once more, showing what was wrong with it.

    The model answers without thinking, where its profile can skip it. A :class:`Metered` model's
    ledger says with an entry of no calls, named after it, that a value was repaired or defaulted.

    Args:
        prompt: (system, user).
        read: The value a reply says; raises ValueError, with the reason, for one that says none.
        default: Taken where the second reply cannot be read either, or nothing can be asked because
            the prompt fills the model's context.
        tokens: Most tokens of a reply.
        sampling: None for the profile's.
        schema: JSON schema that the engine holds the reply to, where it can.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
    """
    asked = Asked(default, "default")
    system, user = prompt
    for attempt in range(2):
        reply = await _reply(model, (system, user), tokens, sampling, seed + attempt, cache, schema)
        if reply is None:
            error = f"the prompt fills the context of {model.profile.context:,} tokens"
            asked = Asked(default, "default", asked.error or error)
            break
        try:
            asked = Asked(read(reply), "repaired" if attempt else "valid", asked.error)
            break
        except ValueError as error:
            asked = Asked(default, "default", str(error))
        texts = {"prompt": prompt[1], "reply": reply.strip()[:_SHOWN], "error": asked.error}
        _, user = await asyncio.to_thread(
            prompts.render, "structured", "repair", model.profile.name, texts
        )
    if isinstance(model, Metered) and asked.how != "valid":
        model.note(asked.how)
    return asked


async def ask_json(
    model: Model,
    prompt: tuple[str, str],
    kind: type[R],
    default: R,
    **request: Any,
) -> Asked[R]:
    """:func:`ask` for one JSON object of ``kind``, which is also the engine's schema.

    Args:
        request: What else :func:`ask` takes.
    """
    schema = kind.model_json_schema()
    read = partial(parse, kind)
    return await ask(model, prompt, read, default, schema=schema, **request)


def parse(kind: type[R], text: str) -> R:
    """The JSON object that a reply is; prose around it, or a fence, makes it malformed.

    Raises:
        ValueError: If it is none of ``kind``; says in one line where and why.
    """
    try:
        return kind.model_validate_json(text.strip())
    except ValidationError as error:
        raise ValueError(_why(error.errors())) from error


def _why(errors: Sequence[Any]) -> str:
    return "; ".join(
        ": ".join(filter(None, [".".join(map(str, one["loc"])), one["msg"]])) for one in errors[:3]
    )


async def _reply(
    model: Model,
    prompt: tuple[str, str],
    tokens: int,
    sampling: Sampling | None,
    seed: int,
    cache: bool,
    schema: dict[str, Any] | None,
) -> str | None:
    """One reply without its thinking; None where the prompt leaves no room for it."""
    profile = model.profile
    system, user = prompt
    pieces = profile.render(
        user, system, thinking="none" if model.capabilities.continues else "plain"
    )
    ids = prompt_of(model, Trace([(await segment(model, "prompt", pieces)).operation()]))
    room = min(tokens, profile.context - (len(ids) if isinstance(ids, tuple) else 0))
    if room <= 0:
        return None
    request = Request(ids, room, sampling or profile.sampling, seed, cache=cache, schema=schema)
    text = (await complete(model, request)).text.removesuffix(profile.stops[0])
    return profile.said(text)
