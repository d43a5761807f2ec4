"""A call of a tool that a model chose, on LangGraph's ToolNode."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from time import monotonic
from typing import Any

from langchain_core.messages import AIMessage, ToolCall, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from agentflow.configurable import TOOLS_KEY
from agentflow.domains import Domain
from agentflow.errors import BadInput
from agentflow.nodes.context import configured
from agentflow.nodes.tool_log import ToolLog
from agentflow.settings import Settings
from agentflow.tools.toolbox import Limit, Use, build, gave_up, said, taken
from agentflow.verifiers.actions import TOOLS

DEFAULTS = {"python": "sandbox", "z3": "sandbox", "search": "web"}
"""Role -> backend, where neither the domain nor the run chooses another."""

MAX_OBSERVATION = 2000
"""Characters of what a tool said that are kept, and shown; of a short context fewer."""

_EMPTY = ("", "null", "{}", "[]")
"""What a tool says that has nothing to say."""

Answer = ToolMessage | Command[Any]


async def tools_of(settings: Settings, domain: Domain) -> dict[str, BaseTool]:
    """The tools that a model may call, by role; each is called by its role's name.

    Raises:
        BadInput: If one of them is not there.
    """
    given = configured(TOOLS_KEY) or {}
    chosen = {**DEFAULTS, **domain.tools, **settings.tools, **given}
    try:
        built = await asyncio.to_thread(build, {role: chosen[role] for role in DEFAULTS})
    except ValueError as error:
        raise BadInput(f"the tools of a verifier: {error}") from error
    return {role: tool.model_copy(update={"name": role}) for role, tool in built.items()}


@dataclass(frozen=True, slots=True)
class Called:
    """What came of a call.

    Attributes:
        use: The call. One that was made before is not made again: it is the answer of then.
        repeated: Whether it was.
    """

    use: Use
    repeated: bool


async def call_tool(
    tools: Mapping[str, BaseTool],
    call: ToolCall,
    earlier: Sequence[Mapping[str, Any]],
    notify: Callable[[Use], None],
    limit: Limit = nullcontext,
) -> Called:
    """Call a tool; whatever it does, this does not raise for it. Runs inside a node.

    Args:
        earlier: Calls made before, each with ``tool``, ``arguments`` and ``observation``.
        notify: Told of a call that was made.
        limit: As of :class:`~agentflow.tools.toolbox.Toolbox`.
    """
    called: list[Called] = []

    async def once(
        request: ToolCallRequest, execute: Callable[[ToolCallRequest], Awaitable[Answer]]
    ) -> Answer:
        asked, started = request.tool_call, monotonic()
        name, arguments = asked["name"], asked["args"]
        for one in earlier:
            if (one["tool"], one["arguments"]) == (name, arguments):
                called.append(Called(Use(name, name, arguments, one["observation"]), True))
                return ToolMessage(one["observation"], name=name, tool_call_id=asked["id"])
        try:
            async with limit():
                if name in tools:
                    asked = {**asked, "args": taken(tools[name], arguments)}
                message = await execute(request.override(tool_call=asked))
        except TimeoutError as raised:
            why = _raised(raised)
            message = ToolMessage(why, name=name, tool_call_id=asked["id"], status="error")
        except asyncio.CancelledError as raised:
            if not gave_up(raised):
                notify(Use(name, name, arguments, "", None, True, monotonic() - started))
                raise
            why = f"CancelledError: {raised}"
            message = ToolMessage(why, name=name, tool_call_id=asked["id"], status="error")
        if not isinstance(message, ToolMessage):  # a tool of somebody's that steers graphs
            why = "it gave no answer but a command, which is not followed"
            message = ToolMessage(why, name=name, tool_call_id=asked["id"], status="error")
        failed = message.status == "error"
        seconds = monotonic() - started
        content, artifact = said(message)
        use = Use(name, name, arguments, content, artifact, failed, seconds)
        notify(use)
        called.append(Called(use, False))
        return message

    node = ToolNode(list(tools.values()), handle_tool_errors=_raised, awrap_tool_call=once)
    await node.ainvoke({"messages": [AIMessage("", tool_calls=[call])]})
    return called[0]


async def use_of(
    tools: Mapping[str, BaseTool], role: str, given: str, log: ToolLog, **more: Any
) -> Use:
    """One call of the tool that has a role, made anew in any case.

    Args:
        given: Its argument: a program, or what is searched for.
        more: Others, which it is given if it takes them.
    """
    arguments = {TOOLS[role][1]: given, **more}
    call: ToolCall = {"name": role, "args": arguments, "id": "0", "type": "tool_call"}
    return (await call_tool(tools, call, (), log, log.limit)).use


def told_by(use: Use) -> str:
    """What a tool says, as far as that is anything."""
    return use.content if use.content.strip() not in _EMPTY else ""


def _raised(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
