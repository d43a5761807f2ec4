"""interwhen: verify a reasoning trace while it grows, and steer it (paper 000).

    prepare -> solve <-> refine
                 |
                 v
              verify -> finish

``solve`` streams until the model ends or a monitor intervenes; ``refine`` puts the verifier's
feedback (or the marker that ends the thinking) into the trace; ``verify`` judges the final answer.
``restart``, off by default, begins again where an attempt fails (section 3.3 names rolling back all
that was generated as one way to intervene).
Step verifier and k-stable answer may run at once. With ``elicit`` a side request tells them the
states of the thinking, where no line of free prose shows any.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from langgraph.graph import END, START, StateGraph
from pydantic import Field

from agentflow.compiled import compiled
from agentflow.monitors import KStable, Monitor, Repetition, StepVerifier, TokenBudget
from agentflow.nodes import (
    RETRY,
    ElicitSettings,
    Task,
    attempt_of,
    declined,
    elicited,
    finish,
    prepare,
    refine,
    restart,
    solver,
    stream_ends,
    verify,
)
from agentflow.run import Input, Output, RunState


class InterwhenSettings(ElicitSettings):
    """Settings of interwhen; the defaults are the sequential step verifier's."""

    step_verifier: bool = Field(default=True, description="Verify every step and the final answer")
    k_stable: int = Field(
        default=0,
        ge=0,
        le=100,
        description="Stop thinking once the same answer was given this many "
        "times in a row; 0 for never, 2 is the paper's choice",
    )
    thinking_tokens: int = Field(
        default=0,
        ge=0,
        description="Close the thinking after this many tokens; 0 for no such budget",
    )
    repetition: int = Field(
        default=0,
        ge=0,
        le=100,
        description="End what goes round in circles once the same sentences were repeated this "
        "many times; 0 for never",
    )
    max_corrections: int = Field(
        default=5, ge=0, le=1000, description="Abstain when more feedback than this would be needed"
    )
    restarts: int = Field(
        default=0,
        ge=0,
        le=100,
        description="How often to begin again when an attempt fails; the paper's method: 0",
    )
    hopeless: bool = Field(
        default=False, description="Also object to right steps from which the goal is out of reach"
    )

    @property
    def verifies_steps(self) -> bool:
        return self.step_verifier

    @property
    def needs_continuing(self) -> bool:
        """Every monitor steers; a restart begins at the prompt, which any model can."""
        limits = self.k_stable or self.thinking_tokens or self.repetition
        return self.step_verifier or limits > 0


async def monitors(task: Task) -> Sequence[Monitor]:
    """The monitors that the settings ask for; the verifier first, so that it wins a tie."""
    settings, problem, domain = task.settings, task.problem, task.domain
    profile, asks = task.model.profile, settings.elicit > 0
    steps = StepVerifier(
        problem,
        domain,
        profile,
        settings.hopeless,
        answers=settings.judge_answers,
        thinking=not asks,
    )
    stable = KStable(problem, domain, settings.k_stable)
    verifies, stops = settings.step_verifier, settings.k_stable > 0
    chosen: list[Monitor] = []
    if verifies and (profile.think_close or not asks):
        chosen.append(steps)
    if asks and (verifies or stops):
        chosen.append(await elicited(task, steps if verifies else None, stable if stops else None))
    elif stops:
        chosen.append(stable)
    if settings.thinking_tokens:
        chosen.append(TokenBudget(settings.thinking_tokens))
    if settings.repetition:
        chosen.append(Repetition(settings.repetition))
    return chosen


def after_solve(state: RunState) -> Literal["refine", "verify", "restart", "finish"]:
    """Refine on an intervention while corrections are left; verify what ended by itself."""
    settings, leg = InterwhenSettings(**state["settings"]), state["leg"]
    if leg["ended"] == "stop":
        return "verify" if settings.step_verifier else "finish"
    if leg["ended"] == "intervened":
        corrections = state.get("corrections", 0) - attempt_of(state)["corrections"]
        if leg["intervention"]["kind"] == "close" or corrections < settings.max_corrections:
            return "refine"
    elif leg["ended"] == "broken":
        return "finish"
    return give_up(state, settings)


def after_verify(state: RunState) -> Literal["restart", "finish"]:
    """Finish, unless the answer was refuted, or is none, or a proof is required and missing."""
    settings, final = InterwhenSettings(**state["settings"]), state["final"]
    undecided = final["ok"] is None and final["answer"] is not None
    if final["ok"] or (undecided and settings.require != "proof"):
        return "finish"
    return give_up(state, settings)


def give_up(state: RunState, settings: InterwhenSettings) -> Literal["restart", "finish"]:
    """Begin again while restarts are left."""
    return "restart" if attempt_of(state)["number"] < settings.restarts else "finish"


def build() -> StateGraph[RunState, InterwhenSettings, Input, Output]:
    """The graph, not yet compiled."""
    graph = StateGraph(RunState, InterwhenSettings, input_schema=Input, output_schema=Output)
    graph.add_node("prepare", prepare, retry_policy=RETRY)
    graph.add_node("solve", solver(monitors, InterwhenSettings))
    graph.add_node("refine", refine, retry_policy=RETRY)
    graph.add_node("verify", verify)
    graph.add_node("restart", restart)
    graph.add_node("finish", finish)
    graph.add_edge(START, "prepare")
    graph.add_conditional_edges("prepare", declined, ["solve", "finish"])
    stream_ends(graph, after_solve, ["refine", "verify", "restart", "finish"])
    graph.add_edge("refine", "solve")
    graph.add_conditional_edges("verify", after_verify)
    graph.add_edge("restart", "solve")
    graph.add_edge("finish", END)
    return graph


graph = compiled(build(), "interwhen")
