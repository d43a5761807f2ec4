"""The settings of alpha_one, and the monitors they make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from agentflow.monitors import Monitor, SlowThenFast
from agentflow.monitors.repetition import Rounds, circles
from agentflow.nodes.refine import RefineSettings
from agentflow.nodes.solve import Task
from agentflow.nodes.thinks_apart import see_thinking
from agentflow.settings import Positive, request_seed

_PART = 16
"""Of the tokens that a solution may have, thinking takes one in so many, where nobody measured."""


class AlphaOneSettings(RefineSettings):
    """Settings of alpha_one."""

    alpha: float = Field(
        default=1.4,
        gt=0,
        le=100,
        description="How many times the usual length the thinking is slow for",
    )
    usual_tokens: Positive | None = Field(
        default=None,
        description="Tokens that the model usually thinks on such problems; empty for a "
        "sixteenth of those that a solution may have",
    )
    word: str = Field(
        default="Wait",
        pattern=r"^\w+$",
        max_length=50,
        description="What has the model look again; behind the slow phase, where it would say so "
        "itself, its thinking ends",
    )
    step: Literal["paragraph", "line"] = Field(
        default="paragraph", description="What the word is put behind"
    )
    repetition: Rounds = 0

    @property
    def needs_continuing(self) -> bool:
        return True


async def slow_then_fast(task: Task) -> Sequence[Monitor]:
    """The two phases.

    Raises:
        MissingCapability: If the solver does not think apart from its answer.
    """
    settings = task.settings
    see_thinking(task.model, "no thinking to slow down")
    most = settings.solver_tokens or settings.max_tokens or task.model.profile.max_tokens
    usual = settings.usual_tokens or max(1, most // _PART)
    phases = SlowThenFast(
        round(settings.alpha * usual),
        settings.word,
        settings.step,
        request_seed(settings.seed, task.problem.id, "slow"),
    )
    return [phases, *circles(settings.repetition)]
