"""budget_forcing: think no less and no more than is wanted (s1, Muennighoff et al. 2025).

    prepare -> solve <-> refine
                 |
                 v
               finish

The first ends of the thinking are taken back: ``refine`` puts "Wait" there, and ``solve`` goes on
behind it. Where the thinking grows too long, ``refine`` closes it. Nothing is verified on the way.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import RETRY, View, refine, single, solver, stream_ends
from agentflow.nodes.budget_forcing import BudgetForcingSettings, forcing
from agentflow.run import Input, Output, RunState

__all__ = ["BudgetForcingSettings", "build", "graph"]


def after_solve(run: View[BudgetForcingSettings]) -> Literal["refine", "finish"]:
    """Have the model think on, or answer, where a bound is reached."""
    return "refine" if run.stream.ended == "intervened" else "finish"


def build() -> StateGraph[RunState, BudgetForcingSettings, Input, Output]:
    """The graph, not yet compiled."""
    graph = single(BudgetForcingSettings)
    graph.add_node("solve", solver(forcing, BudgetForcingSettings))
    graph.add_node("refine", refine, retry_policy=RETRY)
    stream_ends(graph, after_solve, ["refine", "finish"])
    graph.add_edge("refine", "solve")
    return graph


graph = compiled(build(), "budget_forcing")
