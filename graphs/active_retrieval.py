"""active_retrieval: what the solver is unsure of is looked up as it writes (Jiang et al. 2023,
FLARE).

    prepare -> solve <-> look_up
                 '-> finish <-'

``solve`` stops behind a sentence with an unlikely word. ``look_up`` searches for the likely words
of it, takes the sentence back, and puts there what was found; the solver writes the sentence again.
Where nothing is found it stays.
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import route, single, solver, stream_ends
from agentflow.nodes.active_retrieval import (
    RetrievalSettings,
    after_look_up,
    after_solve,
    look_up,
    unsure_sentences,
)
from agentflow.run import Input, Output, RunState

__all__ = ["RetrievalSettings", "build", "graph"]


def build() -> StateGraph[RunState, RetrievalSettings, Input, Output]:
    """The graph, not yet compiled."""
    graph = single(RetrievalSettings)
    graph.add_node("solve", solver(unsure_sentences, RetrievalSettings))
    graph.add_node("look_up", look_up)
    stream_ends(graph, after_solve, ["look_up", "finish"])
    following = route(RetrievalSettings, after_look_up)
    graph.add_conditional_edges("look_up", following, ["solve", "state_answer", "finish"])
    return graph


graph = compiled(build(), "active_retrieval")
