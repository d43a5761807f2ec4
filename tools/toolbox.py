"""A domain's tools by role: built by name, swapped for any other LangChain tool, called as data."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from time import monotonic
from typing import Any

from langchain_core.tools import BaseTool

BACKENDS: dict[str, dict[str, str]] = {
    "python": {"sandbox": "agentflow.tools.sandbox.tool:python_within"},
    "z3": {"sandbox": "agentflow.tools.z3_tool:z3_within"},
    "search": {
        "web": "agentflow.tools.search:web_search",
        "local": "agentflow.tools.search:local_search",
        "off": "agentflow.tools.search:no_search",
    },
    "equality": {"math_verify": "agentflow.tools.equality:equality_tool"},
    "lean": {"local": "agentflow.tools.lean:lean_tool"},
}
"""Role -> backend -> the function that makes the tool; it is imported when it is wanted."""

BY_MODEL = ("equality", "extract")
"""Roles whose tool may be a model of the run (``model`` or ``model:ROLE``), where a domain has none
of its own: who runs it brings the tool, and without one there is none."""


MAX_CONTENT, MAX_ARTIFACT = 100_000, 1_000_000
"""Characters of a tool's text, and of its data as JSON."""


class UnknownTool(ValueError):
    """A role or a backend that is not there; says which are."""


@dataclass(frozen=True, slots=True)
class Use:
    """One call of a tool.

    Attributes:
        role: What the tool was called as.
        tool: Its own name.
        arguments: What it was given.
        content: What it says to a model, cut to ``MAX_CONTENT`` characters.
        artifact: What it gives a program: plain JSON. None where the tool has nothing but text, and
            where what it gave is no JSON, or more than ``MAX_ARTIFACT`` characters of it: it
            stands in events and in checkpoints.
        error: Whether the tool failed to do its work (it raised); what it found is no error.
        seconds: How long it took.
    """

    role: str
    tool: str
    arguments: dict[str, Any]
    content: str
    artifact: Any = None
    error: bool = False
    seconds: float = 0.0

    @property
    def fields(self) -> dict[str, Any]:
        """The artifact where it is a JSON object; else none."""
        return self.artifact if isinstance(self.artifact, dict) else {}

    def __post_init__(self) -> None:
        if not _is_json(self.artifact):
            object.__setattr__(self, "artifact", None)
        if len(self.content) > MAX_CONTENT:
            object.__setattr__(self, "content", f"{self.content[:MAX_CONTENT]} ... (cut)")


def _is_json(value: Any) -> bool:
    try:
        return len(json.dumps(value, allow_nan=False)) <= MAX_ARTIFACT
    except (TypeError, ValueError, RecursionError):
        return False


Limit = Callable[[], AbstractAsyncContextManager[Any]]


class Toolbox:
    """Tools by role.

    Args:
        tools: Any LangChain tools; one that takes the place of ours should take its arguments and
            return its artifact, and is otherwise read by its text. It is given those that it
            takes; one that takes a single argument is given the first, whatever its name.
        notify: Told of every call that ended.

    Attributes:
        limit: Makes what is around every call: it raises TimeoutError to end one.
    """

    def __init__(
        self, tools: Mapping[str, BaseTool], notify: Callable[[Use], None] = lambda use: None
    ) -> None:
        self.tools = dict(tools)
        self.notify = notify
        self.limit: Limit = nullcontext

    async def use(self, role: str, **arguments: Any) -> Use:
        """Call the tool that has a role; whatever the tool does, this does not raise for it.

        Raises:
            UnknownTool: If no tool has the role.
        """
        if role not in self.tools:
            known = ", ".join(self.tools) or "none"
            raise UnknownTool(f"no tool has the role {role!r}; there are: {known}")
        tool, started = self.tools[role], monotonic()
        arguments = taken(tool, arguments)
        call = {"type": "tool_call", "id": role, "name": tool.name, "args": arguments}

        def used(content: str, artifact: Any = None, *, error: bool = False) -> Use:
            seconds = monotonic() - started
            use = Use(role, tool.name, arguments, content, artifact, error, seconds)
            self.notify(use)
            return use

        try:
            async with self.limit():
                message = await tool.ainvoke(call)
        except Exception as raised:  # a tool may raise anything: that is its answer
            return used(f"{type(raised).__name__}: {raised}", error=True)
        except BaseException as raised:  # cancelled: it took its time all the same
            use = used(f"{type(raised).__name__}: {raised}", error=True)
            if gave_up(raised):
                return use
            raise
        content, artifact = said(message)
        return used(content, artifact, error=getattr(message, "status", "success") == "error")


def said(message: Any) -> tuple[str, Any]:
    """A tool's text and its data; those of a server's tool (MCP) as they were before LangChain's
    adapter wrapped them: in blocks, and as ``{"structured_content": ...}``, which is
    ``{"result": ...}`` where the tool gave no object."""
    content = message.content
    if isinstance(content, list):
        texts = (part if isinstance(part, str) else part.get("text") for part in content)
        content = "\n".join(text for text in texts if isinstance(text, str))
    artifact = getattr(message, "artifact", None)
    if isinstance(artifact, dict) and isinstance(data := artifact.get("structured_content"), dict):
        artifact = None if data.keys() == {"result"} else data
    return str(content), artifact


def taken(tool: BaseTool, arguments: dict[str, Any]) -> dict[str, Any]:
    """Of the arguments those that a tool takes; all where it does not say which."""
    takes = tool.args
    found = {name: value for name, value in arguments.items() if name in takes}
    if len(takes) == 1 and not found:
        return dict(zip(takes, arguments.values(), strict=False))
    return found or arguments


def gave_up(raised: BaseException) -> bool:
    """Whether a tool raised a cancellation of its own, which is its answer: nobody cancelled the
    task that called it."""
    task = asyncio.current_task()
    own = isinstance(raised, asyncio.CancelledError)
    return own and task is not None and not task.cancelling()


_CLOSE = 0.8
"""How much two names have in common, of which one is the other misspelled."""


def build(
    roles: Mapping[str, str], chosen: Mapping[str, str | BaseTool] | None = None
) -> dict[str, BaseTool]:
    """The tools for ``roles``.

    Args:
        roles: Role -> backend, ``NAME`` or ``NAME:ARGUMENT`` (``local:docs/``,
            ``sandbox:30``).
        chosen: What takes the place of some: another backend, or a tool. Further roles are
            added.

    Raises:
        UnknownTool: If there is no such role or backend, or a further role is one misspelled.
        ValueError: If a backend cannot use its argument.
    """
    known = {*roles, *BACKENDS, *BY_MODEL}
    for role in {*(chosen or {})} - known:
        if meant := get_close_matches(role, known, 1, _CLOSE):
            raise UnknownTool(f"no tool is called {role!r}; is {meant[0]!r} meant?")
    return {
        role: _made(role, given) if isinstance(given, str) else given
        for role, given in {**roles, **(chosen or {})}.items()
        if role in roles or not _by_model(role, given)
    }


def _by_model(role: str, given: str | BaseTool) -> bool:
    return role in BY_MODEL and isinstance(given, str) and given.partition(":")[0] == "model"


def _made(role: str, backend: str) -> BaseTool:
    name, _, argument = backend.partition(":")
    if role not in (*BACKENDS, *BY_MODEL):
        raise UnknownTool(f"no tool is called {role!r}; there are: {', '.join(BACKENDS)}")
    if role not in BACKENDS:
        raise UnknownTool(f"the tool {role!r} has no backend {name!r}; there is: model")
    if name not in BACKENDS[role]:
        known = ", ".join(BACKENDS[role])
        raise UnknownTool(f"the tool {role!r} has no backend {name!r}; there are: {known}")
    module, _, function = BACKENDS[role][name].partition(":")
    make: Callable[..., BaseTool] = getattr(import_module(module), function)
    return make(argument) if argument else make()
