"""The contract of a domain: what a problem, a state and an answer are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict


class Domain(Protocol):
    """One kind of problem. Everything is a pure function of its arguments.

    Attributes:
        name: As given to ``--domain``.
        description: One line for people.
        example: A problem as a user would type it.
        complete: Whether :meth:`verify_answer` accepts every right answer and no wrong one.
    """

    name: str
    description: str
    example: str
    complete: bool

    def parse(self, text: str, id: str = "") -> Problem:
        """The problem in ``text``.

        Raises:
            BadInput: If the text is no such problem; says what is wrong and shows an example.
        """

    def unsolvable(self, problem: Problem) -> str | None:
        """Why the problem is known to have no answer; None if it has one or nobody can tell."""

    def extract(
        self, problem: Problem, line: str, offset: int, memory: dict[str, Any]
    ) -> tuple[dict[str, Any], list[State]]:
        """The states that a line of generated text completes, as a fold over lines."""

    def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        """Judge one state given the earlier ones, all taken as right."""

    def candidate(self, problem: Problem, state: State) -> str | None:
        """The normal form of the answer that a state proposes; None if it proposes none."""

    def answer(self, text: str) -> str | None:
        """The answer stated in the answer part of a trace."""

    def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Judge a final answer."""

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """A text that is equal for equal answers; None if it is no answer at all."""
