"""speculative_reasoning: a small model drafts each step, a large one keeps it or writes its own
(SpecReason, Pan et al. 2025; reward-guided speculative decoding, Liao et al. 2025).

    prepare -> draft -> judge -> draft -> judge -> solve -> draft ... -> solve -> finish

``draft`` has the model of the role proxy write the next step; ``judge`` has it rated, by the
model of the role verifier or by a reward model, and keeps it where it is good enough; else
``solve`` has the solver write that step. The solver also ends the thinking, and states the answer.
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import RETRY, route, single, solver, stream_ends
from agentflow.nodes.speculative import (
    SpeculativeSettings,
    after_draft,
    after_judge,
    after_own_step,
    draft,
    judge_draft,
    own_step,
)
from agentflow.run import Input, Output, RunState

__all__ = ["SpeculativeSettings", "build", "graph"]


def build() -> StateGraph[RunState, SpeculativeSettings, Input, Output]:
    """The graph, not yet compiled."""
    graph = single(SpeculativeSettings, first="draft")
    graph.add_node("draft", draft, retry_policy=RETRY)
    graph.add_node("judge", judge_draft, retry_policy=RETRY)
    graph.add_node("solve", solver(own_step, SpeculativeSettings))
    behind_draft = route(SpeculativeSettings, after_draft)
    graph.add_conditional_edges("draft", behind_draft, ["judge", "solve"])
    behind_judge = route(SpeculativeSettings, after_judge)
    graph.add_conditional_edges("judge", behind_judge, ["draft", "solve"])
    stream_ends(graph, after_own_step, ["draft", "finish"])
    return graph


graph = compiled(build(), "speculative_reasoning")
