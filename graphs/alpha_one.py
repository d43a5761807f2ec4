"""alpha_one: think slowly first, then fast (AlphaOne, Zhang et al. 2025).

    prepare -> solve <-> refine
                 |
                 v
               finish

Up to the moment, ``refine`` puts "Wait" behind some steps, ever fewer, and ``solve`` goes on behind
it. From then on, where the model itself would say "Wait", ``refine`` ends its thinking. Nothing is
verified on the way.
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import refined
from agentflow.nodes.alpha_one import AlphaOneSettings, slow_then_fast
from agentflow.run import Input, Output, RunState

__all__ = ["AlphaOneSettings", "build", "graph"]


def build() -> StateGraph[RunState, AlphaOneSettings, Input, Output]:
    """The graph, not yet compiled."""
    return refined(AlphaOneSettings, slow_then_fast)


graph = compiled(build(), "alpha_one")
