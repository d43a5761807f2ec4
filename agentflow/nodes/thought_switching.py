"""The settings of thought_switching, and the monitors they make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from agentflow.errors import MissingCapability
from agentflow.monitors import Monitor, SwitchPenalty
from agentflow.monitors.repetition import Rounds, circles
from agentflow.nodes.refine import RefineSettings
from agentflow.nodes.solve import Task
from agentflow.nodes.thinks_apart import see_thinking
from agentflow.settings import Count, Few, request_seed

Word = Annotated[str, Field(pattern=r"^\w+(-\w+)*$", max_length=50)]
"""One word; its letters' case does not matter."""


class SwitchingSettings(RefineSettings):
    """Settings of thought_switching; penalty and duration are TIP's best."""

    words: tuple[Word, ...] = Field(
        default=("Alternatively", "Wait", "Hmm"),
        min_length=1,
        description="Words that begin another thought, one word each, whatever their case",
    )
    penalty: float = Field(
        default=3.0,
        ge=0,
        le=1000,
        description="Taken from such a word's logit, in nats; 100 and more hardly ever let it pass "
        "(NoWait)",
    )
    thought_tokens: Count = Field(
        default=600,
        description="For so many tokens from a thought's beginning; 0 for all of it",
    )
    top: Few = Field(
        default=20, description="Alternatives a token that another one is drawn from, at most"
    )
    repetition: Rounds = 0

    @property
    def alternatives_read(self) -> int:
        return self.top


async def one_thought(task: Task) -> Sequence[Monitor]:
    """The penalty.

    Raises:
        MissingCapability: If the solver does not think apart from its answer, tells no
            alternatives, or cannot go on from one of them.
    """
    settings, model = task.settings, task.model
    see_thinking(model, "no thinking to keep to one thought")
    able = model.capabilities
    if not able.continues or able.logprobs == 0:
        lacks = "tells no log-probabilities" if able.continues else "only chats"
        raise MissingCapability(
            f"{model.name} {lacks}: no other token can be put in a word's place; thought_switching "
            "needs a server of raw completions with log-probabilities"
        )
    penalty = SwitchPenalty(
        settings.words,
        settings.penalty,
        settings.thought_tokens,
        model.profile,
        settings.sampling(model.profile),
        request_seed(settings.seed, task.problem.id, "switch"),
    )
    return [penalty, *circles(settings.repetition)]
