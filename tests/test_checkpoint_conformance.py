"""The savers keep LangGraph's contract of a checkpointer, by its own tests of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from agentflow.checkpoints import open_checkpoints

conformance: Any = pytest.importorskip("langgraph.checkpoint.conformance")


async def test_conformance(tmp_path: Path) -> None:
    number = iter(range(1000))

    @conformance.checkpointer_test(name="SQLite")
    async def saver() -> AsyncIterator[Any]:
        async with open_checkpoints(tmp_path / f"{next(number)}.sqlite") as checkpoints:
            yield checkpoints.saver

    report = await conformance.validate(saver)
    failed = {name: one.failures for name, one in report.results.items() if one.failures}
    assert not failed
    assert report.passed_all_base()
