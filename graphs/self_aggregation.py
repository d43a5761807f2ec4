"""self_aggregation: solutions made of solutions, round by round (Venkatraman et al. 2025, RSA).

    prepare -> sample (n side by side) -> round -> sample (n, each shown some) -> round ... -> vote

    sample:  consult -> solve -> read -> settle

The first round solves the problem afresh. Each solution of a later one is written with some of the
last round's in its prompt: picked at random, to combine into one; or a debater's own and others',
to weigh (multi-agent debate, Du et al. 2023). The last round votes.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END, START, StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import (
    RETRY,
    View,
    read_solution,
    route,
    sampled,
    settle,
    solver,
    stream_ends,
    surviving,
    uncriticised,
)
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


def first(run: View[AggregationSettings]) -> Literal["consult", "solve"]:
    """Solutions of the first round are shown none."""
    return "consult" if run.channels.get("steps") else "solve"


def after_solve(run: View[AggregationSettings]) -> Literal["read", "settle"]:
    """What was cut short has no vote, and is not shown."""
    return "read" if run.stream.ended == "stop" else "settle"


def sample() -> StateGraph[JudgingState, AggregationSettings, JudgingState, Sampled]:
    """One solution, from its prompt to its entry in ``samples``."""
    graph = StateGraph(JudgingState, AggregationSettings, output_schema=Sampled)
    graph.add_node("consult", consult, retry_policy=RETRY)
    graph.add_node("solve", surviving(solver(settings_type=AggregationSettings), retried=True))
    graph.add_node("read", read_solution)
    graph.add_node("none", uncriticised)
    graph.add_node("settle", settle)
    begins = route(AggregationSettings, first)
    graph.add_conditional_edges(START, begins, ["consult", "solve"])
    graph.add_edge("consult", "solve")
    stream_ends(graph, after_solve, ["read", "settle"])
    graph.add_edge("read", "none")
    graph.add_edge("none", "settle")
    graph.add_edge("settle", END)
    return graph


def build() -> StateGraph[RunState, AggregationSettings, Input, Output]:
    """The graph, not yet compiled."""
    names = {"choose": "vote"}
    return sampled(
        AggregationSettings, sample(), last_vote, next_samples, round_=agreed, names=names
    )


graph = compiled(build(), "self_aggregation")
