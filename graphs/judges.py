"""Who judges a sample: the domain, or a verifier that asks a model; each a node of its graph."""

from __future__ import annotations

from typing import Any

from langgraph.graph import StateGraph

from agentflow.graphs import (
    aspects,
    backward,
    chain_of_verification,
    confidence,
    critic,
    cross_check,
    deductive,
    fact_check,
    flexive,
    mutual_consistency,
    prm,
    reconstruction,
    self_check,
    vanilla,
    verifiagent,
)
from agentflow.nodes import RETRY, domain_verify, undecided
from agentflow.nodes.run import Node

JUDGES = (
    verifiagent,
    vanilla,
    critic,
    confidence,
    aspects,
    deductive,
    backward,
    chain_of_verification,
    fact_check,
    self_check,
    cross_check,
    mutual_consistency,
    reconstruction,
    flexive,
    prm,
)
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
            graph.add_node(name, undecided(verifier.judging().compile(name=name), name))
    names = ["domain", *dict.fromkeys([*others, *(one.graph.name for one in JUDGES)])]
    for name in names:
        graph.add_edge(name, following)
    return names
