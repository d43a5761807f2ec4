"""The middleware in an agent of LangChain's; where its extra ``gate`` is installed."""

from __future__ import annotations

from typing import Any

import pytest
from gate_samples import MADE, STATE, bank, call, close, transfer
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

agents = pytest.importorskip("langchain.agents")


class Model(GenericFakeChatModel):
    """Plays messages; has no need of tools."""

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        return self


def agent(policy: Any, *calls: Any) -> Any:
    from agentflow.gate.middleware import GateMiddleware

    says = [AIMessage("Approved.", tool_calls=list(calls)), AIMessage("Done.")]
    gate = GateMiddleware(policy, view=lambda state: STATE)
    return agents.create_agent(
        Model(messages=iter(says)), [transfer, close], middleware=[gate],
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
