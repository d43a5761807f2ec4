"""A reward model read off one token: how likely the bundled judge says Yes behind a step."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from agentflow.models.model import Model, next_token, prompt_of, segment
from agentflow.models.reward import Rewards
from agentflow.profile import Piece, Profile
from agentflow.together import together
from agentflow.trace import Trace
from agentflow.verifiers.flexive import question
from agentflow.verifiers.steps import joined
from agentflow.verifiers.steps import segment as cut

MARKS = ("No", "Yes")
"""What the judge has learned to say at the end of a line: behind a mistake, and where there is none
so far."""

_TOP = 20


@dataclass(frozen=True, slots=True)
class TokenReward:
    """The judge as a process reward model, with the interface of
    :class:`~agentflow.models.reward.RewardModel`.

    It reads what FlexiVe's verifier does, up to the end of each step.
    """

    model: Model

    @property
    def name(self) -> str:
        return self.model.name

    async def rewards(self, problem: str, steps: Sequence[str]) -> Rewards:
        """How likely nothing is wrong up to the end of each step.

        Raises:
            ModelUnavailable, StreamBroken: If the model does not answer.
            MissingCapability: If it gives no log-probabilities.
        """
        found = await together(
            self._at_end(problem, steps[:end]) for end in range(1, len(steps) + 1)
        )
        lengths = [length for _, length in found]
        return Rewards(tuple(score for score, _ in found), max(lengths, default=0), len(found))

    async def _at_end(self, problem: str, steps: Sequence[str]) -> tuple[float, int]:
        """(how likely nothing is wrong, tokens read)."""
        pieces = await asyncio.to_thread(behind, self.model.profile, problem, steps)
        read = await segment(self.model, "prompt", pieces)
        prompt = prompt_of(self.model, Trace([read.operation()]))
        said = await next_token(self.model, prompt, _TOP)
        no, yes = (said.probability([mark]) for mark in MARKS)
        return yes / (yes + no) if yes + no else 0.5, len(read.ids)


def behind(profile: Profile, problem: str, steps: Sequence[str]) -> list[Piece]:
    """The prompt of FlexiVe's fast stage up to the end of the last step's last line."""
    pieces = question(profile, "fast", problem, cut(joined(steps), profile.hesitations))
    at = next(i for i in reversed(range(len(pieces))) if "</step_" in pieces[i].text)
    text = pieces[at].text
    return [*pieces[:at], Piece(text[: text.rindex("</step_")])]
