"""backward: judge a given solution by whether its answer gives the problem's conditions back
(VerifiAgent, section 4.1).

    read -> backward
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import BackwardSettings, backward
from agentflow.nodes.judging import Given, Judged, JudgingState, Solution, behind_read, judged_by


def judging() -> StateGraph[JudgingState, BackwardSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    return judged_by(BackwardSettings, JudgingState, backward=backward)


def build() -> StateGraph[JudgingState, BackwardSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging())


graph = compiled(build(), "backward")
