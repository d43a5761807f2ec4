"""self_aggregation: solutions made of solutions, round by round (Venkatraman et al. 2025, RSA).

    prepare -> sample (n side by side) -> round -> sample (n, each shown some) -> round ... -> vote

    sample:  consult -> solve -> read -> settle

The first round solves the problem afresh. Each solution of a later one is written with some of the
last round's in its prompt: picked at random, to combine into one; or a debater's own and others',
to weigh (multi-agent debate, Du et al. 2023). The last round votes.
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import RETRY, sampled, uncriticised_sample
from agentflow.nodes.judging import JudgingState
from agentflow.nodes.self_aggregation import (
    AggregationSettings,
    agreed,
    consult,
    last_vote,
    next_samples,
)
from agentflow.run import Input, Output, RunState, Sampled

__all__ = ["AggregationSettings", "build", "graph"]


def sample() -> StateGraph[JudgingState, AggregationSettings, JudgingState, Sampled]:
    """One solution, from its prompt to its entry in ``samples``."""
    graph = uncriticised_sample(AggregationSettings, first="consult")
    graph.add_node("consult", consult, retry_policy=RETRY)
    graph.add_edge("consult", "solve")
    return graph


def build() -> StateGraph[RunState, AggregationSettings, Input, Output]:
    """The graph, not yet compiled."""
    names = {"choose": "vote"}
    return sampled(
        AggregationSettings, sample(), last_vote, next_samples, round_=agreed, names=names
    )


graph = compiled(build(), "self_aggregation")
