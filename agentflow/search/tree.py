"""A search's tree: all that it drew, with the scores, whatever the search kept of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from agentflow.problem import Problem
from agentflow.search.interfaces import Expander, Scorer
from agentflow.search.path import Path


@dataclass(slots=True)
class Tree:
    """Stands between a search and those who expand and score for it, and notes what they did.

    See :class:`~agentflow.search.interfaces.Expander` and
    :class:`~agentflow.search.interfaces.Scorer`, both of which it is.

    Attributes:
        expander, scorer: Who does the work.
    """

    expander: Expander
    scorer: Scorer
    _draws: list[tuple[int, int, Path]] = field(default_factory=list)
    _scores: dict[tuple[str, ...], float] = field(default_factory=dict)
    _groups: int = 0

    @property
    def name(self) -> str:
        return self.scorer.name

    @property
    def unscored(self) -> Collection[tuple[str, ...]]:
        """The scorer's, where it has that."""
        return getattr(self.scorer, "unscored", ())

    async def expand(self, path: Path, n: int, *place: str | int) -> list[Path]:
        """What the expander's does."""
        return self._noted(path, await self.expander.expand(path, n, *place))

    async def finish(self, path: Path, *place: str | int, steps: int | None = None) -> Path:
        """What the expander's does."""
        return self._noted(path, [await self.expander.finish(path, *place, steps=steps)])[0]

    async def score(self, problem: Problem, paths: Sequence[Path]) -> list[Path]:
        """What the scorer's does."""
        scored = await self.scorer.score(problem, paths)
        for path in scored:
            for count, score in enumerate(path.scores, 1):
                self._scores.setdefault(path.steps[:count], score)
        return scored

    def _noted(self, path: Path, drawn: list[Path]) -> list[Path]:
        self._draws += [(self._groups, len(path.steps), one) for one in drawn]
        self._groups += 1
        return drawn

    def plain(self, answer: Callable[[Path], str | None]) -> list[dict[str, Any]]:
        """The draws, in order, as plain JSON; a draw is one continuation by one step or several.

        ``group``: draws that were asked for together have the same. ``behind``: the number of the
        step that it goes on from, -1 for the prompt; steps are numbered as they appear here.
        ``scores`` and ``tokens`` of its steps; None for a score that was not asked for. ``done``:
        whether the text ended by itself behind them, then with ``answer``.

        Args:
            answer: The answer that a path which ended states.
        """
        numbers: dict[tuple[str, ...], int] = {}
        found, steps = list[dict[str, Any]](), 0
        for group, before, path in self._draws:
            made = range(before + 1, len(path.steps) + 1)
            operations = list(path.payload or ())[len(path.payload or ()) - len(made) :]
            plain = {
                "group": group,
                "behind": numbers.get(path.steps[:before], -1),
                "scores": [self._scores.get(path.steps[:count]) for count in made],
                "tokens": [len(one["ends"]) for one in operations],
                "done": path.done,
            }
            found.append(plain | ({"answer": answer(path)} if path.done else {}))
            for count in made:
                numbers.setdefault(path.steps[:count], steps)
                steps += 1
        return found
