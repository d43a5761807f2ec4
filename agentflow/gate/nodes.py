"""The gate in a LangGraph graph: a node in the place of ``ToolNode``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from langchain_core.messages import AIMessage, ToolCall, ToolMessage
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.prebuilt import ToolNode
from langgraph.types import interrupt

from agentflow.gate.policy import Decision, Policy, judge, several

View = Callable[[Any], Mapping[str, Any]]
"""What the rules may know, from the graph's state."""


def without_messages(state: Any) -> Mapping[str, Any]:
    """The graph's state without its messages: those hold the model's words."""
    fields = state if isinstance(state, Mapping) else vars(state)
    return {key: value for key, value in fields.items() if key != "messages"}


def decide(
    policy: Policy, state: Any, calls: Sequence[Mapping[str, Any]], view: View = without_messages
) -> list[Decision]:
    """What becomes of each call of one message."""
    if found := several(policy, [call.get("id") for call in calls]):
        return [found for _ in calls]
    policy, seen = seen_by(policy, state, view)
    return [judge(policy, seen, call) for call in calls]


def seen_by(policy: Policy, state: Any, view: View) -> tuple[Policy, Mapping[str, Any]]:
    """What the rules know; a policy with a fault where that cannot be said."""
    try:
        return policy, view(state)
    except Exception:
        return replace(policy, fault=policy.fault or "the state cannot be read"), {}


def gated_tools(
    policy: Policy, tools: ToolNode | Sequence[Any], view: View = without_messages
) -> RunnableLambda[Any, Any]:
    """A node that runs the calls of the last message that the policy allows, and answers the rest.

    A person is asked by one interrupt for all calls of the message, before any of them runs. Its
    value is ``{"calls": [{"id", "name", "args", "reason"}, ...]}``; resume with ``{id: True}``.
    Whatever is not exactly True is a no, and calls are judged again then: a rule outvotes a person.

    Args:
        tools: What ``ToolNode`` takes, or a ``ToolNode`` of your own.
        view: What the rules may know of the graph's state.
    """
    node = tools if isinstance(tools, ToolNode) else ToolNode(tools)

    def begun(state: Any) -> tuple[AIMessage, list[Decision]]:
        message, left = unanswered(state)
        decisions = decide(policy, state, message.tool_calls, view)
        ids = {call["id"] for call in left}
        pairs = zip(message.tool_calls, decisions, strict=True)
        kept = [decision for call, decision in pairs if call["id"] in ids]
        return message.model_copy(update={"tool_calls": left}), kept

    def run(state: Any, config: RunnableConfig) -> Any:
        message, decisions = begun(state)
        allowed, answers = _sorted(message, decisions)
        if allowed:
            return _joined(answers, node.invoke(_only(state, message, allowed), config))
        return {"messages": answers}

    async def arun(state: Any, config: RunnableConfig) -> Any:
        message, decisions = await asyncio.to_thread(begun, state)
        allowed, answers = _sorted(message, decisions)
        if allowed:
            return _joined(answers, await node.ainvoke(_only(state, message, allowed), config))
        return {"messages": answers}

    return RunnableLambda(run, arun, name="gate")


def answered(call: Mapping[str, Any], decision: Decision) -> ToolMessage:
    """What the model is told of a call that was not made."""
    text = f"This call was not made: {decision.reason or 'a person said no'}."
    return ToolMessage(
        text, name=str(call["name"]), tool_call_id=str(call.get("id") or ""), status="error"
    )


def approved(asked: Sequence[tuple[Mapping[str, Any], Decision]]) -> set[str]:
    """Ids of the calls that a person allows; interrupts the graph."""
    if not asked:
        return set()
    question = [
        {key: call.get(key) for key in ("id", "name", "args")} | {"reason": decision.reason}
        for call, decision in asked
    ]
    reply = interrupt({"calls": question})
    return {
        call["id"]
        for call, _ in asked
        if isinstance(call.get("id"), str)
        and isinstance(reply, Mapping)
        and reply.get(call["id"]) is True
    }


def _joined(answers: list[ToolMessage], done: Any) -> Any:
    """What ``ToolNode`` gives, a list where a tool gave a ``Command``, with our answers."""
    if isinstance(done, list):
        return [{"messages": answers}, *done]
    return {"messages": [*answers, *done["messages"]]}


def unanswered(state: Any) -> tuple[AIMessage, list[ToolCall]]:
    """The model's last message, and those of its calls that no message answers yet.

    Raises:
        ValueError: If another message but an answer stands behind it.
    """
    messages = state["messages"] if isinstance(state, Mapping) else state.messages
    answers = set[str]()
    for message in reversed(messages):
        if isinstance(message, AIMessage):
            left = [one for one in message.tool_calls if str(one.get("id") or "") not in answers]
            return message, left
        if not isinstance(message, ToolMessage):
            break
        answers.add(message.tool_call_id)
    raise ValueError("gate: the last message is not the model's; put the node behind the model")


def _sorted(
    message: AIMessage, decisions: Sequence[Decision]
) -> tuple[list[Any], list[ToolMessage]]:
    """(Calls that run, answers to the others); asks a person where a decision says so."""
    pairs = list(zip(message.tool_calls, decisions, strict=True))
    yes = approved([pair for pair in pairs if pair[1].outcome == "ask"])
    runs = [call for call, one in pairs if one.outcome == "allow" or call["id"] in yes]
    kept = {call["id"] for call in runs}
    return runs, [answered(call, one) for call, one in pairs if call["id"] not in kept]


def _only(state: Any, message: AIMessage, calls: list[Any]) -> dict[str, Any]:
    fields = dict(state) if isinstance(state, Mapping) else dict(vars(state))
    left = message.model_copy(update={"tool_calls": calls})
    at = max(at for at, one in enumerate(fields["messages"]) if isinstance(one, AIMessage))
    return {**fields, "messages": [*fields["messages"][:at], left]}
