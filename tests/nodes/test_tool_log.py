"""The log of the tools that a node used."""

import asyncio
import contextlib
from typing import Any

import pytest
from langchain_core.tools import tool

import agentflow
from agentflow.ledger import Entry, record
from agentflow.models import ScriptedModel
from agentflow.models.budget import Budget
from agentflow.nodes.tool_log import ToolLog
from agentflow.tools.toolbox import Use


def test_an_entry_says_when_the_tool_had_ended() -> None:
    """A thread that is resumed takes up its clock where the last entry ended, a tool's, too."""
    told: list[dict[str, Any]] = []
    budget = Budget(seconds=20.0)
    budget.resumed(record("before", Entry("solver", until=12.5)))
    log = ToolLog("verify/0/3", told.append, budget)
    log(Use("python", "sandbox", {"code": "print(1)"}, "1", seconds=2.0))
    (entry,) = log.entries.values()
    assert entry["seconds"] == 2.0
    assert entry["until"] >= 12.5
    assert budget.entries == log.entries
    assert Budget(seconds=20.0).resumed(log.entries).clock >= 12.5
    assert [event["type"] for event in told] == ["tool"]


@pytest.mark.usefixtures("virtual_time")
async def test_a_tool_ends_when_the_time_of_the_run_is_over() -> None:
    told: list[dict[str, Any]] = []

    @tool
    async def handbook(query: str) -> str:
        """Never answers."""
        await asyncio.Event().wait()
        return ""

    result = await agentflow.asolve(
        "Was Otter Bridge built before 1900?", "interwhen", domain="commonsense",
        model=ScriptedModel("Fact: Otter Bridge was built in 1831.\n</think>Answer: yes"),
        tools={"search": handbook}, timeout=3.0, on_event=told.append,
    )  # fmt: skip
    assert result.status == "exhausted"
    assert "the time limit of 3.0 s is over" in result.reason
    events = [one for one in told if one["type"] == "tool"]
    assert len(events) == 3  # the fact and the answer; the answer once more, behind the time
    assert {one["content"] for one in events} == {"TimeoutError: the time limit of 3.0 s is over"}
    entries = [one for one in result.ledger.values() if one["role"] == "tool:search"]
    assert sorted(round(one["seconds"]) for one in entries) == [1, 3, 3]


@pytest.mark.usefixtures("virtual_time")
async def test_a_tool_that_is_asked_behind_the_time_has_a_second() -> None:
    budget = Budget(seconds=2.0)
    await asyncio.sleep(4)
    log = ToolLog("0", lambda event: None, budget)
    async with log.limit():
        await asyncio.sleep(0.5)
    with pytest.raises(TimeoutError, match=r"the time limit of 2.0 s is over"):
        async with log.limit():
            await asyncio.Event().wait()
    assert budget.over == budget.late


@pytest.mark.usefixtures("virtual_time")
async def test_a_tool_that_cannot_be_ended_is_in_the_ledger_of_the_run_that_is() -> None:
    @tool
    async def stubborn(query: str) -> str:
        """Hears of no cancellation but the second one."""
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        await asyncio.Event().wait()
        return ""

    result = await agentflow.asolve(
        "Was Otter Bridge built before 1900?", "interwhen", domain="commonsense",
        model=ScriptedModel("Fact: Otter Bridge was built in 1831.\n</think>Answer: yes"),
        tools={"search": stubborn}, timeout=3.0,
    )  # fmt: skip
    assert (result.status, result.reason) == ("exhausted", "the time limit of 3.0 s is over")
    entries = [one for one in result.ledger.values() if one["role"] == "tool:search"]
    assert len(entries) == 2  # the fact, and the answer
    assert all(one["seconds"] > 7.0 for one in entries)
