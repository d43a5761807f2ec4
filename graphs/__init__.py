"""Methods by name; each is a state graph, loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from agentflow.errors import BadInput

METHODS = {
    "adaptive_compute": "agentflow.graphs.adaptive_compute",
    "direct": "agentflow.graphs.baselines",
    "early_exit": "agentflow.graphs.early_exit",
    "generate_test": "agentflow.graphs.generate_test",
    "interwhen": "agentflow.graphs.interwhen",
    "sampling": "agentflow.graphs.sampling",
    "solve_detect_verify": "agentflow.graphs.solve_detect_verify",
    "tree_of_thoughts": "agentflow.graphs.tree_of_thoughts",
    "verified_sampling": "agentflow.graphs.verified_sampling",
}
"""Method name -> module with ``build()``, ``graph`` and a settings class. A program may enter
its own, which need ``graph`` alone."""

VERIFIERS = {
    "backward": "agentflow.graphs.backward",
    "critic": "agentflow.graphs.critic",
    "deductive": "agentflow.graphs.deductive",
    "flexive": "agentflow.graphs.flexive",
    "vanilla": "agentflow.graphs.vanilla",
    "verifiagent": "agentflow.graphs.verifiagent",
}
"""Graphs that judge a given solution instead of finding one: name -> module, as above."""


def get(name: str) -> ModuleType:
    """The module of a method.

    Raises:
        BadInput: If there is no such method.
    """
    return _module("method", METHODS, name)


def verifier(name: str) -> ModuleType:
    """The module of a verifier.

    Raises:
        BadInput: If there is no such verifier.
    """
    return _module("verifier", VERIFIERS, name)


def module(name: str) -> ModuleType:
    """The module of a method or of a verifier.

    Raises:
        BadInput: If there is neither.
    """
    return verifier(name) if name in VERIFIERS else get(name)


def _module(what: str, known: dict[str, str], name: str) -> ModuleType:
    if name not in known:
        raise BadInput(f"unknown {what} {name!r}; known: {', '.join(known)}")
    return import_module(known[name])
