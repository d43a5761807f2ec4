"""deductive: judge each step of a given solution by its premises alone (VerifiAgent, 4.1).

read -> premises -> deduce
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END, START, StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import RETRY, DeductiveSettings, View, deduce, premises, route
from agentflow.nodes.deductive import DeductiveState
from agentflow.nodes.judging import Given, Judged, Solution, behind_read


def after_premises(run: View[DeductiveSettings]) -> Literal["deduce", "__end__"]:
    """Without premises nothing can be judged."""
    return "__end__" if run.verdict else "deduce"


def judging() -> StateGraph[DeductiveState, DeductiveSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    graph = StateGraph(
        DeductiveState, DeductiveSettings, input_schema=Solution, output_schema=Judged
    )
    graph.add_node("premises", premises, retry_policy=RETRY)
    graph.add_node("deduce", deduce, retry_policy=RETRY)
    graph.add_edge(START, "premises")
    graph.add_conditional_edges(
        "premises", route(DeductiveSettings, after_premises), [END, "deduce"]
    )
    graph.add_edge("deduce", END)
    return graph


def build() -> StateGraph[DeductiveState, DeductiveSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging(), parse=False)


graph = compiled(build(), "deductive")
