"""critic: score a given solution as a whole (paper 000, section 5.3).

read -> critic
"""

from __future__ import annotations

from langgraph.graph import END, START, StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import RETRY, CriticSettings, critic
from agentflow.nodes.judging import Given, Judged, JudgingState, Solution, behind_read


def judging() -> StateGraph[JudgingState, CriticSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    graph = StateGraph(JudgingState, CriticSettings, input_schema=Solution, output_schema=Judged)
    graph.add_node("critic", critic, retry_policy=RETRY)
    graph.add_edge(START, "critic")
    graph.add_edge("critic", END)
    return graph


def build() -> StateGraph[JudgingState, CriticSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging(), parse=False)


graph = compiled(build(), "critic")
