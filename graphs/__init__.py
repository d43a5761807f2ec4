"""Methods by name; each is a state graph, loaded when it is asked for.

A package brings a method by an entry point of the group ``agentflow.methods``: its name is the
method's, its value the module that has the ``graph``.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from types import ModuleType

from agentflow import errors
from agentflow.errors import BadInput
from agentflow.installed import installed, loaded
from agentflow.settings import Settings

DEFAULT = "unified"
"""The method that is used where none is named: of ours the most accurate for its tokens."""

METHODS = {
    "active_retrieval": "agentflow.graphs.active_retrieval",
    "adaptive_branching": "agentflow.graphs.adaptive_branching",
    "adaptive_compute": "agentflow.graphs.adaptive_compute",
    "alpha_one": "agentflow.graphs.alpha_one",
    "budget_forcing": "agentflow.graphs.budget_forcing",
    "cot_decoding": "agentflow.graphs.cot_decoding",
    "cumulative_reasoning": "agentflow.graphs.cumulative_reasoning",
    "deepconf": "agentflow.graphs.deepconf",
    "direct": "agentflow.graphs.baselines",
    "early_exit": "agentflow.graphs.early_exit",
    "generate_test": "agentflow.graphs.generate_test",
    "interwhen": "agentflow.graphs.interwhen",
    "learning_from_peers": "agentflow.graphs.learning_from_peers",
    "program_aided": "agentflow.graphs.program_aided",
    "sampling": "agentflow.graphs.sampling",
    "self_aggregation": "agentflow.graphs.self_aggregation",
    "solve_detect_verify": "agentflow.graphs.solve_detect_verify",
    "speculative_reasoning": "agentflow.graphs.speculative_reasoning",
    "thought_switching": "agentflow.graphs.thought_switching",
    "tool_integrated": "agentflow.graphs.tool_integrated",
    "tournament": "agentflow.graphs.tournament",
    "tree_of_thoughts": "agentflow.graphs.tree_of_thoughts",
    "unified": "agentflow.graphs.unified",
    "verified_sampling": "agentflow.graphs.verified_sampling",
}
"""Method name -> module with ``build()``, ``graph`` and a settings class. A program may enter
its own, which need ``graph`` alone."""

VERIFIERS = {
    "aspects": "agentflow.graphs.aspects",
    "backward": "agentflow.graphs.backward",
    "chain_of_verification": "agentflow.graphs.chain_of_verification",
    "confidence": "agentflow.graphs.confidence",
    "critic": "agentflow.graphs.critic",
    "cross_check": "agentflow.graphs.cross_check",
    "deductive": "agentflow.graphs.deductive",
    "fact_check": "agentflow.graphs.fact_check",
    "flexive": "agentflow.graphs.flexive",
    "mutual_consistency": "agentflow.graphs.mutual_consistency",
    "panel": "agentflow.graphs.panel",
    "prm": "agentflow.graphs.prm",
    "reconstruction": "agentflow.graphs.reconstruction",
    "self_check": "agentflow.graphs.self_check",
    "vanilla": "agentflow.graphs.vanilla",
    "verifiagent": "agentflow.graphs.verifiagent",
}
"""Graphs that judge a given solution instead of finding one: name -> module, as above."""


_DOES = {
    "verifier": "it judges a given solution, and finds none",
    "method": "it finds a solution, and judges none that is given",
}


_GROUP = "agentflow.methods"


def methods() -> dict[str, str]:
    """Every method: ours and those a program entered first, then those of installed packages."""
    others = {name: point.value for name, point in installed(_GROUP).items()}
    return METHODS | {name: at for name, at in others.items() if name not in METHODS | VERIFIERS}


def get(name: str) -> ModuleType:
    """The module of a method.

    Raises:
        BadInput: If there is no such method.
    """
    return _module("method", methods(), name)


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
    return verifier(name) if isinstance(name, str) and name in VERIFIERS else get(name)


def _module(what: str, known: dict[str, str], name: str) -> ModuleType:
    if not isinstance(name, str):  # a graph, or its module
        raise BadInput(
            f"{name!r:.60} is no {what}; give its name as a text (`agentflow {what}s` lists them)"
        )
    if name not in known and name in {*VERIFIERS, *methods()}:
        other = "verifier" if what == "method" else "method"
        use = f"agentflow judge {name}" if what == "method" else f"agentflow solve --method {name}"
        raise BadInput(f"{name!r} is a {other}, no {what}: {_DOES[other]} (`{use} ...`)")
    if name not in known:
        group = _GROUP if what == "method" else ""
        raise BadInput(f"unknown {what} {name!r}; {errors.known(name, known, group)}")
    if not isinstance(known[name], str):
        raise BadInput(
            f"METHODS[{name!r}] is a {type(known[name]).__name__}; enter the name of the module "
            "that has it as `graph` (__name__ in that module)"
        )
    if name in METHODS or name in VERIFIERS:
        return import_module(known[name])
    found: ModuleType = loaded(f"{what} {name}: {known[name]}", partial(import_module, known[name]))
    schema = getattr(
        getattr(getattr(found, "graph", None), "builder", None), "context_schema", None
    )
    if not (isinstance(schema, type) and issubclass(schema, Settings)):
        raise BadInput(
            f"{what} {name}: {known[name]} needs a compiled StateGraph named graph, whose context "
            "schema inherits from agentflow.settings.Settings"
        )
    return found
