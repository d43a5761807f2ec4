"""Scores from a process reward model (adaptive compute, section 2)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from agentflow import ledger, prompts
from agentflow.models.budget import Budget
from agentflow.models.metered import Metered
from agentflow.models.reward import RewardModel
from agentflow.problem import Problem
from agentflow.scorers.likelihood import Likelihood
from agentflow.scorers.once import scored
from agentflow.search.path import Path
from agentflow.thinking import split
from agentflow.together import together

Reads = Literal["pair", "solution"]
"""What a reward model reads for a step: it and the one before it, or the solution up to it."""

Prefix = tuple[str, tuple[str, ...]]
"""A problem's text, and the steps up to the one that is scored, as far as they are read."""


@dataclass(slots=True)
class PRMScorer:
    """Asks a reward model that a server runs, or the bundled judge.

    With ``reads=solution`` the model reads a whole path and says how likely each step is right
    given those before it; a path is asked about once, for all steps that are new in it. With
    ``pair`` it reads the problem, the step, and the one before it, and nothing else of the path
    (adaptive compute, section 2: v_t = PRM(s_t-1, s_t)): a step is asked about once for each that
    it follows. See :class:`~agentflow.search.interfaces.Scorer`.

    Attributes:
        model: Who is asked.
        place: Where in the run; entries are called ``prm/place/number``.
        at_once: Paths that are asked about at once: the server makes batches of them.
        reads: What it reads for a step.
        budget: The run's; by default one without limits.
    """

    model: RewardModel | Likelihood
    place: str = "0"
    at_once: int = 16
    reads: Reads = "solution"
    budget: Budget = field(default_factory=Budget)
    _known: dict[Prefix, float] = field(default_factory=dict)
    _meter: Metered = field(init=False)

    def __post_init__(self) -> None:
        asked = self.model.model if isinstance(self.model, Likelihood) else self.model
        self._meter = Metered(asked, "prm", self.place, self.budget)

    @property
    def name(self) -> str:
        return f"prm:{self.model.name}"

    @property
    def entries(self) -> ledger.Entries:
        """The ledger's entries so far, under ``prm``."""
        return self._meter.entries

    async def score(self, problem: Problem, paths: Sequence[Path]) -> list[Path]:
        """The paths with every step scored.

        Raises:
            BadInput, ModelUnavailable: As :meth:`~agentflow.models.reward.RewardModel.rewards`.
            Exhausted: If the run's budget is spent.
        """
        stated = await prompts.statement(problem, self.model.profile)
        keys = _prefixes if self.reads == "solution" else _pairs
        ask = partial(self._ask, stated)
        return await scored(paths, partial(keys, stated), self._known, ask)

    async def _ask(self, stated: str, new: Sequence[Prefix]) -> None:
        gate = asyncio.Semaphore(self.at_once)
        steps = [one for _, one in new]
        longest = steps
        if self.reads == "solution":
            longest = [s for s in steps if not any(_goes_on(o, s) for o in steps)]
        await together(self._read(gate, stated, one) for one in sorted(longest))

    async def _read(self, gate: asyncio.Semaphore, stated: str, steps: tuple[str, ...]) -> None:
        async with gate, self._meter.call() as count:
            found = await self.model.rewards(stated, without_markers(steps))
            count.prompt, count.generated = found.prompt, found.generated
        ends = range(1, len(steps) + 1) if self.reads == "solution" else [len(steps)]
        for end in ends:
            self._known.setdefault((stated, steps[:end]), found.scores[end - 1])


def without_markers(steps: Sequence[str]) -> list[str]:
    """The steps without what opens and closes the thinking (:func:`~agentflow.thinking.split`): a
    reward model reads solutions, which have no such lines."""
    marks = [part for part in split("".join(steps)).parts if part.kind == "marker"]
    found, start = list[str](), 0
    for step in steps:
        end, kept, at = start + len(step), "", start
        for mark in marks:
            if mark.start < end and mark.end > start:
                kept += step[at - start : max(mark.start, start) - start] + "\n"
                at = min(mark.end, end)
        found.append(kept + step[at - start :])
        start = end
    return found


def _prefixes(stated: str, path: Path) -> list[Prefix]:
    return [(stated, path.steps[:count]) for count in range(1, len(path.steps) + 1)]


def _pairs(stated: str, path: Path) -> list[Prefix]:
    ends = range(1, len(path.steps) + 1)
    return [(stated, path.steps[max(0, end - 2) : end]) for end in ends]


def _goes_on(other: tuple[str, ...], steps: tuple[str, ...]) -> bool:
    return len(other) > len(steps) and other[: len(steps)] == steps
