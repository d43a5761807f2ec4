"""A reward model that rejects what holds a word."""

from __future__ import annotations

from collections.abc import Sequence

from agentflow.models import RewardModel
from agentflow.models.reward import Rewards


class Reward(RewardModel):
    """Says that nothing is right from a step on that holds a word."""

    def __init__(self, word: str) -> None:
        super().__init__("http://localhost:1/v1")
        self.word, self.name, self.read = word, "R", list[Sequence[str]]()

    async def open(self) -> None: ...

    async def rewards(self, stated: str, steps: Sequence[str]) -> Rewards:
        self.read.append(steps)
        wrong = next((at for at, step in enumerate(steps) if self.word in step), len(steps))
        return Rewards(tuple(0.9 if at < wrong else 0.1 for at in range(len(steps))), 9)
