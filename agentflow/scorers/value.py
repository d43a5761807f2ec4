"""Scores from a model that judges states (Tree of Thoughts; interwhen, section 5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Literal

from agentflow import prompts
from agentflow.models.metered import Metered
from agentflow.models.structured import Chosen, Reply, ask_json
from agentflow.problem import Problem
from agentflow.profile import GREEDY
from agentflow.scorers.once import scored
from agentflow.scorers.prompted import StepReply
from agentflow.search.path import Path
from agentflow.search.proposals import FOLDER
from agentflow.settings import request_seed
from agentflow.together import together

Judgement = Literal["likely", "unlikely", "impossible"]
"""How a state looks: whether the problem can still be solved from it."""

VALUES: dict[Judgement, float] = {"likely": 1.0, "unlikely": 0.5, "impossible": 0.0}
"""What a judgement is worth; only the order counts for a beam."""


class ValueReply(Reply):
    """What the model says of a state."""

    judgement: Annotated[Judgement, Chosen]

    @property
    def score(self) -> float:
        """What the judgement is worth."""
        return VALUES[self.judgement]


@dataclass(frozen=True, slots=True)
class ValueScorer:
    """Asks of each state that a path goes through how likely the problem is solved from it.

    A state is the whole path up to a step, asked about once. Temperature 0, where the model does
    not think first. Where a reply cannot be read, nor the one after it, nothing is known of the
    state: it counts as 0.5 and is among the ``unscored``. See
    :class:`~agentflow.search.interfaces.Scorer`; a path is worth what its last state is.

    Attributes:
        model: Who is asked; its entries are the ledger's.
        problem: The problem as its prompt puts it.
        seed: Seed of the run.
        tokens: Most tokens of a reply.
        cache: Whether the engine may reuse a cached prefix.
        think: Whether the model thinks first.
        critic: Ask whether the state is right instead, as a verifier of steps (ToT with SV).
        unscored: The steps up to each state of which nothing is known.
    """

    model: Metered
    problem: str
    seed: int = 0
    tokens: int = 64
    cache: bool = True
    think: bool = False
    critic: bool = False
    unscored: set[tuple[str, ...]] = field(default_factory=set)
    _known: dict[tuple[str, ...], float | None] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return "state critic" if self.critic else "value"

    async def score(self, problem: Problem, paths: Sequence[Path]) -> list[Path]:
        """The paths with every step scored.

        Raises:
            ModelUnavailable, StreamBroken: If the model does not answer.
        """
        return await scored(paths, _states, self._known, partial(self._ask, problem), self.unscored)

    async def _ask(self, problem: Problem, new: Sequence[tuple[str, ...]]) -> None:
        values = await together(self._value(problem, steps) for steps in new)
        self._known.update(zip(new, values, strict=True))

    async def _value(self, problem: Problem, steps: tuple[str, ...]) -> float | None:
        fields = {"problem": self.problem, "steps": "".join(steps).strip()}
        template = "critic" if self.critic else "value"
        prompt = await prompts.rendered(FOLDER, template, self.model.profile, fields)
        kind: type[StepReply | ValueReply] = StepReply if self.critic else ValueReply
        reply = await ask_json(
            self.model,
            prompt,
            kind,
            None,
            tokens=self.tokens,
            sampling=GREEDY,
            seed=request_seed(self.seed, problem.id, self.model.role, *steps),
            cache=self.cache,
            think=self.think,
        )
        return None if reply.value is None else reply.value.score


def _states(path: Path) -> list[tuple[str, ...]]:
    return [path.steps[:count] for count in range(1, len(path.steps) + 1)]
