"""deepconf: a vote of confident samples; others are given up as they are written (Fu et al. 2025).

    prepare -> sample (the warm-up) -> round -> sample (more) -> round ... -> vote

    sample:  solve -> read -> settle

Beside each stream its confidence is measured, by the log-probabilities of the tokens that it might
have written instead. The warm-up tells what confidence is low: a later sample is given up at the
first group of tokens below it. ``round`` sees whether one answer has nearly all of the weight.
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
from agentflow.nodes.deepconf import (
    DeepConfSettings,
    confident,
    confident_vote,
    consensus,
    next_samples,
)
from agentflow.nodes.judging import JudgingState
from agentflow.run import Input, Output, RunState, Sampled

__all__ = ["DeepConfSettings", "build", "graph"]


def after_solve(run: View[DeepConfSettings]) -> Literal["read", "settle"]:
    """What was given up, or cut short, has no vote."""
    return "read" if run.stream.ended == "stop" else "settle"


def sample() -> StateGraph[JudgingState, DeepConfSettings, JudgingState, Sampled]:
    """One sample, from its prompt to its entry in ``samples``."""
    graph = one_sample(DeepConfSettings)
    graph.add_node("solve", surviving(solver(confident, DeepConfSettings), retried=True))
    graph.add_node("read", read_solution)
    graph.add_node("none", uncriticised)
    stream_ends(graph, after_solve, ["read", "settle"])
    graph.add_edge("read", "none")
    graph.add_edge("none", "settle")
    return graph


def build() -> StateGraph[RunState, DeepConfSettings, Input, Output]:
    """The graph, not yet compiled."""
    return sampled(
        DeepConfSettings,
        sample(),
        confident_vote,
        next_samples,
        round_=consensus,
        names={"choose": "vote"},
    )


graph = compiled(build(), "deepconf")
