"""A question to the model of a role: rendered, asked, counted, told."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any, TypeVar

from pydantic import BaseModel

from agentflow import prompts
from agentflow.ledger import Entries
from agentflow.models.structured import Parsed, Reply, ask, is_placeholder, parse, says_nothing
from agentflow.nodes.run import Run
from agentflow.settings import Role, request_seed
from agentflow.together import together

R = TypeVar("R", bound=Reply)
T = TypeVar("T")


def something(text: str) -> str:
    """The text without space around it.

    Raises:
        ValueError: If nothing is left, or only a placeholder is.
    """
    if is_placeholder(text):
        raise ValueError("the reply is empty")
    return text.strip()


def telling(text: str) -> str:
    """:func:`something`, where that there is nothing, or that one cannot say it, is none.

    Raises:
        ValueError: If no word is left that tells anything.
    """
    said = something(text)
    if says_nothing(said):
        raise ValueError("the reply does not say what was asked for")
    return said


async def ask_role(
    run: Run[Any],
    template: tuple[str, str],
    fields: Mapping[str, Any],
    read: Callable[[str], T],
    default: T,
    *,
    role: Role = "verifier",
    counted_as: str = "verifier",
    schema: dict[str, Any] | None = None,
    tokens: int = 1024,
    number: int = 0,
    ended: bool = False,
) -> tuple[Parsed[T], Entries]:
    """Put a prompt to a model; its reply is read, repaired once, or defaulted.

    Args:
        template: Folder and name of the prompt.
        fields: What it is filled with, beside ``stated``: the problem as solvers are asked it.
        read, default, schema, tokens, ended: As for :func:`~agentflow.models.structured.ask`.
        role: Whose model is asked; the settings say whether it thinks first.
        counted_as: Role in the ledger.
        number: Which of several questions with this template, from 0.

    Returns:
        What came of it, and the ledger's entries.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
    """
    settings, (folder, name) = run.settings, template
    place = (run.branch, name, number) if number else (run.branch, name)
    model = await run.ask(role, counted_as, "/".join(map(str, place)))
    stated = await prompts.statement(run.problem, model.profile)
    prompt = await prompts.rendered(folder, name, model.profile, {"stated": stated} | dict(fields))
    reply = await ask(
        model,
        prompt,
        read,
        default,
        tokens=tokens,
        sampling=settings.sampling(model.profile),
        seed=request_seed(settings.seed, run.problem.id, counted_as, *place),
        cache=settings.shares_cache,
        schema=schema,
        think=role in settings.think,
        ended=ended,
    )
    value: Any = reply.value
    plain = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    run.spent(model.entries)
    run.emit({"type": "reply", "name": name, **asdict(reply), "value": plain})
    return reply, model.entries


async def ask_role_json(
    run: Run[Any], template: tuple[str, str], fields: Mapping[str, Any], kind: type[R], **more: Any
) -> tuple[Parsed[R | None], Entries]:
    """:func:`ask_role` for one JSON object of ``kind``; None where no reply can be read as one.

    Args:
        more: What else :func:`ask_role` takes.
    """
    read: Callable[[str], R | None] = partial(parse, kind)
    schema = kind.model_json_schema()
    return await ask_role(run, template, fields, read, None, schema=schema, **more)


async def asked_together(
    questions: Iterable[Coroutine[Any, Any, tuple[Parsed[T], Entries]]],
) -> tuple[list[Parsed[T]], Entries]:
    """Several questions at once: what came of each, in their order, and the ledger's entries."""
    found = await together(questions)
    entries = {key: entry for _, some in found for key, entry in some.items()}
    return [reply for reply, _ in found], entries
