"""Where threads are kept."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

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
