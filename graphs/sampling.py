"""sampling: best of k, or the majority of k, with a critic (interwhen, section 5.3).

    prepare -> sample (k side by side, or in rounds) -> round -> sample ... -> pick

    sample:  solve -> read -> CRITIC -> settle

The critic reads each whole trace, given only the problem: a model, a reward model, FlexiVe, several
that look at one aspect each (multi-agent verification, Lifshitz et al. 2025), SelfCheck, or the
domain's own verifiers. ``pick`` takes the sample with the highest score, or the answer that most
samples give, ties by the score: a majority needs no critic (self-consistency, Wang et al. 2023). A
vote may also be weighted by the scores (Li et al. 2023, DIVERSE; with the model's own confidence,
Taubenfeld et al. 2025), and end once more samples would hardly change it (Adaptive-Consistency,
Aggarwal et al. 2023; early-stopping self-consistency, Li et al. 2024), or once the first few have
finished (short-m@k, Hassid et al. 2025). Where answers cannot be compared by a rule, a model may
compare them (universal self-consistency, Chen et al. 2023), or write tests for programs (CodeT,
Chen et al. 2022).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self, get_args

from langgraph.graph import StateGraph
from pydantic import Field, model_validator

from agentflow.compiled import compiled
from agentflow.graphs import fact_check, self_check
from agentflow.nodes import (
    RETRY,
    AspectSettings,
    FactSettings,
    FlexCriticSettings,
    PickSettings,
    PRMSettings,
    StatementSettings,
    View,
    aspect_critic,
    confidence_critic,
    critic,
    domain_verify,
    flexive_critic,
    one_sample,
    pick,
    prm,
    read_solution,
    route,
    sampled,
    side_by_side,
    solver,
    stream_ends,
    surviving,
    uncriticised,
    undecided,
)
from agentflow.nodes.enough import racing, tally
from agentflow.nodes.judging import JudgingState
from agentflow.nodes.team import TeamSettings
from agentflow.run import Input, Output, RunState, Sampled

Critic = Literal[
    "model", "confidence", "domain", "prm", "flexive", "aspects", "self_check", "fact_check", "none"
]
CRITICS: tuple[Critic, ...] = get_args(Critic)


class SamplingSettings(
    PickSettings,
    PRMSettings,
    FlexCriticSettings,
    AspectSettings,
    StatementSettings,
    FactSettings,
    TeamSettings,
):
    """Settings of sampling; the defaults are the paper's Best-of-4."""

    critic: Critic = Field(
        default="model",
        description="Who scores the samples: a model that is asked (role verifier); confidence, "
        "how likely that model says Yes; aspects, about each of which it is asked by itself; "
        "flexive; self_check, by which it does every step anew; fact_check, by which "
        "it looks every fact up; the domain's verifiers and tools; "
        "prm, a reward model (role prm: reward:URL); or none, with choose=consistent, or with "
        "majority, where the first of equally frequent answers is given then",
    )

    @model_validator(mode="after")
    def _somebody_scores(self) -> Self:
        if self.critic == "none" and self.choose in ("best", "weighted"):
            raise ValueError(
                "critic=none scores no sample, so that none is the best; give choose=majority or "
                "consistent, or a critic"
            )
        return self

    @model_validator(mode="after")
    def _somebody_agrees(self) -> Self:
        if self.stop == "agree" and self.at_once < 2:
            raise ValueError(
                "stop=agree needs two samples of a round that may agree; give at_once=5, or "
                "stop=sure"
            )
        return self

    @property
    def verifies_steps(self) -> bool:
        return self.critic == "domain"


def next_samples(run: View[SamplingSettings]) -> list[Mapping[str, Any]]:
    """All at once; or round by round, until they are enough."""
    done, settings = len(run.samples), run.settings
    if run.channels.get("enough"):
        return []
    wanted = settings.at_once if settings.in_rounds else settings.k
    return side_by_side(min(wanted, settings.k - done), done, run.ledger)


def after_solve(run: View[SamplingSettings]) -> Literal["read", "settle"]:
    """What ended by itself is criticised."""
    return "read" if run.stream.ended == "stop" else "settle"


def after_read(run: View[SamplingSettings]) -> Critic | Literal["settle"]:
    """The critic; a solution without an answer needs none."""
    return "settle" if run.verdict else run.settings.critic


def sample() -> StateGraph[JudgingState, SamplingSettings, JudgingState, Sampled]:
    """One sample, from its prompt to its entry in ``samples``."""
    graph = one_sample(SamplingSettings)
    graph.add_node("solve", surviving(solver(racing, SamplingSettings), retried=True))
    graph.add_node("read", read_solution)
    graph.add_node("model", undecided(critic, "model"), retry_policy=RETRY)
    graph.add_node("confidence", undecided(confidence_critic, "confidence"), retry_policy=RETRY)
    graph.add_node("domain", domain_verify)
    graph.add_node("prm", undecided(prm, "prm"), retry_policy=RETRY)
    graph.add_node("flexive", undecided(flexive_critic, "flexive"), retry_policy=RETRY)
    graph.add_node("aspects", undecided(aspect_critic, "aspects"), retry_policy=RETRY)
    graph.add_node("self_check", undecided(self_check.judging().compile(), "self_check"))
    graph.add_node("fact_check", undecided(fact_check.judging().compile(), "fact_check"))
    graph.add_node("none", uncriticised)
    stream_ends(graph, after_solve, ["read", "settle"])
    graph.add_conditional_edges("read", route(SamplingSettings, after_read), [*CRITICS, "settle"])
    for name in CRITICS:
        graph.add_edge(name, "settle")
    return graph


def build() -> StateGraph[RunState, SamplingSettings, Input, Output]:
    """The graph, not yet compiled."""
    return sampled(SamplingSettings, sample(), pick, next_samples, round_=tally)


graph = compiled(build(), "sampling")
