"""Domains by name: ours, and those of installed packages.

A package brings a domain by an entry point of the group ``agentflow.domains`` (its name is the
domain's, its value ``module:Class``); a program that needs no other process to know it puts the
class into :data:`DOMAINS`.

:mod:`~agentflow.domains.protocol` is the contract; a domain is a file or a folder. What a text
states to be the answer is read by the package ``answers``, of which
``conclusions`` reads what is concluded of a subject. Long lists of words stand beside their
readers, as TOML.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from langchain_core.tools import BaseTool

from agentflow.domains.protocol import Domain
from agentflow.errors import BadInput, known
from agentflow.installed import installed, loaded
from agentflow.tools.toolbox import Toolbox, Use, build

if TYPE_CHECKING:  # else a module is loaded when its class is asked for
    from agentflow.domains.calls import Calls
    from agentflow.domains.commonsense import Commonsense
    from agentflow.domains.game24 import Game24
    from agentflow.domains.logic import Logic
    from agentflow.domains.math import Math
    from agentflow.domains.maze import Maze
    from agentflow.domains.open import Open
    from agentflow.domains.python import Python
    from agentflow.domains.spatialmap import SpatialMap
    from agentflow.domains.verina import Verina
    from agentflow.domains.zebra import Zebra

__all__ = [
    "DOMAINS",
    "FAMILIES",
    "Calls",
    "Commonsense",
    "Domain",
    "Game24",
    "Logic",
    "Math",
    "Maze",
    "Open",
    "Python",
    "SpatialMap",
    "Verina",
    "Zebra",
    "get",
    "kind",
    "names",
]

DOMAINS: dict[str, str | type[Domain]] = {
    "game24": "Game24",
    "math": "Math",
    "logic": "Logic",
    "commonsense": "Commonsense",
    "maze": "Maze",
    "spatialmap": "SpatialMap",
    "zebra": "Zebra",
    "verina": "Verina",
    "python": "Python",
    "calls": "Calls",
    "open": "Open",
}
"""Domain -> its class. Of ours only the name of the class, in the module of the domain's name: that
is loaded when it is asked for. A program enters classes of its own."""

FAMILIES = {"gym": "agentflow.domains.gym"}
"""What a name begins with (``gym:countdown``) -> the module with ``kind(name)`` of such domains."""


_GROUP = "agentflow.domains"


def __getattr__(name: str) -> Any:
    for domain, named in DOMAINS.items():
        if named == name:
            return _ours(domain, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def names() -> list[str]:
    """What :func:`kind` knows: ours first."""
    return list(dict.fromkeys([*DOMAINS, *installed(_GROUP)]))


def kind(name: str) -> type[Domain]:
    """The class of the domain called ``name``; one of ours is never replaced.

    A name such as ``gym:countdown?seed=1`` is one of a family, which makes its domains by name.

    Raises:
        BadInput: If there is no such domain, or the package that has it cannot be used.
    """
    if (entered := DOMAINS.get(name)) is not None:
        if isinstance(entered, str):
            return _ours(name, entered)
        return _seen(name, entered, f"DOMAINS[{name!r}]")
    family, colon, _ = name.partition(":")
    if colon and family in FAMILIES:
        made: type[Domain] = import_module(FAMILIES[family]).kind(name)
        return made
    if name not in installed(_GROUP):
        tasks = (f"{family}:TASK" for family in FAMILIES)
        there = known(name, [*names(), *tasks], _GROUP)
        raise BadInput(f"unknown domain {name!r}; {there}")
    point = installed(_GROUP)[name]
    found: type[Domain] = loaded(f"domain {name}: {point.value}", point.load)
    _seen(name, found, point.value, "description", "example")
    if getattr(found, "name", None) != name:  # by which a problem finds its domain again
        raise BadInput(f"domain {name}: {point.value} must have the attribute name = {name!r}")
    return found


def _ours(name: str, class_name: str) -> type[Domain]:
    ours: type[Domain] = getattr(import_module(f"{__name__}.{name}"), class_name)
    return ours


def _seen(name: str, found: Any, what: str, *told: str) -> type[Domain]:
    """
    Args:
        told: Attributes that it needs.

    Raises:
        BadInput: If it is no class of a domain, or lacks a method or an attribute.
    """
    if isinstance(found, Domain):
        raise BadInput(
            f"domain {name}: {what} is a {type(found).__name__}; give the class itself, without ()"
        )
    if not (isinstance(found, type) and issubclass(found, Domain)):
        raise BadInput(f"domain {name}: {what} must inherit from agentflow.domains.Domain")
    lacking = [one for one in told if not hasattr(found, one)]
    if missing := [*sorted(found.__abstractmethods__), *lacking]:
        raise BadInput(f"domain {name}: {what} lacks {', '.join(missing)}")
    return found


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
    found = kind(name)
    try:
        built = build(found.tools, tools)
    except ValueError as error:
        raise BadInput(f"the tools of domain {name}: {error}") from error
    return found(Toolbox(built, notify))
