"""The gate as middleware of LangChain's agents; needs the extra ``gate``."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AIMessage

from agentflow.gate.nodes import View, answered, decide, said_yes, without_messages
from agentflow.gate.policy import Decision, Policy


class GateMiddleware(AgentMiddleware):
    """Judges every tool call of an agent of ``langchain.agents.create_agent`` before it is made.

    Give it as the last of the middleware: what stands behind it could change a judged call.

    Args:
        policy: Judges the calls.
        view: What the rules may know of the agent's state.
    """

    def __init__(self, policy: Policy, view: View = without_messages) -> None:
        super().__init__()
        self.policy = policy
        self.view = view

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
            return call["id"] not in said_yes([(call, decision)])
        return decision.outcome != "allow"
