"""deductive: judge each step of a given solution by its premises alone (VerifiAgent, 4.1).

read -> premises -> deduce
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END, START, StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import RETRY, StatementSettings, View, deduce, premises_for, route
from agentflow.nodes.judging import Given, Judged, Solution, behind_read
from agentflow.nodes.premises import StatementState


def after_premises(run: View[StatementSettings]) -> Literal["deduce", "__end__"]:
    """Without premises nothing can be judged."""
    return "__end__" if run.verdict else "deduce"


def judging() -> StateGraph[StatementState, StatementSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    graph = StateGraph(
        StatementState, StatementSettings, input_schema=Solution, output_schema=Judged
    )
    graph.add_node("premises", premises_for("deductive"), retry_policy=RETRY)
    graph.add_node("deduce", deduce, retry_policy=RETRY)
    graph.add_edge(START, "premises")
    graph.add_conditional_edges(
        "premises", route(StatementSettings, after_premises), [END, "deduce"]
    )
    graph.add_edge("deduce", END)
    return graph


def build() -> StateGraph[StatementState, StatementSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging(), parse=False)


graph = compiled(build(), "deductive")
