"""Scores from a domain's own step verifier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agentflow.domains.protocol import Domain
from agentflow.problem import Problem
from agentflow.search.path import Path
from agentflow.state import State
from agentflow.trace import LINES


@dataclass(frozen=True, slots=True)
class _Read:
    """What the steps up to here came to: where the next begins, the domain's memory, the right
    states so far, the last step's score."""

    offset: int = 0
    memory: dict[str, Any] = field(default_factory=dict)
    right: tuple[State, ...] = ()
    score: float = 0.5


@dataclass(frozen=True, slots=True)
class RuleScorer:
    """Judges the states that the domain finds in each step, given the right ones before them.

    A step's score is 0 where one of its states is refuted, 1 where all of them pass, else 0.5,
    since the domain cannot tell. See :class:`~agentflow.search.protocol.Scorer`.

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
    _known: dict[tuple[str, tuple[str, ...]], _Read] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"rules:{self.domain.name}"

    async def score(self, problem: Problem, paths: Sequence[Path]) -> list[Path]:
        """The paths with every step scored; a prefix is judged once."""
        return [await self._scored(problem, path) for path in paths]

    async def _scored(self, problem: Problem, path: Path) -> Path:
        read, scores = _Read(), list[float]()
        for count, step in enumerate(path.steps, 1):
            key = problem.text, path.steps[:count]
            if key not in self._known:
                self._known[key] = await self._judge(problem, step, read)
            read = self._known[key]
            scores.append(read.score)
        return replace(path, scores=(*path.scores, *scores[len(path.scores) :]))

    async def _judge(self, problem: Problem, step: str, before: _Read) -> _Read:
        offset, memory, right = before.offset, before.memory, list(before.right)
        verdicts = []
        for line in LINES.findall(step):
            memory, found = self.domain.extract(problem, line, offset, memory)
            offset += len(line)
            for state in found:
                if state.kind == "candidate" and not self.answers:
                    continue
                verdict = await self.domain.verify_state(
                    problem, state, right, hopeless=self.hopeless
                )
                verdicts.append(verdict.ok)
                if verdict.ok:
                    right.append(state)
        score = 0.0 if False in verdicts else 1.0 if all(verdicts) else 0.5
        if not verdicts:
            score = self.unread
        return _Read(offset, memory, tuple(right), score)
