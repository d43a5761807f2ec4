"""tournament: solutions meet two at a time, and the better ones go on (Chen et al. 2024).

    prepare -> sample (n side by side) -> champion

    sample:    solve -> read -> settle
    champion:  pair -> game (side by side) -> pair -> game ... -> crown

In a ``game`` the model of the role verifier compares two solutions, ``compare`` times. A knockout
has round after round, until one is left; a league has one round, in which each meets some others.
"""

from __future__ import annotations

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from agentflow.compiled import compiled
from agentflow.nodes import (
    RETRY,
    View,
    route,
    sampled,
    uncriticised_sample,
)
from agentflow.nodes.tournament import (
    Crowned,
    Entered,
    TournamentSettings,
    TournamentState,
    crown,
    game,
    next_games,
    next_samples,
    pair,
)
from agentflow.run import Input, Output, RunState

__all__ = ["TournamentSettings", "build", "graph"]


def after_pair(run: View[TournamentSettings]) -> str | list[Send]:
    """The games of a round; without any, the one that is left is crowned."""
    return [Send("game", start) for start in next_games(run)] or "crown"


def champion() -> StateGraph[TournamentState, TournamentSettings, Entered, Crowned]:
    """The tournament, from the solutions to the result."""
    graph = StateGraph(
        TournamentState, TournamentSettings, input_schema=Entered, output_schema=Crowned
    )
    graph.add_node("pair", pair)
    graph.add_node("game", game, retry_policy=RETRY)
    graph.add_node("crown", crown)
    graph.add_edge(START, "pair")
    graph.add_conditional_edges("pair", route(TournamentSettings, after_pair), ["game", "crown"])
    graph.add_edge("game", "pair")
    graph.add_edge("crown", END)
    return graph


def build() -> StateGraph[RunState, TournamentSettings, Input, Output]:
    """The graph, not yet compiled."""
    games = champion().compile(name="champion")
    return sampled(TournamentSettings, uncriticised_sample(TournamentSettings), games, next_samples)


graph = compiled(build(), "tournament")
