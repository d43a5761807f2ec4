"""thought_switching: keep the thinking at one thought for longer (TIP, Wang et al. 2025).

    prepare -> solve <-> refine
                 |
                 v
               finish

Words such as "Alternatively" begin another thought. Where one is drawn too early, ``refine`` puts
another token in its place, and ``solve`` goes on behind it. With a high penalty such words hardly
ever stand there (NoWait, Wang et al. 2025). Nothing is verified on the way.
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import refined
from agentflow.nodes.thought_switching import SwitchingSettings, one_thought
from agentflow.run import Input, Output, RunState

__all__ = ["SwitchingSettings", "build", "graph"]


def build() -> StateGraph[RunState, SwitchingSettings, Input, Output]:
    """The graph, not yet compiled."""
    return refined(SwitchingSettings, one_thought)


graph = compiled(build(), "thought_switching")
