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
from typing import Any, Literal, Self

from langgraph.graph import StateGraph
from pydantic import Field, model_validator

from agentflow.compiled import compiled
from agentflow.graphs.judges import add_judges
from agentflow.nodes import (
    FlexCriticSettings,
    PickSettings,
    View,
    flexive_critic,
    one_sample,
    pick,
    read_solution,
    route,
    sampled,
    side_by_side,
    solver,
    stream_ends,
    surviving,
    uncriticised,
)
from agentflow.nodes.enough import racing, tally
from agentflow.nodes.judges import Judge, JudgeSettings
from agentflow.nodes.judging import JudgingState
from agentflow.nodes.team import TeamSettings
from agentflow.run import Input, Output, RunState, Sampled

Critic = Literal[Judge, "model", "none"]
"""Who scores; ``model`` is the verifier ``critic``."""


class SamplingSettings(PickSettings, FlexCriticSettings, JudgeSettings, TeamSettings):
    """Settings of sampling; the defaults are the paper's Best-of-4."""

    critic: Critic = Field(
        default="model",
        description="Who scores the samples: a model that is asked (role verifier); confidence, "
        "how likely that model says Yes; aspects, about each of which it is asked by itself; the "
        "domain's verifiers and tools; prm, a reward model (role prm: reward:URL); flexive, or "
        "another verifier, by its name; or none, with choose=consistent, or with majority, where "
        "the first of equally frequent answers is given then",
    )

    @model_validator(mode="after")
    def _somebody_scores(self) -> Self:
        if self.critic == "none" and self.choose in ("best", "weighted", "pessimistic"):
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


def after_read(run: View[SamplingSettings]) -> str:
    """The critic; a solution without an answer needs none."""
    critic = run.settings.critic
    return "settle" if run.verdict else "critic" if critic == "model" else critic


def sample() -> StateGraph[JudgingState, SamplingSettings, JudgingState, Sampled]:
    """One sample, from its prompt to its entry in ``samples``."""
    graph = one_sample(SamplingSettings)
    graph.add_node("solve", surviving(solver(racing, SamplingSettings), retried=True))
    graph.add_node("read", read_solution)
    critics = add_judges(graph, "settle", flexive=flexive_critic, none=uncriticised)
    stream_ends(graph, after_solve, ["read", "settle"])
    graph.add_conditional_edges("read", route(SamplingSettings, after_read), [*critics, "settle"])
    return graph


def build() -> StateGraph[RunState, SamplingSettings, Input, Output]:
    """The graph, not yet compiled."""
    return sampled(SamplingSettings, sample(), pick, next_samples, round_=tally)


graph = compiled(build(), "sampling")
