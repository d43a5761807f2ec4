"""Scores from a process reward model (adaptive compute, section 2)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

from agentflow import ledger
from agentflow.models.budget import Budget
from agentflow.models.reward import RewardModel, Rewards
from agentflow.problem import Problem
from agentflow.search.path import Path
from agentflow.search.together import together


@dataclass(slots=True)
class PRMScorer:
    """Asks a reward model that a server runs.

    The model reads a whole path and says how likely each step is right given those before it; a
    path is asked about once, for all steps that are new in it. See
    :class:`~agentflow.search.protocol.Scorer`.

    Attributes:
        model: Who is asked.
        place: Where in the run; entries are called ``prm/place/number``.
        at_once: Paths that are asked about at once: the server makes batches of them.
        budget: The run's; by default one without limits.
        entries: The ledger's entries so far, under ``prm``.
    """

    model: RewardModel
    place: str = "0"
    at_once: int = 16
    budget: Budget = field(default_factory=Budget)
    entries: ledger.Entries = field(default_factory=dict)
    _known: dict[tuple[str, tuple[str, ...]], float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"prm:{self.model.name}"

    async def score(self, problem: Problem, paths: Sequence[Path]) -> list[Path]:
        """The paths with every step scored.

        Raises:
            BadInput, ModelUnavailable: As :meth:`~agentflow.models.reward.RewardModel.rewards`.
            Exhausted: If the run's budget is spent.
        """
        new = {path.steps for path in paths if self._missing(problem, path)}
        longest = [s for s in new if not any(len(o) > len(s) and o[: len(s)] == s for o in new)]
        gate = asyncio.Semaphore(self.at_once)
        await together(self._ask(gate, problem, steps) for steps in sorted(longest))
        return [
            replace(path, scores=(*path.scores, *(self._known[key] for key in rest)))
            for path in paths
            for rest in [_prefixes(problem, path)]
        ]

    def _missing(self, problem: Problem, path: Path) -> bool:
        return any(key not in self._known for key in _prefixes(problem, path))

    async def _ask(self, gate: asyncio.Semaphore, problem: Problem, steps: tuple[str, ...]) -> None:
        async with gate:
            key = f"prm/{self.place}/{len(self.entries)}"
            self.entries |= ledger.record(key, ledger.Entry("prm"))  # the number is taken
            started = monotonic()
            found = await self._rewards(problem, steps)
            seconds = monotonic() - started
            entry = self.budget.entry(
                "prm", self.model.name, 1, found.prompt, 0, 0, seconds=seconds
            )
            self.entries |= ledger.record(key, self.budget.use(entry))
        for count, score in enumerate(found.scores, 1):
            self._known.setdefault((problem.text, steps[:count]), score)

    async def _rewards(self, problem: Problem, steps: Sequence[str]) -> Rewards:
        try:
            async with self.budget.limited():
                return await self.model.rewards(problem.text, steps)
        except TimeoutError as error:
            raise self.budget.expired() from error


def _prefixes(problem: Problem, path: Path) -> list[tuple[str, tuple[str, ...]]]:
    """What ends in each step that has no score yet."""
    counts = range(len(path.scores) + 1, len(path.steps) + 1)
    return [(problem.text, path.steps[:count]) for count in counts]
