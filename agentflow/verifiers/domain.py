"""A domain's own step verifier as a verifier of whole solutions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from agentflow.domains.protocol import Domain
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.trace import LINES
from agentflow.verdict import Verdict


@dataclass(frozen=True, slots=True)
class DomainVerifier:
    """Judges every state that the domain finds in a solution, in order, up to the first wrong one.

    Attributes:
        domain: Who judges. States are judged given the right ones before them.
        corrected: Offsets in the joined steps behind which a note stands; a state that ends there
            has been put right since.
    """

    domain: Domain
    corrected: frozenset[int] = frozenset()

    @property
    def name(self) -> str:
        return f"domain:{self.domain.name}"

    async def verify(self, problem: Problem, steps: Sequence[str], *place: str | int) -> Verdict:
        """Judge a solution; see :class:`~agentflow.verifiers.protocol.SolutionVerifier`.

        Passes only if there is a state and every one passed. ``evidence`` has how many were judged
        and passed, and where the wrong one ends, counted in the joined steps.
        """
        offset, memory = 0, dict[str, Any]()
        right: list[State] = []
        judged = 0
        for index, step in enumerate(steps):
            for line in LINES.findall(step):
                memory, found = self.domain.extract(problem, line, offset, memory)
                offset += len(line)
                for state in found:
                    if state.end in self.corrected:
                        continue
                    verdict = await self.domain.verify_state(problem, state, right)
                    judged += 1
                    if verdict.ok is False:
                        evidence = {"judged": judged, "passed": len(right), "end": state.end}
                        return replace(verdict, first_wrong_step=index, evidence=evidence)
                    if verdict.ok:
                        right.append(state)
        evidence = {"judged": judged, "passed": len(right)}
        if judged == len(right) > 0:
            return Verdict(True, source=self.name, evidence=evidence)
        reason = "no step could be read" if judged == 0 else "some steps could not be judged"
        return Verdict(None, reason, "cannot_tell", source=self.name, evidence=evidence)

    async def verify_all(self, problem: Problem, steps: Sequence[str], answer: str) -> Verdict:
        """Judge the answer, and every step that can be read.

        An answer that a complete verifier passed needs no steps: one that slipped was abandoned.
        Else it passes only with all of them. Where a step is wrong, that is the verdict.
        """
        verdict = await self.domain.verify_answer(problem, answer)
        if verdict.ok and self.domain.complete:
            return verdict
        judged = await self.verify(problem, steps)
        return judged if judged.ok is False or (verdict.ok and not judged.ok) else verdict
