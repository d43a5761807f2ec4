"""deductive: judge each step of a given solution by its premises alone (VerifiAgent, 4.1).

read -> premises -> deduce
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import StatementSettings, deduce, premises_for
from agentflow.nodes.judging import Given, Judged, Solution, behind_read, judged_by
from agentflow.nodes.premises import StatementState


def judging() -> StateGraph[StatementState, StatementSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    return judged_by(
        StatementSettings, StatementState, premises=premises_for("deductive"), deduce=deduce
    )


def build() -> StateGraph[StatementState, StatementSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging(), parse=False)


graph = compiled(build(), "deductive")
