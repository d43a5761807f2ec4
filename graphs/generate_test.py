"""generate_test: generate, test, generate again on the critic's feedback (interwhen, section 5.3).

    prepare -> sample -> sample -> ... -> give_last

It is ``verified_sampling`` with the critic of ``sampling`` as its verifier; what is answered is the
last solution, the one that passed or the last of ``n``.
"""

from __future__ import annotations

from langgraph.graph import StateGraph
from pydantic import Field

from agentflow.compiled import compiled
from agentflow.graphs import verified_sampling
from agentflow.nodes import give_last
from agentflow.nodes.judges import Judge
from agentflow.nodes.verified_sampling import (
    Feedback,
    Richness,
    VerifiedSamplingSettings,
)
from agentflow.run import Input, Output, RunState
from agentflow.settings import Few


class GenerateTestSettings(VerifiedSamplingSettings):
    """Settings of generate_test: those of verified_sampling, with the paper's defaults."""

    verifier: Judge = Field(default="critic", description="Who tests what was generated")
    feedback: Feedback = Field(
        default="post_editing",
        description="After a rejected solution: sample afresh; precaution solves anew, told what "
        "was wrong; post_editing revises the solution",
    )
    richness: Richness = Field(default="reason", description="What is told of it")
    n: Few = Field(default=4, description="Most solutions; the last is answered")


def build() -> StateGraph[RunState, VerifiedSamplingSettings, Input, Output]:
    """The graph, not yet compiled."""
    return verified_sampling.build(GenerateTestSettings, give_last)


graph = compiled(build(), "generate_test")
