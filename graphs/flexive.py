"""flexive: judge a given solution, fast where runs agree, else slowly (Solve-Detect-Verify, 3.2).

    read -> fast -> slow

Not a method that solves: it takes a solution, whole or in steps, and gives a verdict. A graph with
the channels ``problem``, ``steps``, ``verdict`` and ``ledger`` may have it as a node.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END, START, StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import RETRY, FlexiVeSettings, View, flexive, route
from agentflow.nodes.judging import (
    Given,
    Judged,
    JudgingState,
    Solution,
    behind_read,
)
from agentflow.verifiers.flexive import agreed


def after_read(run: View[FlexiVeSettings]) -> Literal["fast", "slow"]:
    """Fast runs first, where there are any."""
    return "slow" if run.settings.mode == "slow" else "fast"


def after_fast(run: View[FlexiVeSettings]) -> Literal["slow", "__end__"]:
    """Slow runs where the fast ones did not agree (equation 4)."""
    verdict, settings = run.verdict, run.settings
    enough = verdict is not None and agreed(verdict.ok, verdict.evidence, settings.tau)
    return "__end__" if enough or settings.mode == "fast" else "slow"


def judging() -> StateGraph[JudgingState, FlexiVeSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    graph = StateGraph(JudgingState, FlexiVeSettings, input_schema=Solution, output_schema=Judged)
    graph.add_node("fast", flexive("fast"), retry_policy=RETRY)
    graph.add_node("slow", flexive("slow"), retry_policy=RETRY)
    start, after = route(FlexiVeSettings, after_read), route(FlexiVeSettings, after_fast)
    graph.add_conditional_edges(START, start, ["fast", "slow"])
    graph.add_conditional_edges("fast", after, ["slow", END])
    graph.add_edge("slow", END)
    return graph


def build() -> StateGraph[JudgingState, FlexiVeSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging(), parse=False)


graph = compiled(build(), "flexive")
