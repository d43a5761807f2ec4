"""Run a method from Python: ``solve``, ``asolve``, and the stream of events behind both."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

from langchain_core.runnables import RunnableConfig
from pydantic import ValidationError

from agentflow import graphs, models
from agentflow.errors import BadInput, MissingCapability
from agentflow.models import Model
from agentflow.nodes import MODEL_KEY
from agentflow.run import Result
from agentflow.settings import Settings

Event = dict[str, Any]


def settings_for(method: str, **values: Any) -> Settings:
    """The settings of a method.

    Raises:
        BadInput: On an unknown method or setting, or a value out of bounds; names each.
    """
    schema: type[Settings] = graphs.get(method).graph.builder.context_schema
    try:
        return schema(**values)
    except ValidationError as error:
        known = ", ".join(schema.model_fields)
        lines = [
            f"{'.'.join(map(str, e['loc']))}: "
            + (f"no such setting; known: {known}" if e["type"] == "extra_forbidden" else e["msg"])
            for e in error.errors()
        ]
        raise BadInput(f"settings of {method}: " + "; ".join(lines)) from error


async def astream(
    problem: str | dict[str, Any],
    method: str = "interwhen",
    *,
    model: str | Model = "embedded",
    **settings: Any,
) -> AsyncIterator[Event | Result]:
    """Run a method; yields its events as they happen (plain JSON), then its :class:`Result`.

    Args:
        problem: The problem's text, or a mapping with ``text`` and optionally ``id``, ``gold``.
        method: A name in ``agentflow.graphs.METHODS``.
        model: A specification as in :class:`~agentflow.settings.Settings`, or a model object.
        settings: Settings of the method.

    Raises:
        BadInput: If the problem, the method, the model or a setting cannot be used.
        ModelUnavailable: If the model's server does not answer.
    """
    config: RunnableConfig = {"recursion_limit": 100_000, "configurable": {}}
    if isinstance(model, str):
        settings["model"] = model
    else:
        config["configurable"][MODEL_KEY] = model
    context = settings_for(method, **settings)
    state: dict[str, Any] = {}
    stream = graphs.get(method).graph.astream(
        {"problem": problem}, config, context=context, stream_mode=["custom", "values"]
    )
    try:
        async for mode, data in stream:
            if mode == "custom":
                yield data
            else:
                state = data
    except MissingCapability as error:
        raise MissingCapability(f"method {method} cannot run: {error}") from error
    yield replace(
        Result(**state["result"]),
        problem=state["problem"],
        method=method,
        corrections=state.get("corrections", 0),
        judged=state.get("judged", []),
        ledger=state.get("ledger", {}),
        operations=state.get("operations", []),
    )


async def asolve(
    problem: str | dict[str, Any],
    method: str = "interwhen",
    *,
    model: str | Model = "embedded",
    on_event: Callable[[Event], None] | None = None,
    **settings: Any,
) -> Result:
    """Solve one problem; see :func:`astream` for arguments and errors."""
    async for item in astream(problem, method, model=model, **settings):
        if isinstance(item, Result):
            return item
        if on_event is not None:
            on_event(item)
    raise AssertionError("a run ends with its result")


def solve(
    problem: str | dict[str, Any],
    method: str = "interwhen",
    *,
    model: str | Model = "embedded",
    **settings: Any,
) -> Result:
    """:func:`asolve` for code that has no event loop."""

    async def run() -> Result:
        try:
            return await asolve(problem, method, model=model, **settings)
        finally:
            await models.close_all()

    return asyncio.run(run())
