"""Run a method from Python: ``solve``, ``resume``, and the stream behind both; ``judge``."""

from __future__ import annotations

import asyncio
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.config import get_config
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, StateSnapshot

from agentflow import domains, graphs
from agentflow.arguments import Given, Objects, plainly, split_arguments
from agentflow.checkpoints import Checkpoints, open_checkpoints
from agentflow.compiled import MOST_STEPS, closing
from agentflow.errors import BadInput, Exhausted, MissingCapability, Paused
from agentflow.graphs import DEFAULT
from agentflow.in_time import Unwaited, cut_off, in_time, shown, spent
from agentflow.ledger import Entries
from agentflow.listening import listening
from agentflow.models.budget import Budget
from agentflow.node_path import NodePath
from agentflow.nodes import BUDGET_KEY, MODEL_KEY, TOOLS_KEY
from agentflow.nodes.context import TEAM, new_budget, text_of
from agentflow.own_loop import context_elsewhere, is_in_a_loop
from agentflow.problem import Problem
from agentflow.run import Result, markers_in
from agentflow.settings import Settings
from agentflow.threads import (
    check_free,
    config_of,
    existing,
    forget_journals,
    graph_of,
    holding,
    paying,
)
from agentflow.trace import Trace
from agentflow.verdict import Verdict

Event = dict[str, Any]


async def astream(
    problem: str | dict[str, Any] | Problem,
    method: str = DEFAULT,
    *,
    model: Given = None,
    thread: str | None = None,
    checkpoints: Checkpoints | str | Path | None = None,
    tools: Mapping[str, str | BaseTool] | None = None,
    spending: Budget | None = None,
    callbacks: Sequence[BaseCallbackHandler] = (),
    **settings: Any,
) -> AsyncGenerator[Event | Result, None]:
    """Run a method; yields its events as they happen (plain JSON), then its :class:`Result`.

    Args:
        problem: The problem's text, a mapping with ``text`` and optionally ``id``, ``gold``, or a
            problem as a domain parsed it, whose domain the setting need not say again.
        method: A name in ``agentflow.graphs.methods()``; ``agentflow.graphs.DEFAULT`` else.
        model: A specification as in :class:`~agentflow.settings.Settings`, a model object, ours or
            any chat model of LangChain's, or one for each role; None for the settings' own. The
            setting ``roles`` may hold such objects, too.
        thread: Name of the thread the run is written down under, to be resumed; None for none.
        checkpoints: Where threads are kept, as taken or given by
            :func:`~agentflow.checkpoints.open_checkpoints`.
        tools: By role, the name of a backend or any LangChain tool that takes the place of the
            domain's.
        spending: Takes the place of the settings' limits; it tells, also of a run that is cut off,
            what was asked of its models.
        callbacks: LangChain's, to be told of the run, its nodes, requests and calls of tools.
        settings: Settings of the method.

    Raises:
        BadInput: If the problem, the method, the model or a setting cannot be used, or the thread
            is not free.
        ModelUnavailable: If the model's server does not answer.
        StreamBroken: If it broke for good while streaming, on a thread; else the result tells.
        Paused: If a thread's run waits for a person.
    """
    problem, settings = plainly(problem, settings)
    context, model_objects, tool_objects = split_arguments(method, settings, model, tools)
    budget = spending or new_budget(context)
    start: dict[str, Any] = {"problem": problem}
    run_with = (method, context, model_objects, tool_objects, budget, callbacks)
    if thread is None:
        graph = graphs.get(method).graph
        async with aclosing(_run(graph, start, {}, *run_with)) as run:
            async for item in run:
                yield item
        return
    async with _opened(checkpoints) as opened, holding(thread, opened):
        await check_free(thread, opened, method)
        config = config_of(thread, opened, method, context)
        graph = graph_of(method, opened)
        async with (
            paying(thread, opened, anew=True) as budget.keep,
            aclosing(_run(graph, start, config, *run_with)) as run,
        ):
            async for item in run:
                yield item
        await asyncio.to_thread(forget_journals, thread, opened)


async def astream_resumed(
    thread: str,
    *,
    checkpoints: Checkpoints | str | Path | None = None,
    model: Given = None,
    reply: Any = None,
    checkpoint: str = "",
    tools: Mapping[str, BaseTool] | None = None,
) -> AsyncGenerator[Event | Result, None]:
    """Go on with a thread's run where it stands; events and the result as of :func:`astream`.

    The first events say what stands already: the text, and what it cost.

    Args:
        thread: Its name. A run that had ended gives its result again.
        checkpoints: Where threads are kept.
        model: Where the same model is served now; None for where it was. Objects are given again;
            those of a team as ``{"team": [...]}``, and so are its servers where they are others
            now.
        reply: What a paused run is told; None to accept what it asks about.
        checkpoint: Go on from this checkpoint instead of the last: a fork, on the same thread.
        tools: The LangChain tools that the run was begun with; those named are in its settings.

    Raises:
        BadInput: If there is no such thread or checkpoint, it is none of this version's, the
            model is another, or the reply is none to what is asked.
        ModelUnavailable, StreamBroken, Paused: As of :func:`astream`.
    """
    async with _opened(checkpoints, make=False) as opened, holding(thread, opened):
        origin = await existing(thread, opened)
        if isinstance(model, str | PurePath) and origin.settings.get(TEAM):
            raise BadInput(
                f"thread {thread!r}: a team solves, and stands in the thread's settings; leave "
                "model out, or in Python give model={'team': [...]}"
            )
        context, model_objects, tool_objects = split_arguments(
            origin.method, origin.settings, model, tools
        )
        graph = graph_of(origin.method, opened)
        config = config_of(thread, opened, origin.method, context, checkpoint)
        if checkpoint and await opened.saver.aget_tuple(config) is None:
            raise BadInput(f"thread {thread!r} has no checkpoint {checkpoint!r}")
        snapshot = await graph.aget_state(config, subgraphs=True)
        start = _answer(snapshot, thread, reply)
        for event in _standing(snapshot):
            yield event
        async with paying(thread, opened, anew=bool(checkpoint)) as paid:
            known, before = spent(snapshot), await asyncio.to_thread(paid.before)
            lost = {key: one for key, one in before.items() if key not in known}
            budget = new_budget(context).resumed(known | lost)
            budget.entries, budget.keep = lost, paid
            run_with = (origin.method, context, model_objects, tool_objects, budget)
            async with aclosing(_run(graph, start, config, *run_with)) as run:
                async for item in run:
                    yield item
        await asyncio.to_thread(forget_journals, thread, opened)


def _answer(snapshot: StateSnapshot, thread: str, reply: Any) -> Command[Any] | None:
    """The input that goes on with a thread: the answer, if it is paused, to what it asks."""
    if snapshot.interrupts:
        return Command(resume=True if reply is None else reply)
    if reply is not None:
        raise BadInput(f"thread {thread!r} is not paused: there is nothing to reply to")
    return None


def _standing(snapshot: StateSnapshot) -> Iterator[Event]:
    """The events that a reader who comes late has missed."""
    if markers := markers_in(snapshot.values):
        yield markers
    if text := Trace(snapshot.values.get("operations", [])).body:
        yield {"type": "token", "text": text}
    if entries := snapshot.values.get("ledger"):
        yield {"type": "usage", "entries": entries}


async def _run(
    graph: CompiledStateGraph[Any, Any, Any, Any],
    start: Any,
    config: RunnableConfig,
    method: str,
    context: Settings,
    model_objects: Objects,
    tool_objects: Mapping[str, BaseTool],
    budget: Budget,
    callbacks: Sequence[BaseCallbackHandler] = (),
) -> AsyncGenerator[Event | Result, None]:
    """Run a graph to its end; ``start`` is its input, None for a thread."""
    config = _with_objects(config, model_objects, tool_objects, budget)
    thread = config["configurable"].get("thread_id")
    outside = 0 if thread else _outside()
    state: dict[str, Any] = {}
    events, path = list[Event](), NodePath()
    told: Event | None = None
    try:
        with listening(callbacks) as listeners:
            stream: Any = graph.astream(
                start,
                config | listeners,
                context=context,
                stream_mode=["custom", "values", "tasks"],
                subgraphs=True,
                durability="sync" if thread else None,
            )
            async with aclosing(in_time(stream, budget)) as limited:
                async for place, mode, data in limited:
                    inside = place[outside:]
                    if mode == "values":
                        state = state if inside else data
                        if told is None and (told := markers_in(state)):
                            yield told
                        continue
                    event = data if mode == "custom" else path.take(inside, data)
                    if event is not None:
                        if event["type"] != "token":
                            events.append(event)
                        yield event
    except MissingCapability as error:
        raise MissingCapability(f"method {method} cannot run: {error}") from error
    except (TimeoutError, Exhausted):
        if not budget.over:
            raise
        yield cut_off(state, events, method, budget)
        return
    yield _result(await _at_end(graph, thread) if thread else state, method, events)


def _outside() -> int:
    """How many graphs a run begins in, of those whose node calls us: places are told from the
    outermost one on."""
    try:
        namespace = get_config().get("configurable", {}).get("checkpoint_ns", "")
    except RuntimeError:  # in none
        return 0
    return len(namespace.split("|")) if namespace else 0


async def _at_end(graph: CompiledStateGraph[Any, Any, Any, Any], thread: str) -> dict[str, Any]:
    """The state of a thread whose run has come to its end.

    Raises:
        Paused: If it waits for a person.
    """
    snapshot = await graph.aget_state({"configurable": {"thread_id": thread}})
    if snapshot.next:
        raise Paused(thread, snapshot.interrupts[0].value if snapshot.interrupts else None)
    return snapshot.values


def _result(state: Mapping[str, Any], method: str, events: list[Event]) -> Result:
    """What a run came to, by its last state.

    Raises:
        BadInput: If no node set it.
    """
    if not state["result"]:
        raise BadInput(
            f"{method} ended without a result: the graph's last node must be one that sets it, as "
            "finish does"
        )
    return replace(
        Result(**state["result"]),
        problem=state["problem"],
        method=method,
        corrections=state.get("corrections", 0),
        judged=state.get("judged", []),
        ledger=state.get("ledger", {}),
        operations=state.get("operations", []),
        open=state.get("open", ""),
        close=state.get("close", ""),
        samples=shown(state),
        final=state.get("final") or {},
        events=events,
        model=state.get("model", ""),
        settings=state.get("settings", {}),
        refused=state.get("refused", False),
    )


def _with_objects(
    config: RunnableConfig, model: Objects, tools: Mapping[str, BaseTool], budget: Budget
) -> RunnableConfig:
    """A graph's config with the objects that are no settings."""
    configurable = {**config.get("configurable", {}), BUDGET_KEY: budget}
    if model is not None:
        configurable[MODEL_KEY] = model
    if tools:
        configurable[TOOLS_KEY] = tools
    return {**config, "recursion_limit": MOST_STEPS, "configurable": configurable}


@asynccontextmanager
async def _opened(
    checkpoints: Checkpoints | str | Path | None, *, make: bool = True
) -> AsyncIterator[Checkpoints]:
    if isinstance(checkpoints, Checkpoints):
        yield checkpoints
    else:
        async with open_checkpoints(checkpoints, make=make) as opened:
            yield opened


async def result_of(
    stream: AsyncGenerator[Event | Result, None], on_event: Callable[[Event], None] | None = None
) -> Result:
    """The result at the end of a stream; the events before it go to ``on_event``."""
    async with aclosing(stream):
        async for item in stream:
            if isinstance(item, Result):
                result = item
            elif on_event is not None:
                on_event(item)
    return result


async def asolve(
    problem: str | dict[str, Any] | Problem,
    method: str = DEFAULT,
    *,
    on_event: Callable[[Event], None] | None = None,
    **arguments: Any,
) -> Result:
    """Solve one problem; see :func:`astream` for arguments and errors."""
    return await result_of(astream(problem, method, **arguments), on_event)


async def aresume(
    thread: str, *, on_event: Callable[[Event], None] | None = None, **arguments: Any
) -> Result:
    """Go on with a thread's run; see :func:`astream_resumed` for arguments and errors."""
    return await result_of(astream_resumed(thread, **arguments), on_event)


def solve(
    problem: str | dict[str, Any] | Problem, method: str = DEFAULT, **arguments: Any
) -> Result:
    """:func:`asolve` for code that has no event loop; a notebook has one."""
    _no_loop("asolve")
    return _alone(asolve(problem, method, **arguments))


def resume(thread: str, **arguments: Any) -> Result:
    """:func:`aresume` for code that has no event loop."""
    _no_loop("aresume")
    return _alone(aresume(thread, **arguments))


def _no_loop(instead: str) -> None:
    """
    Raises:
        RuntimeError: If an event loop is running.
    """
    if is_in_a_loop():
        raise RuntimeError(
            f"an event loop is running, as in a notebook: await agentflow.{instead}(…)"
        )


async def ajudge(
    problem: str | dict[str, Any] | Problem,
    solution: str | Sequence[str],
    verifier: str = "flexive",
    *,
    model: Given = None,
    tools: Mapping[str, str | BaseTool] | None = None,
    spending: Budget | None = None,
    **settings: Any,
) -> tuple[Verdict, Entries]:
    """Have a verifier judge a solution; the verdict, and what it cost by call id.

    Args:
        problem: The problem's text, a mapping with ``text`` and optionally ``id``, ``gold``, or a
            problem as a domain parsed it, whose domain the setting need not say again.
        solution: As a text, or in steps.
        verifier: A name in ``agentflow.graphs.VERIFIERS``.
        model, tools, spending: As of :func:`astream`.
        settings: Settings of the verifier.

    Raises:
        BadInput: If the problem, the solution, the verifier, the model or a setting cannot be used.
        ModelUnavailable, StreamBroken: If the model does not answer.
        MissingCapability: If it cannot do what the verifier needs.
    """
    graph = graphs.verifier(verifier).graph
    problem, settings = plainly(problem, settings)
    context, model_objects, tool_objects = split_arguments(verifier, settings, model, tools)
    if not text_of(problem).strip():
        raise BadInput("the problem is empty; give its text")
    await asyncio.to_thread(domains.kind, context.domain)  # a verifier may ask nothing else of it
    start: dict[str, Any] = {"problem": problem} | _solution(solution)
    config = _with_objects({}, model_objects, tool_objects, spending or new_budget(context))
    try:
        with listening() as listeners:
            out = await graph.ainvoke(start, config | listeners, context=context)
    except Exhausted as error:
        return Verdict(None, str(error), "exhausted", source=verifier), {}
    verdict = {key: value for key, value in out["verdict"].items() if key != "verifier"}
    return Verdict(**verdict), out["ledger"]


def _solution(given: Any) -> dict[str, Any]:
    """A solution as a verifier's graph takes it.

    Raises:
        BadInput: If it is neither a text nor steps that are texts.
    """
    if isinstance(given, str):
        return {"solution": given}
    steps = (
        list(given) if isinstance(given, Iterable) and not isinstance(given, Mapping) else [given]
    )
    for step in steps:
        if not isinstance(step, str):
            raise BadInput(f"{step!r:.60} is no solution; give it as a text, or as a list of steps")
    return {"steps": steps}


def _alone(running: Coroutine[Any, Any, Result]) -> Result:
    """A run's result, in an event loop of its own."""
    return context_elsewhere().run(asyncio.run, _unwaited(running))


async def _unwaited(running: Coroutine[Any, Any, Result]) -> Result:
    asyncio.get_running_loop().set_default_executor(Unwaited())
    found: Result = await closing(running)
    return found
