"""A domain's own step verifier as a verifier of whole solutions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agentflow.domains.protocol import Domain
from agentflow.own_parts import verdict_of
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict
from agentflow.verifiers.walk import Walk, judged_if


@dataclass(frozen=True, slots=True)
class DomainVerifier:
    """Judges every state that the domain finds in a solution, in order, up to the first wrong one.

    Attributes:
        domain: Who judges. States are judged given the right ones before them.
        corrected: Offsets in the joined steps behind which a note stands; a state that ends there
            has been put right since.
        answers: Whether answers are judged, too, the final one and those on the way.
    """

    domain: Domain
    corrected: frozenset[int] = frozenset()
    answers: bool = True

    @property
    def name(self) -> str:
        return f"domain:{self.domain.name}"

    async def verify(self, problem: Problem, steps: Sequence[str], *place: str | int) -> Verdict:
        """Judge a solution; see :class:`~agentflow.verifiers.solution_verifier.SolutionVerifier`.

        Passes only if there is a state and every one passed. ``evidence`` has how many were judged
        and passed, and where the wrong one starts and ends, counted in the joined steps.
        """
        return (await self._judged(problem, steps))[0]

    async def _judged(
        self, problem: Problem, steps: Sequence[str]
    ) -> tuple[Verdict, Sequence[State]]:
        """The verdict on the steps, and those that passed."""
        walk, judged = Walk(self.domain, problem, wanted=self._judges), 0
        for index, step in enumerate(steps):
            async for state, verdict in walk.judge(step):
                judged += 1
                if verdict.ok is False:
                    evidence = {"judged": judged, "passed": len(walk.right)}
                    evidence |= {"start": state.start, "end": state.end}
                    found_wrong = replace(verdict, first_wrong_step=index, evidence=evidence)
                    return found_wrong, walk.right
        evidence = {"judged": judged, "passed": len(walk.right)}
        if judged == len(walk.right) > 0:
            return Verdict(True, source=self.name, evidence=evidence), walk.right
        reason = "no step could be read" if judged == 0 else "some steps could not be judged"
        undecided = Verdict(None, reason, "cannot_tell", source=self.name, evidence=evidence)
        return undecided, walk.right

    def _judges(self, state: State) -> bool:
        """Whether a state is judged."""
        return state.end not in self.corrected and judged_if(self.answers)(state)

    async def verify_all(self, problem: Problem, steps: Sequence[str], answer: str) -> Verdict:
        """Judge the answer, and every step that can be read.

        An answer that a complete verifier passed needs no steps: one that slipped was abandoned.
        But where the steps stop before they come to it, ``evidence`` says so as ``incomplete``.
        Else an answer passes only with all of them. Where a step is wrong, that is the verdict.
        """
        if not self.answers:
            return await self.verify(problem, steps)
        verdict = await verdict_of(self.domain, "verify_answer", problem, answer)
        if verdict.ok and self.domain.decides(problem):
            if type(self.domain).unfinished is Domain.unfinished:
                return verdict
            right = [one for one in (await self._judged(problem, steps))[1] if one.kind == "step"]
            stops = self.domain.unfinished(problem, right)
            more = {"incomplete": stops} if stops else {}
            return replace(verdict, evidence={**verdict.evidence, **more})
        judged = await self.verify(problem, steps)
        return judged if judged.ok is False or (verdict.ok and not judged.ok) else verdict
