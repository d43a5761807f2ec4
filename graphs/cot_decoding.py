"""cot_decoding: every likely first token is gone on from, and the surest answer taken.

    prepare -> sample (from each of k first tokens) -> surest

    sample:  solve -> read -> settle

The likeliest beginning of a reply often leads straight to an answer, a less likely one to reasons
for it; and where a model reasons well it is surer of its answer (Wang and Zhou 2024,
"Chain-of-Thought Reasoning Without Prompting"). How sure it is, is told by the margins of the
answer's tokens: the likeliest token's probability less the second's.
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import sampled, uncriticised_sample
from agentflow.nodes.cot_decoding import CoTDecodingSettings, branch, from_each, margins, surest
from agentflow.run import Input, Output, RunState

__all__ = ["CoTDecodingSettings", "build", "graph"]


def build() -> StateGraph[RunState, CoTDecodingSettings, Input, Output]:
    """The graph, not yet compiled."""
    sample = uncriticised_sample(CoTDecodingSettings, margins)
    return sampled(CoTDecodingSettings, sample, surest, from_each, begin=branch)


graph = compiled(build(), "cot_decoding")
