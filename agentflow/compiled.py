"""Compiled methods: graphs of asynchronous nodes, which also run where no event loop does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import copy
from itertools import chain
from queue import SimpleQueue
from typing import Any

from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import DEFAULT_RECURSION_LIMIT, var_child_runnable_config
from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command
from langgraph.typing import ContextT, InputT, OutputT, StateT
from pydantic import BaseModel

from agentflow import configurable, edits, own_loop
from agentflow.errors import BadInput, known
from agentflow.models.budget import SHARED_KEY, Shared
from agentflow.settings import checked

_NESTED, _RUNTIME = "__pregel_task_id", "__pregel_runtime"
"""What LangGraph enters into the configuration of a graph that runs as a node: it has one, and
what runs around it."""
_EMPTY = (
    "the command is empty; to go on, give a reply as `resume` (null is none), or no command and no "
    "input"
)
MOST_STEPS = 100_000
"""Of a run, where nobody says how many; methods end by limits of their own."""


class Compiled(CompiledStateGraph[Any, Any, Any, Any]):
    """A compiled graph with ``invoke`` and ``stream`` for code without an event loop.

    They run the graph in an event loop of their own, on a thread of its own, so that they also work
    where a loop is running (which they block). Models' clients are closed behind it.

    As a node of another graph it writes its output only, also where LangGraph streams it, and reads
    a context that is a mapping as its own settings. Its nodes share one budget.
    """

    def astream(
        self, input: Any, config: RunnableConfig | None = None, **options: Any
    ) -> AsyncIterator[Any]:
        """As LangGraph's own, which takes the same.

        Raises:
            BadInput: If the context, or that of the graph around this one, holds what is no
                setting; or a setting is in the configuration, where it would not be read; or the
                input is a command that says nothing.
        """
        if isinstance(input, Command) and input == Command():
            raise BadInput(_EMPTY)  # LangGraph would raise an UnboundLocalError
        config = {**(config or {}), "recursion_limit": self._most_steps(config)}
        around = config.get("configurable") or {}
        within = _NESTED in around
        bound = (self.config or {}).get("configurable") or {}
        configurable.see({**bound, **around}, () if within else self._setting_names, self.name)
        if SHARED_KEY not in around:
            config["configurable"] = {**around, SHARED_KEY: Shared()}
        if within and "stream_mode" not in options:  # a node that is streamed, for its events
            options = {"output_keys": self.output_channels, **options}
        given = getattr(around.get(_RUNTIME), "context", None)
        context = options.get("context")
        if within and context is None:
            context = given
        if isinstance(context, Mapping):  # a LangGraph server's is empty where none was given
            options["context"] = self._settings(context) if context else None
        return super().astream(input, config, **options)

    @property
    def _setting_names(self) -> Collection[str]:
        """The names of its settings; none for a graph without, whose context may be of any kind."""
        kind = self.context_schema
        return kind.model_fields if isinstance(kind, type) and issubclass(kind, BaseModel) else ()

    def _most_steps(self, config: RunnableConfig | None) -> int:
        """The most steps that somebody asked for. In a chain, a batch or a tool LangChain enters
        its default into every config, 25, which is far too few."""
        for one in (config, self.config, var_child_runnable_config.get()):
            limit = (one or {}).get("recursion_limit", DEFAULT_RECURSION_LIMIT)
            if limit != DEFAULT_RECURSION_LIMIT:
                return limit
        return MOST_STEPS

    def _settings(self, given: Mapping[str, Any]) -> Any:
        """A context as settings: a graph without a ``context_schema`` hands a mapping on as it is.

        Raises:
            BadInput: If one is none.
        """
        kind: Any = self.context_schema
        if not self._setting_names:
            return given
        return checked(kind, given, f"the context, as settings of {self.name}")

    def invoke(self, input: Any, config: RunnableConfig | None = None, **options: Any) -> Any:
        """As ``ainvoke``, which takes the same."""
        there, around = self._elsewhere(), own_loop.config_elsewhere(config or {})
        return own_loop.in_a_loop(lambda: closing(there.ainvoke(input, around, **options)))

    def stream(
        self, input: Any, config: RunnableConfig | None = None, **options: Any
    ) -> Iterator[Any]:
        """As ``astream``, which takes the same; a run whose stream is left is cancelled."""
        there, around = self._elsewhere(), own_loop.config_elsewhere(config or {})
        items: SimpleQueue[tuple[bool, Any]] = SimpleQueue()
        task: asyncio.Task[Any] | None = None

        async def run() -> None:
            nonlocal task
            task = asyncio.current_task()

            async def read() -> None:
                async for item in there.astream(input, around, **options):
                    items.put((True, item))

            try:
                await closing(read())
            finally:
                items.put((False, None))

        context = own_loop.context_elsewhere()
        with ThreadPoolExecutor(1) as thread:
            running = thread.submit(context.run, asyncio.run, run())
            try:
                while True:
                    more, item = items.get()
                    if not more:
                        break
                    yield item
            except BaseException:  # of the reader: it has left, and the thread is waited for
                if task is not None:
                    with suppress(RuntimeError):  # the run has ended, and its loop is closed
                        task.get_loop().call_soon_threadsafe(task.cancel)
                raise
            running.result()

    async def abulk_update_state(self, config: RunnableConfig, supersteps: Any) -> RunnableConfig:
        """As LangGraph's own, which takes the same.

        Raises:
            BadEdit: If the state cannot be edited so; says why.
        """
        with edits.seen(chain(*supersteps), self._channels):
            return await super().abulk_update_state(config, supersteps)

    def bulk_update_state(self, config: RunnableConfig, supersteps: Any) -> RunnableConfig:
        """As ``abulk_update_state``, which takes the same."""
        with edits.seen(chain(*supersteps), self._channels):
            return super().bulk_update_state(config, supersteps)

    @property
    def _channels(self) -> Collection[str]:
        return {*self.builder.channels, *self.builder.managed}

    def _elsewhere(self) -> Compiled:
        """This graph for another event loop."""
        saver = own_loop.saver_elsewhere(self.checkpointer)
        return self if saver is self.checkpointer else self.copy({"checkpointer": saver})

    def get_context_jsonschema(self) -> dict[str, Any] | None:
        """The settings' schema, for forms and for a LangGraph server."""
        schema = super().get_context_jsonschema()
        if schema and "properties" in schema:
            return schema | {"properties": _Properties(schema["properties"])}
        return schema


class _Properties(dict[str, Any]):
    """A schema's properties, of which none is missing.

    A LangGraph server drops what it does not find in a schema from a run's context without a word;
    so it drops nothing, and the settings refuse what they do not know.
    """

    def __contains__(self, key: object) -> bool:
        return True


async def closing(running: Any) -> Any:
    """What an awaitable gives; the models that this loop opened are closed behind it."""
    from agentflow import models

    try:
        return await running
    finally:
        await models.close_all()


class MethodGraph(StateGraph[StateT, ContextT, InputT, OutputT]):
    """A method's graph, not yet compiled. It compiles to :class:`Compiled`, whoever compiles it."""

    def compile(self, *given: Any, **options: Any) -> Any:
        """As LangGraph's own, which takes the same."""
        return _ours(super().compile(*given, **options))


def compiled(builder: StateGraph[Any, Any, Any, Any], name: str) -> Compiled:
    """The graph, compiled, without a checkpointer."""
    graph: Any = builder.compile(name=name)
    return graph if isinstance(graph, Compiled) else _ours(graph)


def _ours(graph: Any) -> Compiled:
    """A compiled graph, with those in it, as one of ours."""
    for one in (graph, *(inner for _, inner in graph.get_subgraphs(recurse=True))):
        if type(one) is CompiledStateGraph:  # the compiler makes only its own
            one.__class__ = Compiled
            _see_updates(one)
    found: Compiled = graph
    return found


def _see_updates(graph: Any) -> None:
    """See to it that its nodes (those made by ``node``) write channels that it has: LangGraph drops
    any other without a word."""
    there = graph._channels
    for name, one in graph.nodes.items():
        function: Any = getattr(one.bound, "afunc", None)
        if hasattr(function, "of_run"):
            one.bound = copy(one.bound)
            one.bound.afunc = _seen(function, name, there)


def _seen(function: Callable[..., Any], name: str, there: Collection[str]) -> Callable[..., Any]:
    """A node whose update is seen to be one."""

    async def at(*given: Any, **named: Any) -> Any:
        update = await function(*given, **named)
        if not isinstance(update, Mapping | Command | None):
            raise BadInput(
                f"the node {name} returned {update!r:.60}; it must return a dict of the channels "
                "that it changes"
            )
        for key in update.keys() - there if isinstance(update, Mapping) else ():
            raise BadInput(
                f"the node {name} changes {key!r}, no channel of its graph; "
                f"{known(str(key), sorted(there))}"
            )
        return update

    return at
