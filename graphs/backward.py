"""backward: judge a given solution by whether its answer gives the problem's conditions back (paper
004, section 4.1).

    read -> backward
"""

from __future__ import annotations

from langgraph.graph import END, START, StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import RETRY, BackwardSettings, backward
from agentflow.nodes.judging import Given, Judged, JudgingState, Solution, behind_read


def judging() -> StateGraph[JudgingState, BackwardSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    graph = StateGraph(JudgingState, BackwardSettings, input_schema=Solution, output_schema=Judged)
    graph.add_node("backward", backward, retry_policy=RETRY)
    graph.add_edge(START, "backward")
    graph.add_edge("backward", END)
    return graph


def build() -> StateGraph[JudgingState, BackwardSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging())


graph = compiled(build(), "backward")
