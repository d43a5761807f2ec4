"""prm: score each step of a given solution with a reward model (adaptive compute, section 2).

read -> prm
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import PRMSettings, prm
from agentflow.nodes.judging import Given, Judged, JudgingState, Solution, behind_read, judged_by


def judging() -> StateGraph[JudgingState, PRMSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    return judged_by(PRMSettings, JudgingState, prm=prm)


def build() -> StateGraph[JudgingState, PRMSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging(), parse=False)


graph = compiled(build(), "prm")
