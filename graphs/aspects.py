"""aspects: judge a given solution in each of several aspects by itself (multi-agent verification,
Lifshitz et al. 2025).

read -> aspects
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import AspectSettings, aspect_critic
from agentflow.nodes.judging import Given, Judged, JudgingState, Solution, behind_read, judged_by


def judging() -> StateGraph[JudgingState, AspectSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    return judged_by(AspectSettings, JudgingState, aspects=aspect_critic)


def build() -> StateGraph[JudgingState, AspectSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging(), parse=False)


graph = compiled(build(), "aspects")
