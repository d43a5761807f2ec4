"""The walk over a text's states: each is judged given the right ones before it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from agentflow.domains.protocol import Domain
from agentflow.own_parts import verdict_of
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.trace import LINES
from agentflow.verdict import Verdict


def judged_if(answers: bool) -> Callable[[State], bool]:
    """Which states are judged: all of them, or all but proposed ``answers``."""
    return lambda state: answers or state.kind != "candidate"


@dataclass(slots=True)
class Walk:
    """How far a text was read, and which of its states were right.

    Attributes:
        domain: Who reads and judges.
        hopeless: Whether a right state from which no answer can be reached is refuted, too.
        wanted: Which states are judged; the others are passed over.
        offset: Where the next text begins.
        memory: The domain's, over the lines so far.
        right: The states that passed so far.
    """

    domain: Domain
    problem: Problem
    hopeless: bool = False
    wanted: Callable[[State], bool] = lambda state: True
    offset: int = 0
    memory: dict[str, Any] = field(default_factory=dict)
    right: list[State] = field(default_factory=list)

    def copy(self) -> Walk:
        """A walk that goes on from here by itself."""
        return replace(self, right=list(self.right))

    def read(self, text: str) -> Iterator[State]:
        """What the domain extracts from the lines of the text's next stretch, in order."""
        for line in LINES.findall(text):
            self.memory, found = self.domain.extract(self.problem, line, self.offset, self.memory)
            self.offset += len(line)
            yield from filter(self.wanted, found)

    async def judge(self, text: str) -> AsyncIterator[tuple[State, Verdict]]:
        """What :meth:`read` yields, with the verdicts."""
        for state in self.read(text):
            given = self.problem, state, self.right
            verdict = await verdict_of(self.domain, "verify_state", *given, hopeless=self.hopeless)
            if verdict.ok:
                self.right.append(state)
            yield state, verdict
