"""Structured output: ask a model for a reply in a format, and read it strictly."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Literal, TypeVar

from agentflow import prompts
from agentflow.errors import Refused
from agentflow.models.metered import Metered
from agentflow.models.model import Completion, Model, Request, complete, prompt_of, segment
from agentflow.models.structured.replies import Reply, parse
from agentflow.profile import Sampling
from agentflow.trace import Trace

How = Literal["valid", "repaired", "default"]
"""How a value came about: as said at first, as said after a repair, or as the default."""

T = TypeVar("T")
R = TypeVar("R", bound=Reply)
D = TypeVar("D", bound=Reply | None)

_SHOWN = 2000
_PLACEHOLDER = re.compile(r"<([A-Za-z]+ [A-Za-z ,:'’()-]{2,80})>")


@dataclass(frozen=True, slots=True)
class Parsed(Generic[T]):
    """What came of a question.

    Attributes:
        value: What the reply says, or the default.
        how: Which of them.
        error: What was wrong with the last reply that could not be used; empty for none.
        cut: Whether the reply that counts did not come to its end.
    """

    value: T
    how: How
    error: str = ""
    cut: bool = False


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
    think: bool = False,
    ended: bool = False,
) -> Parsed[T]:
    """Ask, and where the reply cannot be read ask once more, showing what was wrong with it.

    Where its server refuses to be asked once more, as it does if the prompt has become too long,
    the default is taken: another attempt of the whole would end so, too, and cost as much again.

    The model answers without thinking, where it is not to think and its profile can skip that; one
    that thinks has as many tokens for it as its profile says, and its own sampling. The ledger of a
    :class:`Metered` model says with an entry of no calls, named after it, that a value was repaired
    or defaulted.

    Args:
        prompt: (system, user).
        read: The value a reply says; raises ValueError, with the reason, for one that says none.
        default: Taken where the second reply cannot be read either or is refused, or nothing can be
            asked because the prompt fills the model's context.
        tokens: Most tokens of a reply.
        sampling: None for the profile's.
        schema: JSON schema that the engine holds the reply to, where it can; not one that thinks.
        think: Whether it may think first.
        ended: Whether a reply that was cut off says nothing: of an object the end is seen.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
        Refused: If its server refuses the question itself.
    """
    parsed = Parsed(default, "default")
    system, user = prompt
    for attempt in range(2):
        request = (tokens, sampling, seed + attempt, cache, schema, think)
        try:
            reply, whole = await _reply(model, (system, user), *request)
        except Refused as refused:
            if not attempt:
                raise
            parsed = Parsed(default, "default", f"{parsed.error}; asked again, {refused}")
            break
        if reply is None:
            error = f"the prompt fills the context of {model.profile.context:,} tokens"
            parsed = Parsed(default, "default", parsed.error or error)
            break
        try:
            if ended and not whole:
                raise ValueError("the reply is longer than it may be, and was cut off")
            _see_that_it_answers(reply, prompt)
            how: How = "repaired" if attempt else "valid"
            parsed = Parsed(read(reply), how, parsed.error, not whole)
            break
        except ValueError as error:
            parsed = Parsed(default, "default", str(error))
        texts = {"prompt": prompt[1], "reply": reply.strip()[:_SHOWN], "error": parsed.error}
        _, user = await prompts.rendered("structured", "repair", model.profile, texts)
    if isinstance(model, Metered) and parsed.how != "valid":
        model.note(parsed.how)
    return parsed


async def ask_json(
    model: Model,
    prompt: tuple[str, str],
    kind: type[R],
    default: D,
    **request: Any,
) -> Parsed[R | D]:
    """:func:`ask` for one JSON object of ``kind``, which is also the engine's schema.

    Args:
        default: As of :func:`ask`; such an object, or None.
        request: What else :func:`ask` takes.
    """
    schema = kind.model_json_schema()
    read: Callable[[str], R | D] = partial(parse, kind)
    return await ask(model, prompt, read, default, schema=schema, **request)


def _see_that_it_answers(reply: str, prompt: tuple[str, str]) -> None:
    """Raises ValueError where a reply holds what the prompt shows in ``<...>`` for the answer."""
    for shown in {*_PLACEHOLDER.findall("\n".join(prompt))}:
        if re.search(rf"[\"'>]\s*<?{re.escape(shown)}>?\W{{0,2}}\s*[\"'<]", reply, re.IGNORECASE):
            raise ValueError(f"{shown[:60]!r} is the prompt's placeholder, not an answer")


async def _reply(model: Model, prompt: tuple[str, str], *request: Any) -> tuple[str | None, bool]:
    """(a reply without its thinking, whether it came to its end); None where the prompt leaves no
    room for one."""
    found = await completion_of(model, prompt, *request)
    if found is None:
        return None, False
    completion, opened = found
    text = completion.text.removesuffix(model.profile.stops[0])
    return model.profile.said(text, opened=opened), completion.finish.reason == "stop"


async def completion_of(
    model: Model,
    prompt: tuple[str, str],
    tokens: int,
    sampling: Sampling | None,
    seed: int,
    cache: bool,
    schema: dict[str, Any] | None,
    think: bool,
    top: int = 0,
) -> tuple[Completion, bool] | None:
    """(what the model writes behind a prompt, whether the prompt opened its thinking); None where
    the prompt leaves no room for it.

    Args:
        prompt, tokens, sampling, seed, cache, schema, think: As of :func:`ask`.
        top: Alternatives a token that are asked for.
    """
    profile = model.profile
    system, user = prompt
    begins = profile.begins(continues=model.capabilities.continues, think=think)
    opened = begins == "open"
    if opened or think:
        tokens += profile.max_tokens
    if opened:  # a greedy one goes round in circles; a schema would forbid the thinking
        sampling = schema = None
    pieces = profile.render(user, system, thinking=begins)
    ids = prompt_of(model, Trace([(await segment(model, "prompt", pieces)).operation()]))
    room = min(tokens, profile.context - (len(ids) if isinstance(ids, tuple) else 0))
    if room <= 0:
        return None
    sampling = sampling or profile.sampling
    request = Request(ids, room, sampling, seed, cache=cache, schema=schema, top=top)
    return await complete(model, request), opened
