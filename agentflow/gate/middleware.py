"""The gate in LangChain's agents; needs the extra ``gate``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AIMessage, ToolMessage

from agentflow.gate.nodes import View, answered, approved, decide, seen_by, without_messages
from agentflow.gate.policy import Decision, Policy
from agentflow.gate.watched import one_by_one, watched_message
from agentflow.own_loop import in_a_loop


class GateMiddleware(AgentMiddleware):
    """Judges every tool call of an agent of ``langchain.agents.create_agent``: as it is written,
    and again before it is made.

    The model's message ends where a call is denied for certain; the reason answers the call, and
    the agent goes on. Give it as the last of the middleware: what stands behind it could change a
    judged call.

    Args:
        policy: Judges the calls.
        view: What the rules may know of the agent's state.
        as_written: Whether the model is streamed, and calls are judged as they are written.
    """

    def __init__(
        self, policy: Policy, view: View = without_messages, as_written: bool = True
    ) -> None:
        super().__init__()
        self.policy = policy
        self.view = view
        self.as_written = as_written

    def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Ask the model, and end its message where a call is denied for certain."""
        if not self.as_written:
            return handler(request)
        watched = self._watched(request)
        return watched.with_answers(handler(request.override(model=watched)))

    async def awrap_model_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """The same for an agent that is awaited."""
        if not self.as_written:
            return await handler(request)
        watched = await asyncio.to_thread(self._watched, request)
        return watched.with_answers(await handler(request.override(model=watched)))

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Call the tool, or answer in its place."""
        decision = self._decision(request)
        if self._stopped(request.tool_call, decision):
            return answered(request.tool_call, decision)
        return handler(request)

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """The same for an agent that is awaited."""
        decision = await asyncio.to_thread(self._decision, request)
        if self._stopped(request.tool_call, decision):
            return answered(request.tool_call, decision)
        return await handler(request)

    def _watched(self, request: Any) -> _Model:
        # What the agent's answer is formatted by looks like a tool, and is none.
        tools = {one.name for one in request.tools if hasattr(one, "name")}
        known = seen_by(self.policy, request.state, self.view)

        def read(chunks: AsyncIterator[Any]) -> Awaitable[tuple[AIMessage, list[ToolMessage]]]:
            return watched_message(chunks, *known, tools)

        return _Model(request.model, read, [])

    def _decision(self, request: Any) -> Decision:
        """By all calls of the message: one alone cannot tell that it is one of several."""
        messages = request.state["messages"]
        message = next(one for one in reversed(messages) if isinstance(one, AIMessage))
        decisions = decide(self.policy, request.state, message.tool_calls, self.view)
        for call, decision in zip(message.tool_calls, decisions, strict=True):
            if all(call[key] == request.tool_call[key] for key in ("id", "name", "args")):
                return decision
        return Decision("deny", "the call is not the one in the model's message")

    def _stopped(self, call: Any, decision: Decision) -> bool:
        if decision.outcome == "ask":
            return call["id"] not in approved([(call, decision)])
        return decision.outcome != "allow"


class _Model:
    """A chat model whose messages are watched, as far as an agent uses it."""

    def __init__(
        self,
        model: Any,
        read: Callable[[AsyncIterator[Any]], Awaitable[tuple[AIMessage, list[ToolMessage]]]],
        answers: list[ToolMessage],
    ) -> None:
        self._model, self._read, self._answers = model, read, answers

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def bind_tools(self, tools: Any, **options: Any) -> _Model:
        """The model with tools."""
        return _Model(self._model.bind_tools(tools, **options), self._read, self._answers)

    def bind(self, **options: Any) -> _Model:
        """The model with options."""
        return _Model(self._model.bind(**options), self._read, self._answers)

    def invoke(self, messages: Any, config: Any = None) -> AIMessage:
        """The model's message; the answers to its calls are kept."""
        chunks = self._model.stream(messages, config)
        return self._kept(in_a_loop(lambda: self._read(one_by_one(chunks))))

    async def ainvoke(self, messages: Any, config: Any = None) -> AIMessage:
        """The same for an agent that is awaited."""
        return self._kept(await self._read(self._model.astream(messages, config)))

    def _kept(self, said: tuple[AIMessage, list[ToolMessage]]) -> AIMessage:
        message, self._answers[:] = said
        return message

    def with_answers(self, response: Any) -> Any:
        """An agent's response with the answers behind the message."""
        response.result.extend(self._answers)
        return response
