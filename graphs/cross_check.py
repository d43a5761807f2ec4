"""cross_check: hold a given solution against others of the same problem.

    read -> draw -> compare

What a model knows it says again; what it makes up comes out otherwise each time (SelfCheckGPT,
Manakul, Liusie and Gales 2023). ``draw`` has the solver's model solve the problem anew, several
times; ``compare`` counts, line by line, which of these solutions support the given one.
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes.cross_check import (
    CrossCheckSettings,
    CrossCheckState,
    draw_others,
    hold_against,
)
from agentflow.nodes.judging import Given, Judged, Solution, behind_read, judged_by


def judging() -> StateGraph[CrossCheckState, CrossCheckSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    return judged_by(CrossCheckSettings, CrossCheckState, draw=draw_others, compare=hold_against)


def build() -> StateGraph[CrossCheckState, CrossCheckSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging())


graph = compiled(build(), "cross_check")
