"""sampling: best of k, or the majority of k, with a critic (paper 000, section 5.3).

    prepare -> sample (k side by side) -> pick

    sample:  solve -> read -> CRITIC -> settle

The critic reads each whole trace once, given only the problem: a model, a reward model, or the
domain's own verifiers. ``pick`` takes the sample with the highest score, or the answer that most
samples give, ties by the score.
"""

from __future__ import annotations

from typing import Literal, get_args

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send
from pydantic import Field

from agentflow.nodes import (
    RETRY,
    PickSettings,
    PRMSettings,
    critic,
    declined,
    domain_verify,
    finish,
    pick,
    prepare,
    prm,
    read_solution,
    settle,
    solver,
    start_of,
    stream_ends,
    surviving,
    undecided,
)
from agentflow.nodes.judging import JudgingState, settings_in
from agentflow.run import Input, Output, RunState, Sampled

Critic = Literal["model", "domain", "prm"]
CRITICS: tuple[Critic, ...] = get_args(Critic)


class SamplingSettings(PickSettings, PRMSettings):
    """Settings of sampling; the defaults are the paper's Best-of-4."""

    critic: Critic = Field(
        default="model",
        description="Who scores the samples: a model that is asked (role verifier), the domain's "
        "verifiers and tools, or a reward model (role prm: reward:URL)",
    )


def samples(state: RunState) -> list[Send] | Literal["finish"]:
    """One trajectory for every sample."""
    if declined(state) == "finish":
        return "finish"
    count = settings_in(state, SamplingSettings).k
    return [Send("sample", start_of(state) | {"branch": branch}) for branch in range(count)]


def after_solve(state: JudgingState) -> Literal["read", "settle"]:
    """What ended by itself is criticised."""
    return "read" if state["leg"]["ended"] == "stop" else "settle"


def after_read(state: JudgingState) -> Critic | Literal["settle"]:
    """The critic; a solution without an answer needs none."""
    return "settle" if state["verdict"] else settings_in(state, SamplingSettings).critic


def sample() -> StateGraph[JudgingState, SamplingSettings, JudgingState, Sampled]:
    """One sample, from its prompt to its entry in ``samples``."""
    graph = StateGraph(JudgingState, SamplingSettings, output_schema=Sampled)
    graph.add_node("solve", surviving(solver(settings_type=SamplingSettings), retried=True))
    graph.add_node("read", read_solution)
    graph.add_node("model", undecided(critic, "model"), retry_policy=RETRY)
    graph.add_node("domain", domain_verify)
    graph.add_node("prm", undecided(prm, "prm"), retry_policy=RETRY)
    graph.add_node("settle", settle)
    graph.add_edge(START, "solve")
    stream_ends(graph, after_solve, ["read", "settle"])
    graph.add_conditional_edges("read", after_read, [*CRITICS, "settle"])
    for name in CRITICS:
        graph.add_edge(name, "settle")
    graph.add_edge("settle", END)
    return graph


def build() -> StateGraph[RunState, SamplingSettings, Input, Output]:
    """The graph, not yet compiled."""
    graph = StateGraph(RunState, SamplingSettings, input_schema=Input, output_schema=Output)
    graph.add_node("prepare", prepare, retry_policy=RETRY)
    graph.add_node("sample", sample().compile(name="sample"))
    graph.add_node("pick", pick)
    graph.add_node("finish", finish)
    graph.add_edge(START, "prepare")
    graph.add_conditional_edges("prepare", samples, ["sample", "finish"])
    graph.add_edge("sample", "pick")
    graph.add_edge("pick", END)
    graph.add_edge("finish", END)
    return graph


graph = build().compile(name="sampling")
