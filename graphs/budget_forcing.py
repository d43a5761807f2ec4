"""budget_forcing: think no less and no more than is wanted (s1, Muennighoff et al. 2025).

    prepare -> solve <-> refine
                 |
                 v
               finish

The first ends of the thinking are taken back: ``refine`` puts "Wait" there, and ``solve`` goes on
behind it. Where the thinking grows too long, ``refine`` closes it. Nothing is verified on the way.
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import refined
from agentflow.nodes.budget_forcing import BudgetForcingSettings, forcing
from agentflow.run import Input, Output, RunState

__all__ = ["BudgetForcingSettings", "build", "graph"]


def build() -> StateGraph[RunState, BudgetForcingSettings, Input, Output]:
    """The graph, not yet compiled."""
    return refined(BudgetForcingSettings, forcing)


graph = compiled(build(), "budget_forcing")
