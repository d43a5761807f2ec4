"""learning_from_peers: paths of thought tell each other how far they have come (Luo et al. 2025,
LeaP).

    prepare -> path (n side by side) -> round -> path (those that paused) -> round ... -> vote

    path:  hear -> solve -> summarise -> settle      it pauses
                        '-> read -> none -> settle   it came to its end

Every so many tokens a path pauses, and is summed up. ``round`` chooses for each path of which
others it hears, and ``hear`` puts their summaries into its thinking. The last one that thinks just
goes on. All answers vote in the end.
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import (
    RETRY,
    one_sample,
    read_solution,
    sampled,
    solver,
    stream_ends,
    surviving,
    uncriticised,
    vote,
)
from agentflow.nodes.judging import JudgingState
from agentflow.nodes.peers import (
    PathState,
    PeerSettings,
    after_path,
    exchange,
    hear,
    next_paths,
    pausing,
    settle_path,
    summarise,
)
from agentflow.run import Input, Output, RunState, Sampled

__all__ = ["PeerSettings", "build", "graph"]


def path() -> StateGraph[JudgingState, PeerSettings, JudgingState, Sampled]:
    """One path, from where it stands to its next pause or its end."""
    graph = one_sample(PeerSettings, "hear", settle_path, PathState)
    graph.add_node("hear", hear, retry_policy=RETRY)
    solve = surviving(solver(pausing, PeerSettings), retried=True)
    graph.add_node("solve", solve, input_schema=PathState)  # which the edge behind it reads
    graph.add_node("summarise", surviving(summarise), retry_policy=RETRY)
    graph.add_node("read", read_solution)
    graph.add_node("none", uncriticised)
    graph.add_edge("hear", "solve")
    stream_ends(graph, after_path, ["solve", "read", "summarise", "settle"])
    graph.add_edge("summarise", "settle")
    graph.add_edge("read", "none")
    graph.add_edge("none", "settle")
    return graph


def build() -> StateGraph[RunState, PeerSettings, Input, Output]:
    """The graph, not yet compiled."""
    names = {"sample": "path"}
    return sampled(PeerSettings, path(), vote, next_paths, round_=exchange, names=names)


graph = compiled(build(), "learning_from_peers")
