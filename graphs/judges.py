"""Who judges a sample: the domain, or a verifier that asks a model; each a node of its graph."""

from __future__ import annotations

from typing import Any

from langgraph.graph import StateGraph

from agentflow.graphs import flexive, panel
from agentflow.nodes import RETRY, domain_verify, undecided
from agentflow.nodes.run import Node

JUDGES = (*panel.SEATS, panel, flexive)
"""Verifiers that ask a model."""


def add_judges(graph: StateGraph[Any, Any, Any, Any], following: str, **others: Node) -> list[str]:
    """Add a node for the domain and each of them, by its name, and an edge to ``following``.

    Args:
        others: Nodes that come in addition, or take the place of one of them, by name.

    Returns:
        Their names.
    """
    graph.add_node("domain", domain_verify)
    for name, judge in others.items():
        graph.add_node(name, undecided(judge, name), retry_policy=RETRY)
    for verifier in JUDGES:
        if (name := verifier.graph.name) not in others:
            graph.add_node(name, undecided(panel.judge(verifier), name))
    names = ["domain", *dict.fromkeys([*others, *(one.graph.name for one in JUDGES)])]
    for name in names:
        graph.add_edge(name, following)
    return names
