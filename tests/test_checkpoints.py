"""Where threads are kept."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from operator import add
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.serde.types import ERROR, RESUME
from langgraph.graph import START, StateGraph

from agentflow.checkpoints import open_checkpoints


async def test_a_connection_whose_opening_was_cancelled_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else its thread outlives the loop, and speaks to it."""
    begun, go, workers = asyncio.Event(), threading.Event(), list[threading.Thread]()
    loop, connect = asyncio.get_running_loop(), sqlite3.connect

    def slow(*arguments: Any, **more: Any) -> sqlite3.Connection:
        workers.append(threading.current_thread())
        if len(workers) == 2:  # aiosqlite's: ours has looked whether the file can be opened
            loop.call_soon_threadsafe(begun.set)
            go.wait()
        return connect(*arguments, **more)

    monkeypatch.setattr(sqlite3, "connect", slow)

    async def opened() -> None:
        async with open_checkpoints(tmp_path / "threads.sqlite"):
            raise AssertionError("it was cancelled before")

    opening = asyncio.create_task(opened())
    await begun.wait()
    opening.cancel()
    for _ in range(50):
        await asyncio.sleep(0)
    waits = not opening.done()
    go.set()
    with pytest.raises(asyncio.CancelledError):
        await opening
    workers[1].join()
    assert waits


class Log(TypedDict):
    """What a graph has written."""

    lines: Annotated[list[str], add]


async def test_an_error_handler_that_failed_is_what_runs_again(tmp_path: Path) -> None:
    """And not the node whose error it handles: so it is with LangGraph's own savers."""
    ran, broken = list[str](), [True]

    async def asks(state: Log) -> Log:
        ran.append("asks")
        raise OSError("no server")

    async def handles(state: Log) -> Log:
        ran.append("handles")
        if broken.pop():
            raise OSError("no disk")
        return {"lines": ["handled"]}

    building = StateGraph(Log)
    building.add_node("asks", asks, error_handler=handles)
    building.add_edge(START, "asks")
    async with open_checkpoints(tmp_path / "threads.sqlite") as checkpoints:
        graph = building.compile(checkpoints.saver)
        thread: RunnableConfig = {"configurable": {"thread_id": "one"}}
        with pytest.raises(OSError, match="no disk"):
            await graph.ainvoke({"lines": []}, thread)
        broken.append(False)
        assert await graph.ainvoke(None, thread) == {"lines": ["handled"]}
    assert ran == ["asks", "handles", "handles"]


async def test_a_failed_task_keeps_its_marks_and_no_output(tmp_path: Path) -> None:
    async with open_checkpoints(tmp_path / "threads.sqlite") as checkpoints:
        saver = checkpoints.saver
        thread: RunnableConfig = {"configurable": {"thread_id": "one", "checkpoint_ns": ""}}
        stored = await saver.aput(thread, empty_checkpoint(), {}, {})
        written = [("lines", ["half"]), (RESUME, ["yes"]), (ERROR, "no server")]
        await saver.aput_writes(stored, written, "task")
        found = await saver.aget_tuple(stored)
    assert found is not None
    assert {channel for _, channel, _ in found.pending_writes or ()} == {RESUME, ERROR}
