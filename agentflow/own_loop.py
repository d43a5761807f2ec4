"""An event loop of one's own, for code that has none and may stand in somebody's graph.

What is around such code is carried into the loop, a graph's checkpointer too. That one may belong
to another loop, as LangGraph's asynchronous ones do, or to none: its synchronous calls are made.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context, copy_context
from copy import copy
from functools import wraps
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import var_child_runnable_config
from langgraph.checkpoint.base import BaseCheckpointSaver

_CHECKPOINTER = "__pregel_checkpointer"
"""Where LangGraph enters the checkpointer of the graph around into a configuration."""
_CALLS = ("get_tuple", "put", "put_writes", "get_delta_channel_history")
"""What a running graph asks of its checkpointer."""


def in_a_loop(run: Callable[[], Awaitable[Any]]) -> Any:
    """What an awaitable gives, in an event loop of its own on a thread of its own."""

    async def awaited() -> Any:
        return await run()

    context = context_elsewhere()
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(context.run, asyncio.run, awaited()).result()


def context_elsewhere() -> Context:
    """A copy of the context, for another event loop."""
    context, around = copy_context(), var_child_runnable_config.get()
    if around is not None:
        context.run(var_child_runnable_config.set, config_elsewhere(around))
    return context


def config_elsewhere(config: RunnableConfig) -> RunnableConfig:
    """A configuration for another event loop."""
    around = config.get("configurable") or {}
    if _CHECKPOINTER not in around:
        return config
    saver = saver_elsewhere(around[_CHECKPOINTER])
    return {**config, "configurable": {**around, _CHECKPOINTER: saver}}


def saver_elsewhere(saver: Any) -> Any:
    """A checkpointer for another event loop. One that can be called from any stays as it is, and so
    does one that waits for a loop while one is running here: it may be that loop, which is
    blocked."""
    if not isinstance(saver, BaseCheckpointSaver):
        return saver
    waits = "loop" in vars(saver)
    if (waits and not is_in_a_loop()) or (not waits and _is_synchronous(saver)):
        return _in_threads(saver)
    return saver


def _is_synchronous(saver: BaseCheckpointSaver[Any]) -> bool:
    """Whether a checkpointer has synchronous calls alone."""
    from langgraph.checkpoint.sqlite import SqliteSaver

    inherited = type(saver).aget_tuple is BaseCheckpointSaver.aget_tuple
    return inherited or isinstance(saver, SqliteSaver)  # whose own raise as well


def _in_threads(saver: BaseCheckpointSaver[Any]) -> BaseCheckpointSaver[Any]:
    """A checkpointer whose asynchronous calls are its synchronous ones, in worker threads."""
    found: Any = copy(saver)
    for name in _CALLS:
        setattr(found, f"a{name}", _in_a_thread(getattr(saver, name)))
    found.with_allowlist = lambda more: _in_threads(saver.with_allowlist(more))
    return cast(BaseCheckpointSaver[Any], found)


def _in_a_thread(call: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    @wraps(call)  # LangGraph looks at its signature
    async def called(*given: Any, **named: Any) -> Any:
        return await asyncio.to_thread(call, *given, **named)

    return called


def is_in_a_loop() -> bool:
    """Whether an event loop is running on this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
