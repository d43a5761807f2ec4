"""Scores that can be trusted to be scores, and the choice by them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

from agentflow.errors import AgentflowError
from agentflow.problem import Problem
from agentflow.search.interfaces import Aggregate, Found, Scorer, reward
from agentflow.search.path import Path


@dataclass(slots=True)
class Ranking:
    """A scorer and how its scores are weighed, in one search.

    Attributes:
        problem: What is solved.
        scorer: Who scores the steps.
        aggregate: How their scores become a path's reward.
        notes: What went wrong with scores so far, one of a kind.
    """

    problem: Problem
    scorer: Scorer
    aggregate: Aggregate = "mean"
    notes: list[str] = field(default_factory=list)

    async def scored(self, paths: Sequence[Path]) -> list[Path]:
        """The paths with every step scored.

        What is no score (not a number, outside [0, 1], missing, or the scorer raised) counts as 0
        and is noted.

        Raises:
            AgentflowError: If the scorer's model or service cannot be used at all.
        """
        try:
            answered = await self.scorer.score(self.problem, list(paths))
            given: list[Sequence[Any]] = [path.scores for path in answered]
        except AgentflowError:
            raise
        except Exception as error:
            self._note("raised", f"{type(error).__name__}: {error}")
            return [_padded(path, path.scores) for path in paths]
        if len(given) != len(paths):
            self._note("scored", f"{len(given)} paths of {len(paths)}")
            return [_padded(path, path.scores) for path in paths]
        return [self._checked(path, scores) for path, scores in zip(paths, given, strict=True)]

    def _checked(self, path: Path, given: Sequence[Any]) -> Path:
        if len(given) != len(path.steps):
            self._note("gave", f"{len(given)} scores for {len(path.steps)} steps")
        return _padded(path, [self._score(one) for one in given[: len(path.steps)]])

    def _score(self, given: Any) -> float:
        number = isinstance(given, int | float) and not isinstance(given, bool)
        if number and isfinite(given) and 0 <= given <= 1:
            return float(given)
        self._note("said", f"{given!r:.60}, which is no score in [0, 1]")
        return 0.0

    def _note(self, did: str, what: str) -> None:
        """Of things of one kind the first is told."""
        start = f"{self.scorer.name} {did} "
        if not any(note.startswith(start) for note in self.notes):
            self.notes.append(f"{start}{what}; such a step counts as 0")

    def top(self, paths: Sequence[Path], k: int) -> list[Path]:
        """The ``k`` paths of the highest reward, best first; of equals the first ones."""
        return sorted(paths, key=lambda path: -reward(path, self.aggregate))[:k]

    def found(self, paths: Sequence[Path]) -> Found:
        """The choice: the highest reward among paths that ended by themselves, else among all; of
        equals the first."""
        ended = [path for path in paths if path.done]
        (best,) = self.top(ended or paths, 1)
        return Found(best, tuple(paths), tuple(self.notes))


def unscored(scorer: Scorer, path: Path) -> list[str]:
    """That the scorer said nothing readable of some steps, in words; empty where it did of all."""
    unread, ends = getattr(scorer, "unscored", ()), range(1, len(path.steps) + 1)
    if not (count := sum(path.steps[:end] in unread for end in ends)):
        return []
    said = f"{scorer.name} said nothing that can be read of {count} of {len(ends)} steps"
    return [f"{said}; such a step counts as 0.5"]


def _padded(path: Path, scores: Sequence[float]) -> Path:
    """The path with these scores, and 0 for what has none."""
    return replace(path, scores=(*scores, *[0.0] * (len(path.steps) - len(scores))))
