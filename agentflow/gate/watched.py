"""An agent's model that is watched: its message, and answers to the calls that it must not make."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from contextlib import closing
from functools import reduce
from operator import add
from typing import Any, Literal

from langchain_core.messages import AIMessage, ToolMessage, message_chunk_to_message
from langchain_core.runnables import RunnableConfig, RunnableLambda

from agentflow.gate.nodes import View, answered, seen_by, unanswered, without_messages
from agentflow.gate.policy import Decision, Policy
from agentflow.gate.watching import Watched, watch_calls
from agentflow.own_loop import in_a_loop

_CALLS = ("tool_use", "tool_call", "tool_call_chunk", "input_json_delta", "function_call")
"""Types of content that repeat a call."""


def watched_model(
    policy: Policy, model: Any, view: View = without_messages
) -> RunnableLambda[Any, Any]:
    """A node that asks a chat model, and ends its message where a call is denied for certain.

    It writes the model's message to ``messages``, and behind it an answer to each call that must
    not be made. Route with :func:`after_model`; the calls that are left are
    :func:`~agentflow.gate.gated_tools`'.

    Args:
        model: A chat model of LangChain's, with its tools bound.
        view: What the rules may know of the graph's state.
    """

    async def ask(state: Any, config: RunnableConfig, chunks: AsyncIterator[Any]) -> Any:
        known = await asyncio.to_thread(seen_by, policy, state, view)
        message, answers = await watched_message(chunks, *known)
        return {"messages": [message, *answers]}

    async def arun(state: Any, config: RunnableConfig) -> Any:
        return await ask(state, config, model.astream(_messages(state), config))

    def run(state: Any, config: RunnableConfig) -> Any:
        chunks = model.stream(_messages(state), config)
        return in_a_loop(lambda: ask(state, config, one_by_one(chunks)))

    return RunnableLambda(run, arun, name="model")


def after_model(state: Any) -> Literal["tools", "model", "__end__"]:
    """Where a graph goes on behind :func:`watched_model`: ``tools`` if calls are left, ``model`` if
    all of them were answered, the end if there are none."""
    message, left = unanswered(state)
    if left:
        return "tools"
    return "model" if message.tool_calls else "__end__"


async def watched_message(
    chunks: AsyncIterator[Any],
    policy: Policy,
    state: Mapping[str, Any],
    tools: Collection[str] | None = None,
) -> tuple[AIMessage, list[ToolMessage]]:
    """The message that chunks of LangChain's make, and the answers to calls that must not be made.

    Args:
        state: What the rules may know.
        tools: Calls of other tools are left alone; None for all.
    """
    found = await watch_calls(chunks, policy, state, tools=tools)
    if not found.chunks:
        raise ValueError("gate: the model's message has no chunk")
    message = _message(found)
    return message, [
        answered(message.tool_calls[at], Decision("deny", why))
        for at, why in sorted(found.denied.items())
    ]


def _message(found: Watched) -> AIMessage:
    """The message with the calls as they were judged, which is how they are made."""
    message = message_chunk_to_message(reduce(add, found.chunks))
    assert isinstance(message, AIMessage)
    update: dict[str, Any] = {
        "tool_calls": [
            {"name": one.name, "args": one.args, "id": one.id or None, "type": "tool_call"}
            for one in found.calls
        ],
        "invalid_tool_calls": [],
    }
    if found.denied:  # what repeats a call would repeat half of one
        extra = message.additional_kwargs
        update["additional_kwargs"] = {key: extra[key] for key in extra if key != "tool_calls"}
        if isinstance(message.content, list):
            update["content"] = [
                one
                for one in message.content
                if not (isinstance(one, dict) and one.get("type") in _CALLS)
            ]
    return message.model_copy(update=update)


def _messages(state: Any) -> Any:
    return state["messages"] if isinstance(state, Mapping) else state.messages


async def one_by_one(chunks: Iterator[Any]) -> AsyncIterator[Any]:
    """A stream that blocks, for an event loop that has nothing else to do."""
    with closing(chunks):  # type: ignore[type-var]
        for chunk in chunks:
            yield chunk
