"""mutual_consistency: another model finishes a given solution, and must come to the same answer.

    read -> complete

It sees the beginning only, cut at a place drawn by chance (rStar, Qi et al. 2024). As the critic of
``sampling`` with ``choose=weighted`` it is that paper's choice among solutions.
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes.judging import Given, Judged, JudgingState, Solution, behind_read, judged_by
from agentflow.nodes.mutual_consistency import CompletionSettings, complete_anew


def judging() -> StateGraph[JudgingState, CompletionSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    return judged_by(CompletionSettings, JudgingState, complete=complete_anew)


def build() -> StateGraph[JudgingState, CompletionSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging())


graph = compiled(build(), "mutual_consistency")
