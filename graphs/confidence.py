"""confidence: how likely a model says Yes to a given solution (P(True), Kadavath et al. 2022).

read -> confidence
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import CriticSettings, confidence_critic
from agentflow.nodes.judging import Given, Judged, JudgingState, Solution, behind_read, judged_by


def judging() -> StateGraph[JudgingState, CriticSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    return judged_by(CriticSettings, JudgingState, confidence=confidence_critic)


def build() -> StateGraph[JudgingState, CriticSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging(), parse=False)


graph = compiled(build(), "confidence")
