"""The contract of a domain: what a problem, a state and an answer are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

from agentflow.problem import Problem
from agentflow.state import State
from agentflow.tools.toolbox import Toolbox
from agentflow.verdict import Verdict


class Domain(Protocol):
    """One kind of problem.

    Reading is pure and quick; judging may wait for tools, and must not block the loop. A domain
    is built with a :class:`~agentflow.tools.toolbox.Toolbox` that has the tools it names.

    Attributes:
        name: As given to ``--domain``.
        description: One line for people.
        example: A problem as a user would type it.
        complete: Whether :meth:`verify_answer` accepts every right answer and no wrong one.
        tools: The tools it uses: role -> backend where nothing else is chosen.
    """

    name: str
    description: str
    example: str
    complete: bool
    tools: ClassVar[Mapping[str, str]]

    def __init__(self, toolbox: Toolbox) -> None: ...

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
        """The states that a line of generated text completes, as a fold over lines.

        A state of kind ``step`` makes a claim; one of kind ``candidate`` proposes an answer, which
        stands in its data as ``answer``.
        """

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        """Judge one state given the earlier ones, all taken as right."""

    def candidate(self, problem: Problem, state: State) -> str | None:
        """The normal form of the answer that a state proposes; None if it proposes none."""

    def answer(self, text: str) -> str | None:
        """The answer stated in the answer part of a trace."""

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Judge a final answer."""

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """A text that is the same for answers that are plainly equal; None if it is no answer."""

    async def equal(self, problem: Problem, one: str, other: str) -> bool:
        """Whether two answers are equal, as far as can be told."""
