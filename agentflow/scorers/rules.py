"""Scores from a domain's own step verifier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agentflow.domains.protocol import Domain
from agentflow.problem import Problem
from agentflow.search.path import Path
from agentflow.verifiers.walk import Walk, judged_if


@dataclass(frozen=True, slots=True)
class RuleScorer:
    """Judges the states that the domain finds in each step, given the right ones before them.

    A step's score is 0 where one of its states is refuted, 1 where all of them pass, else 0.5,
    since the domain cannot tell. See :class:`~agentflow.search.interfaces.Scorer`.

    Attributes:
        domain: Who judges.
        hopeless: Whether a right state from which no answer can be reached is refuted, too.
        unread: Score of a step that holds no state. With 1 only what is refuted costs anything; the
            mean else prefers whoever writes states on and on to whoever comes to an end.
        answers: Whether proposed answers are judged, too.
    """

    domain: Domain
    hopeless: bool = False
    unread: float = 0.5
    answers: bool = True
    _known: dict[tuple[str, tuple[str, ...]], tuple[Walk, float]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"rules:{self.domain.name}"

    async def score(self, problem: Problem, paths: Sequence[Path]) -> list[Path]:
        """The paths with every step scored; a prefix is judged once."""
        return [await self._scored(problem, path) for path in paths]

    async def _scored(self, problem: Problem, path: Path) -> Path:
        walk = Walk(self.domain, problem, self.hopeless, judged_if(self.answers))
        scores = list[float]()
        for count, step in enumerate(path.steps, 1):
            key = problem.text, path.steps[:count]
            if key not in self._known:
                self._known[key] = await self._judge(step, walk.copy())
            walk, score = self._known[key]
            scores.append(score)
        return replace(path, scores=(*path.scores, *scores[len(path.scores) :]))

    async def _judge(self, step: str, walk: Walk) -> tuple[Walk, float]:
        """The walk behind a step, and the step's score."""
        oks = [verdict.ok async for _, verdict in walk.judge(step)]
        if not oks:
            return walk, self.unread
        return walk, 0.0 if False in oks else 1.0 if all(oks) else 0.5
