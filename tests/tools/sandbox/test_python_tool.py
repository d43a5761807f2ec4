"""The sandbox as a tool, alone and in LangGraph's ToolNode."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolCall, ToolMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from agentflow.tools.sandbox import Sandbox, SandboxUnavailable, python_tool


def call(number: int = 0, **arguments: Any) -> ToolCall:
    return ToolCall(name="python", args=arguments, id=str(number), type="tool_call")


def test_content_and_artifact() -> None:
    message = python_tool().invoke(call(code="print('hi')\ndata['x'] + 1", data={"x": 1}))
    assert message.content == "value: 2\nstdout:\nhi\n"
    assert message.artifact["value"] == 2
    assert message.artifact["ok"] is True
    json.dumps(message.artifact)


def test_a_failure_is_text_and_data() -> None:
    message = python_tool().invoke(call(code="1/0"))
    assert message.content == "ZeroDivisionError (line 1): division by zero"
    failure = {"type": "ZeroDivisionError", "message": "division by zero", "line": 1}
    assert message.artifact["failure"] == failure
    assert message.artifact["ok"] is False


async def test_plain_arguments() -> None:
    assert python_tool().invoke({"code": "1 + 1"}) == "value: 2"
    assert await python_tool().ainvoke({"code": "1 + 1"}) == "value: 2"


async def test_in_a_graph() -> None:
    builder = StateGraph(MessagesState)
    builder.add_node("tools", ToolNode([python_tool()]))
    graph = builder.add_edge(START, "tools").add_edge("tools", END).compile()
    codes = ["1/0", "6 * 7", "\ud800", "", "def f(:"]
    message = AIMessage("", tool_calls=[call(i, code=code) for i, code in enumerate(codes)])
    for state in (
        graph.invoke({"messages": [message]}),
        await graph.ainvoke({"messages": [message]}),
    ):
        found = [one for one in state["messages"] if isinstance(one, ToolMessage)]
        assert [one.artifact["ok"] for one in found] == [False, True, False, False, False]
        assert [one.status for one in found] == ["success"] * 5


def test_no_sandbox_is_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def unavailable(*_: Any) -> Any:
        raise SandboxUnavailable("no namespaces here")

    monkeypatch.setattr(Sandbox, "_start", unavailable)
    message = python_tool(Sandbox()).invoke(call(code="1"))
    assert message.artifact["failure"]["type"] == "SandboxUnavailable"
    assert "no namespaces here" in message.content


def test_the_schema_is_what_a_model_reads() -> None:
    schema: Any = python_tool().args_schema
    read = schema.model_json_schema()
    assert set(read["properties"]) == {"code", "data"}
    assert read["required"] == ["code"]
