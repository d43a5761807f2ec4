"""A tool that a model chose is called, and whatever it does is its answer."""

from __future__ import annotations

import asyncio
from typing import Any, TypedDict

import pytest
from langchain_core.messages import ToolCall
from langchain_core.tools import BaseTool, tool
from langgraph.graph import START, StateGraph

from agentflow.nodes.tool_calls import call_tool
from agentflow.tools.toolbox import Use


class State(TypedDict):
    said: str
    error: bool


async def called(given: BaseTool, told: list[Use]) -> dict[str, Any]:
    """What a node of a graph gets of a tool."""

    async def node(state: State) -> dict[str, Any]:
        call = ToolCall(name="python", args={"code": "mine"}, id="call", type="tool_call")
        found = await call_tool({"python": given}, call, (), told.append)
        return {"said": found.use.content, "error": found.use.error}

    graph = StateGraph(State).add_node("node", node).add_edge(START, "node").compile()
    return await graph.ainvoke({"said": "", "error": False})


async def test_a_tool_that_raises_a_cancellation_itself_has_failed() -> None:
    @tool("python")
    async def given_up(code: str) -> str:
        """Is cancelled from within."""
        raise asyncio.CancelledError(code)

    told = list[Use]()
    assert await called(given_up, told) == {"said": "CancelledError: mine", "error": True}
    assert len(told) == 1


async def test_a_call_that_is_cancelled_ends() -> None:
    begun = asyncio.Event()

    @tool("python")
    async def endless(code: str) -> str:
        """Waits for ever."""
        begun.set()
        await asyncio.Event().wait()
        return code

    running = asyncio.ensure_future(called(endless, []))
    await begun.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_a_tool_that_calls_its_argument_otherwise_is_given_it() -> None:
    @tool("python")
    def by_another_name(source: str) -> str:
        """Takes its one argument by another name."""
        return f"ran {source}"

    told = list[Use]()
    assert await called(by_another_name, told) == {"said": "ran mine", "error": False}
    assert told[0].arguments == {"code": "mine"}


async def test_what_an_adapter_wrapped_is_unwrapped() -> None:
    @tool("python", response_format="content_and_artifact")
    def of_a_server(code: str) -> tuple[Any, Any]:
        """Gives what langchain-mcp-adapters makes of a server's reply."""
        return [{"type": "text", "text": "3"}], {"structured_content": {"value": 3}}

    told = list[Use]()
    assert await called(of_a_server, told) == {"said": "3", "error": False}
    assert told[0].artifact == {"value": 3}
