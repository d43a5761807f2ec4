"""One run for Inspect: what its messages ask, and what the run came to in its words."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
)

from agentflow import models
from agentflow.api import Event, asolve
from agentflow.arguments import Given, settings_for, with_solver
from agentflow.conversation import SPEAKERS, as_text
from agentflow.errors import BadInput, Refused, StreamBroken
from agentflow.run import Result
from agentflow.together import to_its_end
from agentflow.trace_file import lean

NAME = "agentflow"
"""Of the provider; and under which a message, a sample and an output say what is ours."""

DOMAIN = "open"
"""Of a problem that does not say which it is of."""

_TAKEN = ("max_tokens", "temperature", "top_p", "top_k", "seed")
"""What of Inspect's configuration is a setting of every method."""
_REFUSED = (
    "stop_seqs",
    "best_of",
    "frequency_penalty",
    "presence_penalty",
    "logit_bias",
    "num_choices",
    "logprobs",
    "prompt_logprobs",
    "response_schema",
    "reasoning_effort",
    "reasoning_tokens",
    "effort",
    "modalities",
)
"""What of it no method can keep to."""


def settings_of(method: str, at: str | None, values: dict[str, Any]) -> dict[str, Any]:
    """The settings of a method, checked.

    Args:
        at: Where its model is served; None for where the settings say.

    Raises:
        BadInput: If there is no such method or setting, or the run would wait for a person.
    """
    settings = {"domain": DOMAIN} | values
    settings = settings if at is None else with_solver(settings, at)
    if pauses := settings_for(method, **settings).pauses:
        raise BadInput(f"{pauses}: an evaluation has nobody who could be asked")
    return settings


def configured(config: GenerateConfig) -> dict[str, Any]:
    """The settings that Inspect's configuration of a call asks for.

    Raises:
        BadInput: If it asks for what no method can do.
    """
    given = [name for name in _REFUSED if getattr(config, name, None) not in (None, False, [], {})]
    if "num_choices" in given and config.num_choices == 1:
        given.remove("num_choices")
    if given:
        raise BadInput(f"a method cannot keep to {', '.join(given)}; leave it out")
    values = {name: getattr(config, name) for name in _TAKEN}
    return {name: value for name, value in values.items() if value is not None}


def seeded(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings with a seed: a random one where none is given, so that epochs differ."""
    return {"seed": secrets.randbelow(2**31)} | settings


def problem_in(messages: Sequence[ChatMessage]) -> tuple[dict[str, Any], dict[str, str]]:
    """(the problem, the settings that come with it) of a conversation.

    Its text is the user's message; where other messages lead to it all of them, each under a
    heading. A user's message may say in its metadata, as ``{"agentflow": {"domain": …, "id": …}}``,
    what problem it is.

    Raises:
        BadInput: If the last message is not a user's or is empty, or one holds what is no text.
    """
    for number, message in enumerate(messages):
        if message.role not in SPEAKERS:
            raise BadInput(f"message {number}: a method uses no tools of Inspect's")
        parts = message.content if isinstance(message.content, list) else []
        if other := [part.type for part in parts if part.type not in ("text", "reasoning")]:
            raise BadInput(f"message {number}: {other[0]}: methods read text only")
    if not messages or messages[-1].role != "user":
        raise BadInput("the last message is to be the user's: it holds the problem")
    last = messages[-1]
    text = last.text
    if not text.strip():
        raise BadInput(f"message {len(messages) - 1}: it is empty, and is to hold the problem")
    if len(messages) > 1:
        text = as_text((one.role, one.text) for one in messages)
    metadata = (last.metadata or {}).get(NAME, {})
    problem = {"text": text} | ({"id": metadata["id"]} if "id" in metadata else {})
    return problem, {"domain": metadata["domain"]} if "domain" in metadata else {}


async def run(
    problem: dict[str, Any], method: str, settings: dict[str, Any], model: Given = None
) -> Result:
    """Run a method; the verdicts and corrections on the way are written into Inspect's transcript.

    Raises:
        StreamBroken: If the model's server was lost, and there is no answer.
        Refused: If it refused a request, and there is none.
    """
    given = {} if model is None else {"model": model}
    result = await to_end(_run(problem, method, on_event=_noted, **given, **settings))
    if result.error and result.answer is None:
        raise Refused(result.error) if result.refused else StreamBroken(result.error)
    return result


_running: WeakKeyDictionary[asyncio.AbstractEventLoop, int] = WeakKeyDictionary()
"""How many runs each event loop has."""


async def _run(problem: dict[str, Any], method: str, **arguments: Any) -> Result:
    """A run; the last one under way closes the clients, for Inspect does not say when it ends."""
    loop = asyncio.get_running_loop()
    _running[loop] = _running.get(loop, 0) + 1
    try:
        return await asolve(problem, method, **arguments)
    finally:
        _running[loop] -= 1
        if not _running[loop]:
            await models.close_all()


def _noted(event: Event) -> None:
    if event["type"] in ("verdict", "intervention"):
        transcript().info(event, source=NAME)


async def to_end(work: Coroutine[Any, Any, Result]) -> Result:
    """What ``work`` comes to. Where Inspect cancels it, it is waited for.

    Inspect's limits cancel again and again what waits in them; so the run has a task of its own,
    and can put away what it holds.

    Raises:
        BadInput: Under trio.
    """
    try:
        task = asyncio.get_running_loop().create_task(work)
    except RuntimeError as error:
        work.close()
        raise BadInput("agentflow needs asyncio: leave INSPECT_ASYNC_BACKEND unset") from error
    return await to_its_end(task)


def output_of(result: Result, name: str, seed: int) -> ModelOutput:
    """A result as a model's output.

    Its text is the result's reply. Where there is no answer it is empty: any word there might be
    taken for one. The whole run (status, reason, cost, trace, ...) stands in the metadata, under
    ``agentflow``.
    """
    thinking = result.parts[0].strip()
    content = [ContentReasoning(reasoning=thinking)] if thinking else []
    message = ChatMessageAssistant(
        content=[*content, ContentText(text=result.reply)], model=name, source="generate"
    )
    reason = "max_tokens" if result.status == "exhausted" else "stop"
    return ModelOutput(
        model=name,
        choices=[ChatCompletionChoice(message=message, stop_reason=reason)],
        usage=usage_of(result),
        metadata={NAME: lean(result.as_dict() | {"events": result.events}) | {"seed": seed}},
    )


def usage_of(result: Result) -> ModelUsage:
    """What a run used in all its roles, cut text and probes included."""
    cost = result.cost
    return ModelUsage(
        input_tokens=cost.prompt - cost.cached,
        input_tokens_cache_read=cost.cached,
        output_tokens=cost.generated,
        reasoning_tokens=cost.reasoning or None,
        total_tokens=cost.prompt + cost.generated,
        total_cost=cost.cost or None,
    )


@contextmanager
def usable() -> Iterator[None]:
    """What a user gave wrong ends Inspect with the message alone."""
    try:
        yield
    except BadInput as error:
        raise PrerequisiteError(str(error)) from error
