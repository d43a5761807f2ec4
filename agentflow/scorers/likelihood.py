"""A reward model that writes nothing: would the judge have written these lines itself?

    What is left: 89 - 55 = 34 stamps      likeliest
    After that: 34 + 44 = 87 stamps        87 where the judge would have said 78

A line is as good as its least likely token: a slip shows in one of them. So one reading of a
solution, which generates no token, scores all of its steps.
"""

from __future__ import annotations

import asyncio
import math
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

from agentflow.models.model import Model
from agentflow.models.reward import Rewards
from agentflow.profile import Piece, Profile
from agentflow.verifiers.flexive import question
from agentflow.verifiers.steps import joined, numbered
from agentflow.verifiers.steps import segment as cut

SURE, SLOPE = 5.45, 0.76
"""How likely a line is right: ``1 / (1 + exp(-(SURE + SLOPE * p)))``, of its least likely token's
log-probability ``p`` in nats. Fitted by ``python -m training.judging.evaluate --fit``."""

UNKNOWN = 0.5
"""The score of what was not read."""

_LEAD = 1
"""Tokens of a line that say nothing of it: how a line begins is its writer's choice."""


class Reader(Model, Protocol):
    """A model that tells how likely the tokens of a text are."""

    async def likelihoods(self, ids: tuple[int, ...]) -> tuple[float, ...]:
        """The log-probability of each token, given those before it; 0 for the first one."""


@dataclass(frozen=True, slots=True)
class Likelihood:
    """The judge as a process reward model, with the interface of
    :class:`~agentflow.models.reward.RewardModel`.

    It reads what FlexiVe's verifier does. A language model is surprised by mistakes in programs,
    too (Ray et al., "On the naturalness of buggy code", 2016).
    """

    model: Reader

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def profile(self) -> Profile:
        return self.model.profile

    async def rewards(self, stated: str, steps: Sequence[str]) -> Rewards:
        """How likely nothing is wrong up to the end of each step: as likely as in its worst line.

        A step without words has the score of what stands before it; of one that the judge's
        context does not hold nothing is known (0.5).

        Args:
            stated: The problem, as :func:`agentflow.prompts.stated` has it.

        Raises:
            ModelUnavailable: If the judge does not answer.
        """
        found, tokens = await self.lines(stated, steps)
        ends = list(accumulate(map(_size, steps)))
        worst, letters = [1.0] * len(steps), 0
        for line, logprob in found:
            step = bisect(ends, letters)
            worst[step] = min(worst[step], UNKNOWN if logprob is None else chance(logprob))
            letters += _size(line)
        return Rewards(tuple(accumulate(worst, min)), tokens)

    async def lines(
        self, stated: str, steps: Sequence[str]
    ) -> tuple[list[tuple[str, float | None]], int]:
        """(each line of a solution with the log-probability of its least likely token, how many
        tokens were read); None for a line that the judge's context does not hold.

        Raises:
            ModelUnavailable: If the judge does not answer.
        """
        if not steps:
            return [], 0
        shown = await asyncio.to_thread(lines, self.model.profile, stated, steps)
        await self.model.tokenize([piece for piece, _ in shown])  # in few requests
        ids = [await self.model.tokenize([piece]) for piece, _ in shown]
        text = tuple(one for part in ids for one in part)[: self.model.profile.context]
        said = await self.model.likelihoods(text)
        found, place = list[tuple[str, float | None]](), 0
        for (piece, counts), part in zip(shown, ids, strict=True):
            first, place = place + _LEAD, place + len(part)
            if counts:
                whole = place <= len(said)
                found.append((piece.text, min(said[first:place], default=0.0) if whole else None))
        return found, len(text)


def chance(logprob: float) -> float:
    """How likely a line is right whose least likely token has this log-probability (nats)."""
    return 1 / (1 + math.exp(-(SURE + SLOPE * logprob)))


def lines(profile: Profile, stated: str, steps: Sequence[str]) -> list[tuple[Piece, bool]]:
    """The prompt of FlexiVe's fast stage up to the end of the solution, line by line; and of each
    whether it is one of the solution's."""
    parts = cut(joined(steps), profile.hesitations)
    pieces = question(profile, "fast", stated, parts)
    at = next(i for i in reversed(range(len(pieces))) if numbered(parts) in pieces[i].text)
    before = pieces[at].text[: pieces[at].text.rindex(numbered(parts))]
    found = [(piece, False) for piece in (*pieces[:at], Piece(before))]
    for number, part in enumerate(parts):
        found.append((Piece(f"<step_{number}>\n"), False))
        said = part.strip().split("\n")
        found += [(Piece(f"{line}\n"), bool(line.strip())) for line in said]
        found.append((Piece(f"</step_{number}>\n"), False))
    return found


def before(profile: Profile, stated: str, steps: Sequence[str], start: int) -> list[Piece]:
    """What is read in front of the line that begins at an offset of the joined steps: behind it the
    judge would write that line itself."""
    left, found = _size(joined(steps)[:start]), list[Piece]()
    for piece, counts in lines(profile, stated, steps):
        if counts and left <= 0:
            break
        left -= _size(piece.text) if counts else 0
        found.append(piece)
    return found


def _size(text: str) -> int:
    """Characters that are no space: what cutting and joining steps leaves as it is."""
    return sum(not one.isspace() for one in text)
