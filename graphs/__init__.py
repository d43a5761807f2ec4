"""Methods by name; each is a state graph, loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from agentflow.errors import BadInput

METHODS = {
    "direct": "agentflow.graphs.baselines",
    "early_exit": "agentflow.graphs.early_exit",
    "interwhen": "agentflow.graphs.interwhen",
    "solve_detect_verify": "agentflow.graphs.solve_detect_verify",
}
"""Method name -> module with ``build()``, ``graph`` and a settings class."""

VERIFIERS = {"flexive": "agentflow.graphs.flexive"}
"""Graphs that judge a given solution instead of finding one: name -> module, as above."""


def get(name: str) -> ModuleType:
    """The module of a method.

    Raises:
        BadInput: If there is no such method.
    """
    if name not in METHODS:
        raise BadInput(f"unknown method {name!r}; known: {', '.join(METHODS)}")
    return import_module(METHODS[name])
