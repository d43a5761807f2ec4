"""Checkpointers in an event loop of one's own: which are called by their synchronous calls."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from agentflow.own_loop import in_a_loop, saver_elsewhere


class Sync(BaseCheckpointSaver[str]):
    """Has synchronous calls alone, as PostgresSaver."""

    def get_tuple(self, config: Any) -> None:
        return None

    def put_writes(
        self, config: Any, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        self.written = task_path


class Around(BaseCheckpointSaver[str]):
    """Hands calls on to another one, as a LangGraph server's does; it cannot be copied."""

    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def aget_tuple(self, config: Any) -> Any:
        return await self.inner.aget_tuple(config)


async def test_what_any_loop_can_call_stays(tmp_path: Path) -> None:
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "x.sqlite")) as bound:
        for saver in (None, True, InMemorySaver(), Around(InMemorySaver()), Around(bound)):
            assert await asyncio.to_thread(saver_elsewhere, saver) is saver
        assert saver_elsewhere(bound) is bound  # this loop would be blocked
        assert await asyncio.to_thread(saver_elsewhere, bound) is not bound


@pytest.mark.parametrize("derived", [False, True])
def test_a_saver_without_a_loop_is_called_in_a_thread(derived: bool) -> None:
    saver = Sync()
    there = saver_elsewhere(saver)
    if derived:  # as LangGraph does where it restricts what may be read
        there = there.with_allowlist([("a", "B")])
    assert in_a_loop(lambda: there.aget_tuple({})) is None
    in_a_loop(lambda: there.aput_writes({}, [], "task", task_path="here"))
    with pytest.raises(NotImplementedError):
        in_a_loop(lambda: saver.aget_tuple({}))
