"""self_check: do each step of a given solution anew, without seeing it, and compare.

    read -> premises -> targets -> anew -> compare

A step is easier to do than to judge (SelfCheck, Miao, Teh and Rainforth 2023). The score falls with
every step that is contradicted or not supported; as the critic of ``sampling`` with
``choose=weighted`` it weighs the votes, which is the paper's whole method.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END, START, StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import (
    RETRY,
    StatementSettings,
    View,
    compare_steps,
    do_anew,
    extract_targets,
    premises_for,
    route,
)
from agentflow.nodes.judging import Given, Judged, Solution, behind_read
from agentflow.nodes.self_check import SelfCheckState


def after_premises(run: View[StatementSettings]) -> Literal["targets", "__end__"]:
    """Without premises no step can be done anew."""
    return "__end__" if run.verdict else "targets"


def judging() -> StateGraph[SelfCheckState, StatementSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    graph = StateGraph(
        SelfCheckState, StatementSettings, input_schema=Solution, output_schema=Judged
    )
    graph.add_node("premises", premises_for("self_check"), retry_policy=RETRY)
    graph.add_node("targets", extract_targets, retry_policy=RETRY)
    graph.add_node("anew", do_anew, retry_policy=RETRY)
    graph.add_node("compare", compare_steps, retry_policy=RETRY)
    graph.add_edge(START, "premises")
    listed = route(StatementSettings, after_premises)
    graph.add_conditional_edges("premises", listed, [END, "targets"])
    graph.add_edge("targets", "anew")
    graph.add_edge("anew", "compare")
    graph.add_edge("compare", END)
    return graph


def build() -> StateGraph[SelfCheckState, StatementSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging(), parse=False)


graph = compiled(build(), "self_check")
