"""What a graph tells LangChain's listeners of its tools and of several roles."""

from __future__ import annotations

from verifiagent_world import PROBLEM, RIGHT, Script, stub_tools

from agentflow.graphs import verifiagent
from agentflow.nodes import MODEL_KEY, TOOLS_KEY


async def test_tools_and_verifiers_are_told() -> None:
    given = {"problem": PROBLEM, "solution": RIGHT}
    config = {"configurable": {MODEL_KEY: Script().model, TOOLS_KEY: stub_tools()}}
    context = {"domain": "math"}
    stream = verifiagent.graph.astream_events(given, config, context=context, version="v2")
    events = [event["event"] async for event in stream]
    assert events.count("on_tool_start") == events.count("on_tool_end") > 0
    assert events.count("on_chat_model_start") == events.count("on_chat_model_end") > 2
