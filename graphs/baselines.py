"""Baselines that every method is compared with (paper 000, section 5).

``direct``: one stream, no monitors, nothing verified.

    prepare -> solve (-> state_answer -> solve) -> finish
"""

from __future__ import annotations

from langgraph.graph import END, START, StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import RETRY, declined, finish, prepare, solver, stream_ends
from agentflow.run import Input, Output, RunState
from agentflow.settings import Settings


class DirectSettings(Settings):
    """Settings of the direct baseline: only what every method has."""


def build() -> StateGraph[RunState, DirectSettings, Input, Output]:
    """The direct baseline, not yet compiled."""
    graph = StateGraph(RunState, DirectSettings, input_schema=Input, output_schema=Output)
    graph.add_node("prepare", prepare, retry_policy=RETRY)
    graph.add_node("solve", solver())
    graph.add_node("finish", finish)
    graph.add_edge(START, "prepare")
    graph.add_conditional_edges("prepare", declined, ["solve", "finish"])
    stream_ends(graph, lambda state: "finish", ["finish"])
    graph.add_edge("finish", END)
    return graph


graph = compiled(build(), "direct")
