"""Scores from a model that is asked about one step at a time (adaptive compute, appendix B.6)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from pydantic import Field

from agentflow import prompts
from agentflow.models.metered import Metered
from agentflow.models.structured import Flag, Number, Reply, ask_json
from agentflow.problem import Problem
from agentflow.profile import GREEDY
from agentflow.scorers.once import scored
from agentflow.search.path import Path
from agentflow.settings import request_seed
from agentflow.together import together


class StepReply(Reply):
    """What the model says of a step."""

    is_correct: Flag
    confidence: Number = Field(ge=0, le=1)

    @property
    def score(self) -> float:
        """v: the confidence; for a step that is not correct no more than what is left of it."""
        sure = self.confidence
        return sure if self.is_correct else min(sure, 1 - sure)


Pair = tuple[str, str]
"""A step, behind what it follows."""


@dataclass(frozen=True, slots=True)
class PromptedScorer:
    """Asks whether a step follows from the one before it, the first from the problem.

    Nothing else of the trajectory is shown, so a step is asked about once for each step it can
    follow. Temperature 0. Where a reply cannot be read, nor the one after it, nothing is known of
    the step: it counts as 0.5 and is among the ``unscored``. See
    :class:`~agentflow.search.interfaces.Scorer`.

    Attributes:
        model: Who is asked; its entries are the ledger's.
        seed: Seed of the run.
        tokens: Most tokens of a reply.
        at_once: Questions that are asked at once.
        think: Whether the model thinks first.
        unscored: The steps up to each one of which nothing is known.
    """

    model: Metered
    seed: int = 0
    tokens: int = 64
    at_once: int = 16
    think: bool = False
    unscored: set[tuple[str, ...]] = field(default_factory=set)
    _known: dict[Pair, float | None] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return "prompted"

    async def score(self, problem: Problem, paths: Sequence[Path]) -> list[Path]:
        """The paths with every step scored.

        Raises:
            ModelUnavailable, StreamBroken: If the model does not answer.
        """
        stated = await prompts.statement(problem, self.model.profile)
        ask = partial(self._ask, problem)
        return await scored(paths, partial(_pairs, stated), self._known, ask, self.unscored)

    async def _ask(self, problem: Problem, new: Sequence[Pair]) -> None:
        gate = asyncio.Semaphore(self.at_once)
        scores = await together(self._score(gate, problem, *pair) for pair in new)
        self._known.update(zip(new, scores, strict=True))

    async def _score(
        self, gate: asyncio.Semaphore, problem: Problem, before: str, step: str
    ) -> float | None:
        async with gate:
            texts = {"before": before.strip(), "step": step.strip()}
            prompt = await prompts.rendered("scorers", "step", self.model.profile, texts)
            reply = await ask_json(
                self.model,
                prompt,
                StepReply,
                None,
                tokens=self.tokens,
                sampling=GREEDY,
                seed=request_seed(self.seed, problem.id, "prm", before, step),
                think=self.think,
            )
        return None if reply.value is None else reply.value.score


def _pairs(stated: str, path: Path) -> list[Pair]:
    return list(zip((stated, *path.steps), path.steps, strict=False))
