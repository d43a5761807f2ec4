"""The settings of interwhen, and the monitors they make: a step verifier, and early exit by it."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from agentflow.monitors import KStable, Monitor, StepVerifier, TokenBudget
from agentflow.monitors.repetition import Rounds, circles
from agentflow.nodes.elicit import ElicitSettings, elicited
from agentflow.nodes.solve import Task
from agentflow.settings import Count, Times


class InterwhenSettings(ElicitSettings):
    """Settings of interwhen; the defaults are the sequential step verifier's."""

    step_verifier: bool = Field(default=True, description="Verify every step and the final answer")
    k_stable: Times = Field(
        default=0,
        description="Stop thinking once the same answer was given this many "
        "times in a row; 0 for never, 2 is the paper's choice",
    )
    thinking_tokens: Count = Field(
        default=0, description="Close the thinking after this many tokens; 0 for no such budget"
    )
    repetition: Rounds = 0
    max_corrections: int = Field(
        default=5, ge=0, le=1000, description="Abstain when more feedback than this would be needed"
    )
    restarts: Times = Field(
        default=0,
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


async def step_monitors(task: Task) -> Sequence[Monitor]:
    """The monitors that the settings ask for; the verifier first, so that it wins a tie."""
    settings, problem, domain = task.settings, task.problem, task.domain
    profile, asks = task.model.profile, settings.elicit != 0
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
    chosen += circles(settings.repetition)
    return chosen
