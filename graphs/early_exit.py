"""early_exit: stop thinking as soon as it has come to its answer (EAT, Algorithm 1).

    prepare -> solve -> refine -> solve -> finish
                 |
                 v
             conclude -> finish

``solve`` streams the thinking; at every check point of the schedule probes beside the stream ask
what the model would answer now, and rules decide. ``refine`` closes the thinking there, and
``solve`` streams the answer. Where the reasoner only chats, it cannot go on from its own thinking:
its stream is stopped, and ``conclude`` asks for the answer in a second call (section 4, black box).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Literal

from langgraph.graph import StateGraph
from pydantic import Field

from agentflow import prompts
from agentflow.errors import MissingCapability
from agentflow.monitors import EarlyExit, KStable, Monitor, Repetition, TokenBudget
from agentflow.monitors.probes import Prober
from agentflow.monitors.rules import (
    Average,
    Budget,
    Confidence,
    EntropyLevel,
    EntropyVariance,
    Rule,
    Stable,
    Stall,
    UniqueAnswers,
)
from agentflow.monitors.schedule import Schedule
from agentflow.nodes import (
    RETRY,
    RefineSettings,
    Task,
    View,
    conclude,
    refine,
    single,
    solver,
    stream_ends,
)
from agentflow.run import Input, Output, RunState

RuleName = Literal[
    "entropy", "entropy_level", "stall", "confidence", "rollouts", "k_stable", "budget"
]


class EarlyExitSettings(RefineSettings):
    """Settings of early_exit; the defaults are Algorithm 1's."""

    rules: tuple[RuleName, ...] = Field(
        default=("entropy",),
        min_length=1,
        description="entropy: its variance after the close marker; entropy_level: its mean; stall: "
        "its variance decays too slowly; confidence: of a greedy answer; rollouts: how many "
        "answers differ; k_stable: the same candidate k times; budget: tokens",
    )
    combine: Literal["any", "all", "first"] = Field(
        default="any",
        description="any rule is enough, or all must stop at the same check point; first: as any, "
        "but k_stable and budget decide at every token instead of at check points",
    )
    proxy: bool = Field(
        default=False, description="Ask the model of the role proxy instead of the reasoner"
    )
    check_at: Literal["paragraph", "line", "candidate", "tokens", "keyword"] = Field(
        default="paragraph",
        description="Where check points are; candidate: behind a line that states an answer",
    )
    check_every: int = Field(
        default=1, ge=1, description="One in so many places; for tokens: how many tokens apart"
    )
    keywords: tuple[Annotated[str, Field(min_length=1, max_length=50)], ...] = Field(
        default=("Wait",), min_length=1, description="Before which words, for keyword"
    )
    closes: bool = Field(
        default=True,
        description="Probes: close the thinking first; off for the paper's control (with a prefix "
        "such as a line break)",
    )
    prefix: str | None = Field(
        default=None, description="Probes: text behind the close marker; empty for the profile's"
    )
    alternatives: int | None = Field(
        default=None, ge=2, description="Entropy: over so many tokens; empty for all there are"
    )
    alpha: float = Field(default=0.2, gt=0, le=1, description="Entropy: weight of the newest value")
    start_at_first: bool = Field(
        default=False, description="Entropy: the mean starts at the first value, as in the code"
    )
    debias: bool = Field(default=True, description="Entropy: correct the variance for its start")
    min_checks: int = Field(
        default=0, ge=0, description="Entropy: never stop before so many check points"
    )
    variance: float = Field(default=1e-3, ge=0, description="entropy: stop below this, nats²")
    level: float = Field(default=0.1, ge=0, description="entropy_level: stop below this, nats")
    stall_window: int = Field(default=20, ge=1, description="stall: check points looked back")
    stall_ratio: float = Field(
        default=0.5, gt=0, description="stall: stop above this part of the variance then"
    )
    confidence: float = Field(default=0.95, ge=0, le=1, description="confidence: stop above this")
    confidence_tokens: int = Field(
        default=5, ge=1, le=100, description="confidence: length of the greedy answer"
    )
    arithmetic_mean: bool = Field(
        default=False,
        description="confidence: mean of the probabilities but the first, as in DEER's code",
    )
    rollouts: int = Field(default=16, ge=1, le=256, description="rollouts: answers sampled")
    distinct: int = Field(
        default=1, ge=0, description="rollouts: stop at so many different ones, or fewer"
    )
    answer_tokens: int = Field(
        default=256, ge=1, description="rollouts: most tokens of an answer sampled"
    )
    k: int = Field(default=2, ge=1, le=100, description="k_stable: so many times in a row")
    budget: int = Field(default=10_000, ge=1, description="budget: tokens of thinking")
    repetition: int = Field(
        default=0,
        ge=0,
        le=100,
        description="End what goes round in circles once the same sentences were repeated this "
        "many times; 0 for never",
    )

    @property
    def average(self) -> Average:
        """How the entropy is averaged."""
        return Average(self.alpha, self.start_at_first, self.debias)

    def rule(self, name: RuleName) -> Rule:
        """A rule as it is set here."""
        match name:
            case "entropy":
                return EntropyVariance(self.variance, self.average, self.min_checks)
            case "entropy_level":  # from 0 it would stop at once
                return EntropyLevel(self.level, Average(self.alpha, True), self.min_checks)
            case "stall":
                return Stall(self.stall_window, self.stall_ratio, self.average)
            case "confidence":
                return Confidence(self.confidence)
            case "rollouts":
                return UniqueAnswers(self.rollouts, self.distinct)
            case "k_stable":
                return Stable(self.k)
            case "budget":
                return Budget(self.budget)


async def monitors(task: Task) -> Sequence[Monitor]:
    """The rules as one monitor; with ``first`` those that need no probe as their own.

    Raises:
        MissingCapability: If a rule needs what the model that is asked cannot do, or the solver
            does not think apart from its answer.
    """
    settings: EarlyExitSettings = task.settings
    if not task.model.profile.think_close:
        raise MissingCapability(
            f"{task.model.name} does not think apart from its answer (profile "
            f"{task.model.profile.name}): there is no thinking to end"
        )
    chosen: list[Monitor] = []
    if settings.repetition:
        chosen.append(Repetition(settings.repetition))
    rules = [settings.rule(name) for name in dict.fromkeys(settings.rules)]
    if settings.combine == "first":
        if "k_stable" in settings.rules:
            chosen.append(KStable(task.problem, task.domain, settings.k))
        if "budget" in settings.rules:
            chosen.append(TokenBudget(settings.budget))
        rules = [rule for rule in rules if rule.signal not in ("stable", "tokens")]
    if not rules:
        return chosen
    await check_probes(task, rules)
    schedule = Schedule(settings.check_at, settings.check_every, settings.keywords)
    combine: Literal["any", "all"] = "all" if settings.combine == "all" else "any"
    exit = EarlyExit(task.problem, task.domain, prober(task), rules, schedule, combine)
    return [exit, *chosen]


def prober(task: Task) -> Prober:
    """How the signals are asked for."""
    settings: EarlyExitSettings = task.settings
    render = partial(prompts.for_problem, settings.solver_prompt, task.problem)
    return Prober(
        partial(task.ask, "proxy" if settings.proxy else "solver"),
        task.problem,
        task.domain,
        settings.seed,
        settings.closes,
        settings.prefix,
        settings.alternatives,
        settings.confidence_tokens,
        not settings.arithmetic_mean,
        settings.rollouts,
        settings.answer_tokens,
        render_for=render if settings.proxy else None,
        think_open=task.model.profile.think_open,
    )


async def check_probes(task: Task, rules: Sequence[Rule]) -> None:
    """See that the model that is asked can do what the rules need.

    Raises:
        MissingCapability: Names the rules that it cannot serve, and those that need nothing of it.
    """
    role: Literal["proxy", "solver"] = "proxy" if task.settings.proxy else "solver"
    probed = [rule for rule in rules if rule.signal in ("entropy", "confidence", "answers")]
    if not probed:
        return
    able = (await task.ask(role, "probe")).capabilities
    others = "rules k_stable and budget need no probe, or name a proxy (roles.proxy, proxy=true)"
    lacking = [rule.name for rule in probed if not able.continues]
    what = "continues"
    if able.logprobs == 0 and not lacking:
        lacking = [rule.name for rule in probed if rule.signal != "answers"]
        what = "logprobs"
    if lacking:
        raise MissingCapability(
            f"rules {', '.join(lacking)} probe the {role}, which lacks the capability {what!r}; "
            + others
        )
    asked = task.settings.alternatives
    few = [rule.name for rule in probed if rule.signal == "entropy"]
    if few and asked is not None and able.logprobs is not None and asked > able.logprobs:
        raise MissingCapability(
            f"rules {', '.join(few)} ask the {role} for {asked} alternatives a token, and it gives "
            f"{able.logprobs} (set alternatives lower, or leave it empty); confidence and rollouts "
            f"need no more than it gives, {others}"
        )


def after_solve(run: View[EarlyExitSettings]) -> Literal["refine", "conclude", "finish"]:
    """Close the thinking where a rule stopped it; or ask anew where that cannot be gone on from."""
    if run.stream.ended != "intervened":
        return "finish"
    return "refine" if run.stream.continues else "conclude"


def build() -> StateGraph[RunState, EarlyExitSettings, Input, Output]:
    """The graph, not yet compiled."""
    graph = single(EarlyExitSettings)
    graph.add_node("solve", solver(monitors, EarlyExitSettings))
    graph.add_node("refine", refine, retry_policy=RETRY)
    graph.add_node("conclude", conclude, retry_policy=RETRY)
    stream_ends(graph, after_solve, ["refine", "conclude", "finish"])
    graph.add_edge("refine", "solve")
    graph.add_edge("conclude", "finish")
    return graph


graph = build().compile(name="early_exit")
