"""tree_of_thoughts: propose thoughts, value states, keep the best (paper 000, section 5.3).

    prepare -> solve -> finish

``solve`` is a beam over thoughts (agentflow/search): a model proposes the next ones of every kept
path, a critic scores the states they lead to, and the best ``width`` are kept, until they have come
to an answer or ``depth`` is reached. The critic is a model that values states, or a verifier of
steps (Tree of Thoughts with the step verifier).
"""

from __future__ import annotations

from langgraph.graph import END, START, StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import RETRY, TreeSettings, declined, finish, grow_tree, prepare
from agentflow.run import Input, Output, RunState


def build() -> StateGraph[RunState, TreeSettings, Input, Output]:
    """The graph, not yet compiled."""
    graph = StateGraph(RunState, TreeSettings, input_schema=Input, output_schema=Output)
    graph.add_node("prepare", prepare, retry_policy=RETRY)
    graph.add_node("solve", grow_tree, retry_policy=RETRY)
    graph.add_node("finish", finish)
    graph.add_edge(START, "prepare")
    graph.add_conditional_edges("prepare", declined, ["solve", "finish"])
    graph.add_edge("solve", "finish")
    graph.add_edge("finish", END)
    return graph


graph = compiled(build(), "tree_of_thoughts")
