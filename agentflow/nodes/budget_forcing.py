"""The settings of budget forcing, and the monitors they make."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from agentflow.monitors import Monitor, ThinkOn, TokenBudget
from agentflow.monitors.repetition import Rounds, circles
from agentflow.nodes.refine import RefineSettings
from agentflow.nodes.solve import Task
from agentflow.nodes.thinks_apart import see_thinking
from agentflow.settings import Count, Few


class BudgetForcingSettings(RefineSettings):
    """Settings of budget_forcing."""

    waits: Few = Field(default=2, description="How many ends of the thinking are taken back")
    word: str = Field(
        default="Wait",
        pattern=r"\S",
        description="What is put there instead; the model goes on behind it",
    )
    thinking_tokens: Count = Field(
        default=0, description="Close the thinking after this many tokens; 0 for no upper bound"
    )
    repetition: Rounds = 0

    @property
    def needs_continuing(self) -> bool:
        return True


async def forcing(task: Task) -> Sequence[Monitor]:
    """The lower bound, then the upper one.

    Raises:
        MissingCapability: If the solver does not think apart from its answer.
    """
    settings, profile = task.settings, task.model.profile
    see_thinking(task.model, "no end of a thinking to take back")
    chosen: list[Monitor] = [ThinkOn(profile.think_close, settings.waits, settings.word)]
    if settings.thinking_tokens:
        chosen.append(TokenBudget(settings.thinking_tokens))
    chosen += circles(settings.repetition)
    return chosen
