"""Threads: runs that are written down as they go, to be resumed, looked back at, and forked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout
from langchain_core.runnables import RunnableConfig

from agentflow import graphs
from agentflow.checkpoints import Checkpoints
from agentflow.configurable import JOURNAL_KEY
from agentflow.errors import BadInput
from agentflow.ledger import total
from agentflow.models.paid import Paid
from agentflow.nodes.journal import thread_folder
from agentflow.run import STATE_VERSION
from agentflow.settings import Settings

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph
    from langgraph.types import StateSnapshot

_METHOD, _VERSION, _SETTINGS = "agentflow_method", "agentflow_state", "agentflow_settings"
"""Keys of a checkpoint's metadata."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What a thread was begun with."""

    method: str
    settings: dict[str, Any]


def graph_of(method: str, checkpoints: Checkpoints) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The method's graph, writing checkpoints."""
    graph: CompiledStateGraph[Any, Any, Any, Any] = graphs.get(method).graph
    return graph.copy({"checkpointer": checkpoints.saver})


def config_of(
    thread: str, checkpoints: Checkpoints, method: str, settings: Settings, checkpoint: str = ""
) -> RunnableConfig:
    """The configuration of a run on a thread, from ``checkpoint`` on if one is given."""
    configurable = {"thread_id": thread, JOURNAL_KEY: str(checkpoints.journals)}
    if checkpoint:
        configurable["checkpoint_id"] = checkpoint
    metadata = {
        _METHOD: method,
        _VERSION: STATE_VERSION,
        _SETTINGS: settings.model_dump_json(exclude_unset=True),
    }
    return {"configurable": configurable, "metadata": metadata}


async def origin_of(thread: str, checkpoints: Checkpoints) -> Origin | None:
    """What a thread was begun with; None if there is no such thread.

    Raises:
        BadInput: If it is none of this version's threads.
    """
    found = await checkpoints.saver.aget_tuple({"configurable": {"thread_id": thread}})
    if found is None:
        return None
    metadata: dict[str, Any] = {**found.metadata}
    if _METHOD not in metadata:
        raise BadInput(f"thread {thread!r} in {checkpoints.where} was not begun by agentflow")
    if metadata[_VERSION] != STATE_VERSION:
        raise BadInput(
            f"thread {thread!r} was begun by another version of agentflow (its state has version "
            f"{metadata[_VERSION]}, this one reads {STATE_VERSION}); end it with that one"
        )
    return Origin(metadata[_METHOD], json.loads(metadata[_SETTINGS]))


async def existing(thread: str, checkpoints: Checkpoints) -> Origin:
    """:func:`origin_of` a thread that must be there.

    Raises:
        BadInput: If it is not, or is none of this version's threads.
    """
    origin = await origin_of(thread, checkpoints)
    if origin is None:
        raise BadInput(
            f"no thread {thread!r} in {checkpoints.where}; `{checkpoints.command('history')}` "
            "lists them"
        )
    return origin


async def check_free(thread: str, checkpoints: Checkpoints, method: str) -> None:
    """Whether a new run may begin on the thread.

    Raises:
        BadInput: If it belongs to another method, or its run has not come to its end.
    """
    origin = await origin_of(thread, checkpoints)
    if origin is None:
        return
    if origin.method != method:
        raise BadInput(
            f"thread {thread!r} belongs to method {origin.method}, not {method}; name another"
        )
    config: RunnableConfig = {"configurable": {"thread_id": thread}}
    snapshot = await graph_of(method, checkpoints).aget_state(config)
    if snapshot.next and snapshot.values.get("model"):  # else nothing would be lost
        raise BadInput(
            f"the run on thread {thread!r} has not ended; "
            f"`{checkpoints.command('resume', thread)}` goes on with it, another --thread begins "
            "anew"
        )


@asynccontextmanager
async def holding(thread: str, checkpoints: Checkpoints) -> AsyncIterator[None]:
    """Keep other processes of this machine from running the thread.

    Raises:
        BadInput: If one does, or the name cannot be a thread's.
    """
    if not isinstance(thread, str) or not thread or not thread.isprintable():
        raise BadInput(
            f"{thread!r} cannot be the name of a thread; use one or more printable characters"
        )
    folder = thread_folder(checkpoints.journals, thread)
    lock = FileLock(folder.with_suffix(".lock"))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(blocking=False)
    except Timeout as error:
        raise BadInput(
            f"thread {thread!r} is being run by another process; wait until that has ended, or "
            "stop it"
        ) from error
    except OSError as error:
        raise BadInput(f"{folder.parent}: cannot keep journals there ({error.strerror})") from error
    try:
        yield
    finally:
        lock.release()


@asynccontextmanager
async def paying(thread: str, checkpoints: Checkpoints, *, anew: bool) -> AsyncIterator[Paid]:
    """Where the thread's run notes what it paid; ``anew`` for one that nothing was paid for yet.
    Behind it all is written, and nothing is added."""
    paid = Paid(thread_folder(checkpoints.journals, thread) / "paid.jsonl")
    if anew:
        await asyncio.to_thread(paid.path.unlink, missing_ok=True)
    try:
        yield paid
    finally:
        await asyncio.to_thread(paid.close)


def forget_journals(thread: str, checkpoints: Checkpoints) -> None:
    """Remove what was kept of streams under way: the thread's run has ended."""
    import shutil

    shutil.rmtree(thread_folder(checkpoints.journals, thread), ignore_errors=True)


async def threads(checkpoints: Checkpoints) -> list[dict[str, Any]]:
    """Every thread: ``thread``, ``method``, and when its first run ``began``; newest first."""
    listed: dict[str, dict[str, Any]] = {}
    async for found in checkpoints.saver.alist(None, filter={"source": "input"}):
        metadata: dict[str, Any] = {**found.metadata}
        thread = found.config["configurable"]["thread_id"]
        if _METHOD in metadata:
            began = found.checkpoint["ts"]
            listed[thread] = {"thread": thread, "method": metadata[_METHOD], "began": began}
    return sorted(listed.values(), key=lambda one: str(one["began"]), reverse=True)


async def history(thread: str, checkpoints: Checkpoints) -> list[dict[str, Any]]:
    """What a thread went through, oldest first.

    Each entry has ``run`` (counted from 1; a thread may be used again), ``checkpoint`` (its id, to
    fork from), ``forked`` (the checkpoint that a fork goes on from, else None), ``at``, ``next``
    (nodes), ``generated`` tokens, ``corrections``, and ``what`` happened last, in words.

    Raises:
        BadInput: If there is no such thread, or it is none of this version's.
    """
    origin = await existing(thread, checkpoints)
    graph = graph_of(origin.method, checkpoints)
    config: RunnableConfig = {"configurable": {"thread_id": thread}}
    snapshots = [one async for one in graph.aget_state_history(config)]
    listed, run, before = list[dict[str, Any]](), 0, None
    for one in reversed(snapshots):
        parent, begins = _id(one.parent_config), one.next == ("__start__",)
        run += begins
        if not begins:
            listed.append(_entry(one, run, parent if parent != before else None))
        before = _id(one.config)
    return listed


def _id(config: RunnableConfig | None) -> str | None:
    return None if config is None else str(config["configurable"]["checkpoint_id"])


def _entry(snapshot: StateSnapshot, run: int, forked: str | None) -> dict[str, Any]:
    values = snapshot.values
    return {
        "run": run,
        "checkpoint": snapshot.config["configurable"]["checkpoint_id"],
        "forked": forked,
        "at": snapshot.created_at,
        "next": list(snapshot.next),
        "generated": total(values.get("ledger") or {}).generated,
        "corrections": values.get("corrections", 0),
        "what": _what(snapshot),
    }


def _what(snapshot: StateSnapshot) -> str:
    """What led to a snapshot, in a few words."""
    values, following = snapshot.values, snapshot.next
    end = values.get("stream_end") or {}
    if snapshot.interrupts:
        return "paused"
    if following == ("refine",):
        return f"{end['intervention']['monitor']}: {end['intervention']['reason']}"
    if not following and values.get("result"):
        result = values["result"]
        return " ".join(filter(None, [result["status"], result["answer"]]))
    return {"prepare": "begun", "verify": "answered", "finish": "ended"}.get("".join(following), "")
