"""deepconf: a vote of confident samples; others are given up as they are written (Fu et al. 2025).

    prepare -> sample (the warm-up) -> round -> sample (more) -> round ... -> vote

    sample:  solve -> read -> settle

Beside each stream its confidence is measured, by the log-probabilities of the tokens that it might
have written instead. The warm-up tells what confidence is low: a later sample is given up at the
first group of tokens below it. ``round`` sees whether one answer has nearly all of the weight.
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import (
    sampled,
    uncriticised_sample,
)
from agentflow.nodes.deepconf import (
    DeepConfSettings,
    confident,
    confident_vote,
    consensus,
    next_samples,
)
from agentflow.run import Input, Output, RunState

__all__ = ["DeepConfSettings", "build", "graph"]


def build() -> StateGraph[RunState, DeepConfSettings, Input, Output]:
    """The graph, not yet compiled."""
    return sampled(
        DeepConfSettings,
        uncriticised_sample(DeepConfSettings, confident),
        confident_vote,
        next_samples,
        round_=consensus,
        names={"choose": "vote"},
    )


graph = compiled(build(), "deepconf")
