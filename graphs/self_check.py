"""self_check: do each step of a given solution anew, without seeing it, and compare.

    read -> premises -> targets -> anew -> compare

A step is easier to do than to judge (SelfCheck, Miao, Teh and Rainforth 2023). The score falls with
every step that is contradicted or not supported; as the critic of ``sampling`` with
``choose=weighted`` it weighs the votes, which is the paper's whole method.
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import StatementSettings, compare_steps, do_anew, extract_targets, premises_for
from agentflow.nodes.judging import Given, Judged, Solution, behind_read, judged_by
from agentflow.nodes.self_check import SelfCheckState


def judging() -> StateGraph[SelfCheckState, StatementSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    return judged_by(
        StatementSettings,
        SelfCheckState,
        premises=premises_for("self_check"),
        targets=extract_targets,
        anew=do_anew,
        compare=compare_steps,
    )


def build() -> StateGraph[SelfCheckState, StatementSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging(), parse=False)


graph = compiled(build(), "self_check")
