"""Domains by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from langchain_core.tools import BaseTool

from agentflow.domains.commonsense import Commonsense
from agentflow.domains.game24 import Game24
from agentflow.domains.logic import Logic
from agentflow.domains.math import Math
from agentflow.domains.protocol import Domain
from agentflow.errors import BadInput
from agentflow.tools.toolbox import Toolbox, Use, build

__all__ = ["DOMAINS", "Commonsense", "Domain", "Game24", "Logic", "Math", "get"]

DOMAINS: dict[str, type[Domain]] = {kind.name: kind for kind in (Game24, Math, Logic, Commonsense)}


def get(
    name: str,
    tools: Mapping[str, str | BaseTool] | None = None,
    notify: Callable[[Use], None] = lambda use: None,
) -> Domain:
    """The domain called ``name``, with its tools.

    Args:
        tools: What takes the place of its own: role -> backend or tool.
        notify: Told of every call of a tool.

    Raises:
        BadInput: If there is no such domain or backend, or the backend cannot be used.
    """
    if name not in DOMAINS:
        raise BadInput(f"unknown domain {name!r}; known: {', '.join(DOMAINS)}")
    kind = DOMAINS[name]
    try:
        built = build(kind.tools, tools)
    except ValueError as error:
        raise BadInput(f"the tools of domain {name}: {error}") from error
    return kind(Toolbox(built, notify))
