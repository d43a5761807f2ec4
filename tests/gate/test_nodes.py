"""The gate in a graph: what is not allowed is not called, and a person's yes holds for one call."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

import pytest
from gate_samples import MADE, RULES, STATE, bank, call, close, transfer
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.tools import InjectedToolCallId, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command

from agentflow.gate import Policy, Rule, always, decide, gated_tools, schemas_of

TOOLS = [transfer, close]
ASKS = bank(otherwise="ask")


class Graph(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]
    friends: list[str]


@pytest.fixture(autouse=True)
def nothing_made() -> None:
    MADE.clear()


def compiled(policy: Any, **options: Any) -> Any:
    graph = StateGraph(Graph)
    graph.add_node("gate", gated_tools(policy, TOOLS, **options))
    graph.add_edge(START, "gate")
    return graph.compile(checkpointer=InMemorySaver())


def begun(*calls: Any) -> dict[str, Any]:
    message = AIMessage("I have the manager's approval.", tool_calls=list(calls))
    return {**STATE, "messages": [HumanMessage("Pay."), message]}


def at(thread: str = "1") -> Any:
    return {"configurable": {"thread_id": thread}}


def answers(result: dict[str, Any]) -> dict[str, str]:
    return {one.tool_call_id: one.content for one in result["messages"] if one.type == "tool"}


def named(identity: str, **arguments: Any) -> dict[str, Any]:
    return {**call(**arguments), "id": identity}


@pytest.mark.parametrize("awaited", [False, True])
async def test_only_what_is_allowed_is_called(awaited: bool) -> None:
    state = begun(named("a"), named("b", to="eve"), named("c", dollars=7))
    graph = compiled(bank())
    done = await graph.ainvoke(state, at()) if awaited else graph.invoke(state, at())
    assert sorted(MADE) == [("ann", 5), ("ann", 7)]
    refused = "This call was not made: money goes to friends."
    assert answers(done) == {"a": "sent", "b": refused, "c": "sent"}


@pytest.mark.parametrize(
    ("reply", "made"),
    [
        ({"b": True}, [("ann", 5), ("bob", 500)]),
        ({"b": False}, [("ann", 5)]),
        ({"b": "yes"}, [("ann", 5)]),
        ({"b": 1}, [("ann", 5)]),
        ({"a": True}, [("ann", 5)]),
        (True, [("ann", 5)]),
        ("approved", [("ann", 5)]),
    ],
)
def test_a_person_is_asked_before_anything_runs(reply: Any, made: Any) -> None:
    graph = compiled(ASKS)
    state = begun(named("a"), named("b", to="bob", dollars=500), named("c", to="eve"))
    waiting = graph.invoke(state, at())
    (question,) = waiting["__interrupt__"]
    assert MADE == []
    assert [(one["id"], one["reason"]) for one in question.value["calls"]] == [
        ("b", "at most 100 dollars without a person")
    ]
    done = graph.invoke(Command(resume=reply), at())
    assert sorted(MADE) == made
    assert set(answers(done)) == {"a", "b", "c"}


def test_a_rule_outvotes_a_person() -> None:
    """The state changed while the person thought."""
    graph = compiled(ASKS)
    graph.invoke(begun(named("b", to="bob", dollars=500)), at())
    graph.update_state(at(), {"friends": ["ann"]}, as_node="__start__")
    graph.invoke(Command(resume={"b": True}), at())
    assert MADE == []


@pytest.mark.parametrize("identity", ["a", None])
def test_two_calls_of_one_id_are_denied(identity: Any) -> None:
    calls = [named(identity), named(identity, dollars=500)]
    assert {one.outcome for one in decide(ASKS, STATE, calls)} == {"deny"}


def test_one_at_a_time() -> None:
    policy = bank(one_at_a_time=True)
    assert [one.outcome for one in decide(policy, STATE, [named("a")])] == ["allow"]
    outcomes = [one.outcome for one in decide(policy, STATE, [named("a"), named("b")])]
    assert outcomes == ["deny", "deny"]


def test_rules_see_no_messages_and_a_view_that_fails_allows_nothing() -> None:
    seen: list[Any] = []

    def view(state: Any) -> Any:
        seen.append(state)
        raise KeyError("user")

    (decision,) = decide(bank(), {"friends": ["ann"]}, [named("a")], view)
    assert decision.outcome == "deny"
    assert decide(bank(), begun(), [named("a")])[0].outcome == "allow"


@tool
def befriend(name: str, tool_call_id: Annotated[str, InjectedToolCallId]) -> Command[Any]:
    """Changes the graph's state."""
    answer = ToolMessage("done", tool_call_id=tool_call_id)
    return Command(update={"friends": ["ann", name], "messages": [answer]})


def test_a_tool_that_gives_a_command() -> None:
    rule = Rule("open", "anybody may", always, frozenset({"befriend"}))
    tools = [befriend, transfer]
    graph = StateGraph(Graph)
    policy = Policy(schemas_of(tools), [*RULES, rule])
    graph.add_node("gate", gated_tools(policy, tools))
    graph.add_edge(START, "gate")
    calls = [{"name": "befriend", "args": {"name": "eve"}, "id": "a"}, named("b", to="eve")]
    done = graph.compile().invoke(begun(*calls))
    assert done["friends"] == ["ann", "eve"]
    assert answers(done) == {"a": "done", "b": "This call was not made: money goes to friends."}
    assert MADE == []


def test_a_message_that_is_not_the_models() -> None:
    with pytest.raises(ValueError, match="put the node behind the model"):
        compiled(bank()).invoke({**STATE, "messages": [HumanMessage("Hi")]}, at())
