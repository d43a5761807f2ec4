"""flexive: judge a given solution, fast where runs agree and slowly where not (paper 002, 3.2).

    read -> fast -> slow

Not a method that solves: it takes a solution, whole or in steps, and gives a verdict. A graph with
the channels ``problem``, ``steps``, ``verdict`` and ``ledger`` may have it as a node.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END, START, StateGraph
from pydantic import Field

from agentflow.compiled import compiled
from agentflow.nodes import RETRY, FlexSettings, flexive
from agentflow.nodes.judging import (
    Given,
    Judged,
    JudgingState,
    Solution,
    behind_read,
    settings_in,
)
from agentflow.verifiers.flexive import Mode, agreed


class FlexiVeSettings(FlexSettings):
    """Settings of flexive."""

    runs: Mode = Field(
        default="flex",
        description="flex: fast runs, and slow ones where they disagree (Flex@k); fast alone "
        "(NoThinking@k); slow alone (Think@k)",
    )

    @property
    def mode(self) -> Mode:
        return self.runs


def after_read(state: JudgingState) -> Literal["fast", "slow"]:
    """Fast runs first, where there are any."""
    return "slow" if settings_in(state, FlexiVeSettings).mode == "slow" else "fast"


def after_fast(state: JudgingState) -> Literal["slow", "__end__"]:
    """Slow runs where the fast ones did not agree (equation 4)."""
    settings, verdict = settings_in(state, FlexiVeSettings), state["verdict"]
    enough = agreed(verdict["ok"], verdict["evidence"], settings.tau)
    return "__end__" if enough or settings.mode == "fast" else "slow"


def judging() -> StateGraph[JudgingState, FlexiVeSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    graph = StateGraph(JudgingState, FlexiVeSettings, input_schema=Solution, output_schema=Judged)
    graph.add_node("fast", flexive("fast"), retry_policy=RETRY)
    graph.add_node("slow", flexive("slow"), retry_policy=RETRY)
    graph.add_conditional_edges(START, after_read)
    graph.add_conditional_edges("fast", after_fast)
    graph.add_edge("slow", END)
    return graph


def build() -> StateGraph[JudgingState, FlexiVeSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging(), parse=False)


graph = compiled(build(), "flexive")
