"""vanilla: judge a given solution by one structured question (VerifiAgent, section 4.1).

read -> vanilla
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import vanilla
from agentflow.nodes.judging import Given, Judged, JudgingState, Solution, behind_read, judged_by
from agentflow.settings import Settings


class VanillaSettings(Settings):
    """Settings of vanilla: only what every method has."""


def judging() -> StateGraph[JudgingState, VanillaSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    return judged_by(VanillaSettings, JudgingState, vanilla=vanilla)


def build() -> StateGraph[JudgingState, VanillaSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging(), parse=False)


graph = compiled(build(), "vanilla")
