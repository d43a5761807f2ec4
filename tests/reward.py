"""A reward model that is not served: a function scores the steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agentflow.models import RewardModel
from agentflow.models.reward import Rewards


class Reward(RewardModel):
    """Says of a solution's steps what ``score`` says.

    Attributes:
        read: The solutions that it was asked about.
        stated: The problem, as it was told the last time.
    """

    def __init__(self, score: Callable[[Sequence[str]], Sequence[float]]) -> None:
        super().__init__("http://localhost:1/v1")
        self.score, self.name, self.stated = score, "R", ""
        self.read = list[tuple[str, ...]]()

    async def open(self) -> None: ...

    async def rewards(self, stated: str, steps: Sequence[str]) -> Rewards:
        self.stated = stated
        self.read.append(tuple(steps))
        return Rewards(tuple(self.score(steps)), 9)


def rejecting(word: str) -> Reward:
    """One to which nothing is right from a step on that holds a word."""

    def score(steps: Sequence[str]) -> list[float]:
        wrong = next((at for at, step in enumerate(steps) if word in step), len(steps))
        return [0.9 if at < wrong else 0.1 for at in range(len(steps))]

    return Reward(score)
