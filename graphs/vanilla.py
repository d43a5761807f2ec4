"""vanilla: judge a given solution by one structured question (paper 004, section 4.1).

read -> vanilla
"""

from __future__ import annotations

from langgraph.graph import END, START, StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import RETRY, vanilla
from agentflow.nodes.judging import Given, Judged, JudgingState, Solution, behind_read
from agentflow.settings import Settings


class VanillaSettings(Settings):
    """Settings of vanilla: only what every method has."""


def judging() -> StateGraph[JudgingState, VanillaSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    graph = StateGraph(JudgingState, VanillaSettings, input_schema=Solution, output_schema=Judged)
    graph.add_node("vanilla", vanilla, retry_policy=RETRY)
    graph.add_edge(START, "vanilla")
    graph.add_edge("vanilla", END)
    return graph


def build() -> StateGraph[JudgingState, VanillaSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging(), parse=False)


graph = compiled(build(), "vanilla")
