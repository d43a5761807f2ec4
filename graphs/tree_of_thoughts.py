"""tree_of_thoughts: propose thoughts, value states, keep the best (interwhen, section 5.3).

    prepare -> solve -> finish

``solve`` is a beam over thoughts (agentflow/search): a model proposes the next ones of every kept
path, a critic scores the states they lead to, and the best ``width`` are kept, until they have come
to an answer or ``depth`` is reached. The critic is a model that values states, or a verifier of
steps (Tree of Thoughts with the step verifier).
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import RETRY, TreeSettings, grow_tree, single
from agentflow.run import Input, Output, RunState

__all__ = ["TreeSettings", "build", "graph"]


def build() -> StateGraph[RunState, TreeSettings, Input, Output]:
    """The graph, not yet compiled."""
    graph = single(TreeSettings)
    graph.add_node("solve", grow_tree, retry_policy=RETRY)
    graph.add_edge("solve", "finish")
    return graph


graph = compiled(build(), "tree_of_thoughts")
