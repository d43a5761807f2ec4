"""adaptive_branching: a new solution, or one that refines another (Inoue et al. 2025, AB-MCTS).

    prepare -> sample -> sample -> ... -> best

    sample:  guide -> solve -> read -> VERIFIER -> settle    (that of verified_sampling)

An edge decides after each solution, by the scores of all so far, whether the next one is new or
refines an earlier one, and which one; and, where a team solves, which model writes it. Behind a
solution to be refined ``guide`` puts it, and what its verifier said, into the next prompt. ``best``
takes the one with the highest score.
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.graphs import verified_sampling
from agentflow.nodes.branching import BranchingSettings, best, next_solution
from agentflow.nodes.verified_sampling import VerifiedSamplingSettings
from agentflow.run import Input, Output, RunState

__all__ = ["BranchingSettings", "build", "graph"]


def build() -> StateGraph[RunState, VerifiedSamplingSettings, Input, Output]:
    """The graph, not yet compiled."""
    return verified_sampling.build(BranchingSettings, best, next_solution)


graph = compiled(build(), "adaptive_branching")
