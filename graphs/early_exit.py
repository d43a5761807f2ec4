"""early_exit: stop thinking as soon as it has come to its answer (EAT, Algorithm 1).

    prepare -> solve -> refine -> solve -> finish
                 |
                 v
             conclude -> finish

``solve`` streams the thinking; at every check point of the schedule probes beside the stream ask
what the model would answer now, and rules decide. ``refine`` closes the thinking there, and
``solve`` streams the answer. Where the reasoner only chats, it cannot go on from its own thinking:
its stream is stopped, and ``conclude`` asks for the answer in a second call (section 4, black box).
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import RETRY, View, conclude, refine, single, solver, stream_ends
from agentflow.nodes.early_exit import EarlyExitSettings, exits
from agentflow.run import Input, Output, RunState

__all__ = ["EarlyExitSettings", "build", "graph"]


def after_solve(run: View[EarlyExitSettings]) -> Literal["refine", "conclude", "finish"]:
    """Close the thinking where a rule stopped it; or ask anew where that cannot be gone on from."""
    if run.stream.ended != "intervened":
        return "finish"
    return "refine" if run.stream.continues else "conclude"


def build() -> StateGraph[RunState, EarlyExitSettings, Input, Output]:
    """The graph, not yet compiled."""
    graph = single(EarlyExitSettings)
    graph.add_node("solve", solver(exits, EarlyExitSettings))
    graph.add_node("refine", refine, retry_policy=RETRY)
    graph.add_node("conclude", conclude, retry_policy=RETRY)
    stream_ends(graph, after_solve, ["refine", "conclude", "finish"])
    graph.add_edge("refine", "solve")
    graph.add_edge("conclude", "finish")
    return graph


graph = compiled(build(), "early_exit")
