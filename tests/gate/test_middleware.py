"""The middleware in an agent of LangChain's; where its extra ``gate`` is installed."""

from __future__ import annotations

from typing import Any

import pytest
from gate_samples import MADE, STATE, bank, call, close, transfer
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from agentflow.models.scripted_chat import ScriptedChat

agents = pytest.importorskip("langchain.agents")


def agent(policy: Any, *calls: Any) -> Any:
    from agentflow.gate.middleware import GateMiddleware

    says = [AIMessage("Approved.", tool_calls=list(calls)), AIMessage("Done.")]
    gate = GateMiddleware(policy, view=lambda state: STATE)
    return agents.create_agent(
        ScriptedChat(script=says), [transfer, close], middleware=[gate],
        checkpointer=InMemorySaver(),
    )  # fmt: skip


PAY: Any = {"messages": [("user", "Pay.")]}
AT: Any = {"configurable": {"thread_id": "1"}}


@pytest.fixture(autouse=True)
def nothing_made() -> None:
    MADE.clear()


@pytest.mark.parametrize("awaited", [False, True])
async def test_allow_and_deny(awaited: bool) -> None:
    one = agent(bank(), {**call(), "id": "a"}, {**call("eve"), "id": "b"})
    done = await one.ainvoke(PAY, AT) if awaited else one.invoke(PAY, AT)
    tools = {m.tool_call_id: m.content for m in done["messages"] if m.type == "tool"}
    assert tools == {"a": "sent", "b": "This call was not made: money goes to friends."}
    assert MADE == [("ann", 5)]
    assert done["messages"][-1].content == "Done."


@pytest.mark.parametrize(("reply", "made"), [(True, [("bob", 500)]), ("yes", [])])
def test_ask(reply: Any, made: Any) -> None:
    one = agent(bank(otherwise="ask"), {**call("bob", 500), "id": "b"})
    waiting = one.invoke(PAY, AT)
    assert waiting["__interrupt__"][0].value["calls"][0]["name"] == "transfer"
    assert MADE == []
    one.invoke(Command(resume={"b": reply}), AT)
    assert made == MADE


def test_one_at_a_time() -> None:
    one = agent(bank(one_at_a_time=True), {**call(), "id": "a"}, {**call(), "id": "b"})
    one.invoke(PAY, AT)
    assert MADE == []


def test_an_unknown_tool() -> None:
    one = agent(bank(), {"name": "rob", "args": {}, "id": "a"})
    done = one.invoke(PAY, AT)
    assert "knows no tool" in done["messages"][-2].content


LONG = "x " * 200


@pytest.mark.parametrize("as_written", [True, False])
@pytest.mark.parametrize("awaited", [False, True])
async def test_a_call_that_is_denied_as_it_is_written(awaited: bool, as_written: bool) -> None:
    from agentflow.gate.middleware import GateMiddleware

    calls = [{**call(), "id": "a"}, {**call("eve", note=LONG), "id": "b"}]
    script = [AIMessage("Approved.", tool_calls=calls), AIMessage("Done.")]
    model = ScriptedChat(script=script)
    gate = GateMiddleware(bank(), lambda state: STATE, as_written)
    one = agents.create_agent(model, [transfer, close], middleware=[gate])
    done = await one.ainvoke(PAY) if awaited else one.invoke(PAY)
    tools = {m.tool_call_id: m.content for m in done["messages"] if m.type == "tool"}
    assert tools == {"a": "sent", "b": "This call was not made: money goes to friends."}
    assert MADE == [("ann", 5)]
    said = done["messages"][1]
    assert said.tool_calls[1]["args"] == ({"to": "eve"} if as_written else calls[1]["args"])
    assert as_written is (0 < sum(model.sent) < 300)


async def test_tokens_of_a_watched_message_are_still_streamed() -> None:
    one = agent(bank(), {**call(), "id": "a"})
    shown = [part.text async for part, _ in one.astream(PAY, AT, stream_mode="messages")]
    assert "".join(shown).startswith("Approved.")
    assert len([text for text in shown if text]) > 3


def test_what_an_answer_is_formatted_by_is_no_tool() -> None:
    from langchain.agents.structured_output import ToolStrategy
    from pydantic import BaseModel

    from agentflow.gate.middleware import GateMiddleware

    class Answer(BaseModel):
        sent: bool

    said = AIMessage("", tool_calls=[{"name": "Answer", "args": {"sent": True}, "id": "a"}])
    gate = GateMiddleware(bank(), view=lambda state: STATE)
    one = agents.create_agent(
        ScriptedChat(script=[said]), [transfer], middleware=[gate],
        response_format=ToolStrategy(Answer),
    )  # fmt: skip
    assert one.invoke(PAY)["structured_response"] == Answer(sent=True)
