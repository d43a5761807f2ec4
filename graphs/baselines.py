"""Baselines that every method is compared with (interwhen, section 5).

``direct``: one stream, no monitors, nothing verified.

    prepare -> solve (-> state_answer -> solve) -> finish
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import single, solver, stream_ends
from agentflow.run import Input, Output, RunState
from agentflow.settings import Settings


class DirectSettings(Settings):
    """Settings of the direct baseline: only what every method has."""


def build() -> StateGraph[RunState, DirectSettings, Input, Output]:
    """The direct baseline, not yet compiled."""
    graph = single(DirectSettings)
    graph.add_node("solve", solver())
    stream_ends(graph, lambda run: "finish", ["finish"])
    return graph


graph = compiled(build(), "direct")
