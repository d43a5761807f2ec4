"""cumulative_reasoning: what is established grows by one checked statement at a time (Zhang et al.
2023).

    prepare -> gather -> conclude -> solve -> finish

    gather:  propose -> check -> report -> propose ... -> report
                ^---------'  rejected

A proposer derives one small statement from the problem and what is established; judges check it
before it counts; a reporter says when the answer can be read off. The solution is then written with
everything that is established in its prompt. Unlike in a chain of thought, nothing is built upon a
wrong statement, and a new one may rest on any that came before.
"""

from __future__ import annotations

from langgraph.graph import END, START, StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import RETRY, route, single, solver, stream_ends
from agentflow.nodes.cumulative import (
    CumulativeSettings,
    Gathered,
    GatheringState,
    GatheringView,
    check,
    conclude_from,
    propose,
    report,
    within_limits,
)
from agentflow.run import Input, Output, RunState

__all__ = ["CumulativeSettings", "build", "graph"]


def after_propose(run: GatheringView) -> str:
    """A proposal is checked; one that was rejected at once (unreadable, too long, a repetition) is
    followed by another."""
    if run.proposal:
        return "check"
    return END if run.full else "propose"


def after_check(run: GatheringView) -> str:
    """A statement that was established is followed by the reporter, one that was rejected by
    another proposal; the end comes where no more may follow."""
    if run.full:
        return END
    return "report" if run.verdict is not None and run.verdict.ok else "propose"


def after_report(run: GatheringView) -> str:
    """The end once the answer can be read off."""
    return END if run.full else "propose"


def gather() -> StateGraph[GatheringState, CumulativeSettings, GatheringState, Gathered]:
    """Statements, one by one, until they are enough."""
    kind, view = CumulativeSettings, GatheringView
    graph = StateGraph(GatheringState, kind, output_schema=Gathered)
    graph.add_node("propose", within_limits(propose), retry_policy=RETRY)
    graph.add_node("check", within_limits(check), retry_policy=RETRY)
    graph.add_node("report", within_limits(report), retry_policy=RETRY)
    graph.add_edge(START, "propose")
    proposed, checked, reported = (
        route(kind, edge, view) for edge in (after_propose, after_check, after_report)
    )
    graph.add_conditional_edges("propose", proposed, ["check", "propose", END])
    graph.add_conditional_edges("check", checked, ["report", "propose", END])
    graph.add_conditional_edges("report", reported, ["propose", END])
    return graph


def build() -> StateGraph[RunState, CumulativeSettings, Input, Output]:
    """The graph, not yet compiled."""
    graph = single(CumulativeSettings, first="gather")
    graph.add_node("gather", gather().compile(name="gather"))
    graph.add_node("conclude", conclude_from, retry_policy=RETRY)
    graph.add_node("solve", solver(settings_type=CumulativeSettings))
    graph.add_edge("gather", "conclude")
    graph.add_edge("conclude", "solve")
    stream_ends(graph, lambda run: "finish", ["finish"])
    return graph


graph = compiled(build(), "cumulative_reasoning")
"""Statements that are proposed one by one, and count once they were checked; then the solution."""
