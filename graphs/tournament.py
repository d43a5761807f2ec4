"""tournament: solutions meet two at a time, and the better ones go on (Chen et al. 2024).

    prepare -> sample (n side by side) -> champion

    sample:  solve -> read -> settle

``champion`` has the model of the role verifier compare the two of each pair, ``compare`` times: in
a knockout round by round, until one is left; in a league each meets some others.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import (
    View,
    one_sample,
    read_solution,
    sampled,
    solver,
    stream_ends,
    surviving,
    uncriticised,
)
from agentflow.nodes.judging import JudgingState
from agentflow.nodes.tournament import TournamentSettings, champion, next_samples
from agentflow.run import Input, Output, RunState, Sampled

__all__ = ["TournamentSettings", "build", "graph"]


def after_solve(run: View[TournamentSettings]) -> Literal["read", "settle"]:
    """What was cut short meets nobody."""
    return "read" if run.stream.ended == "stop" else "settle"


def sample() -> StateGraph[JudgingState, TournamentSettings, JudgingState, Sampled]:
    """One solution, from its prompt to its entry in ``samples``."""
    graph = one_sample(TournamentSettings)
    graph.add_node("solve", surviving(solver(settings_type=TournamentSettings), retried=True))
    graph.add_node("read", read_solution)
    graph.add_node("none", uncriticised)
    stream_ends(graph, after_solve, ["read", "settle"])
    graph.add_edge("read", "none")
    graph.add_edge("none", "settle")
    return graph


def build() -> StateGraph[RunState, TournamentSettings, Input, Output]:
    """The graph, not yet compiled."""
    return sampled(TournamentSettings, sample(), champion, next_samples)


graph = compiled(build(), "tournament")
