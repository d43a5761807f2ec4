"""The contract of a verifier that reads a whole solution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from agentflow.problem import Problem
from agentflow.verdict import Verdict


class SolutionVerifier(Protocol):
    """Reads a solution in steps and says which is the first wrong one.

    Attributes:
        name: The ``source`` of its verdicts.
    """

    @property
    def name(self) -> str: ...

    async def verify(self, problem: Problem, steps: Sequence[str], *place: str | int) -> Verdict:
        """Judge a solution.

        Args:
            problem: What is solved; only its text and id are read.
            steps: The solution, step by step.
            place: Where in the run; it takes part in the seeds of requests.

        Returns:
            ``ok`` True where no step is wrong; False with ``first_wrong_step`` and, as ``reason``,
            the feedback; None where it cannot tell.
        """
