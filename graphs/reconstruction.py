"""reconstruction: write the problem down from a given solution, and compare it with the real one.

    read -> reconstruct -> compare

What a solution made up, passed over or misread shows in the problem that it would be right for
(RCoT, Xue et al. 2023). As the verifier of verified_sampling with ``feedback=post_editing`` it is
the paper's whole method: the solution is revised by what was found.
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes.judging import Given, Judged, Solution, behind_read, judged_by
from agentflow.nodes.reconstruction import ReconstructionState, compare_problems, reconstruct
from agentflow.settings import Settings


def judging() -> StateGraph[ReconstructionState, Settings, Solution, Judged]:
    """The part that judges a solution in steps."""
    return judged_by(
        Settings, ReconstructionState, reconstruct=reconstruct, compare=compare_problems
    )


def build() -> StateGraph[ReconstructionState, Settings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging(), parse=False)


graph = compiled(build(), "reconstruction")
