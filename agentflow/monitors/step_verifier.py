"""Verify every step as it appears; feed a failure back and let the model go on from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from agentflow.domains.protocol import Domain
from agentflow.monitors.monitor import CONTINUE, Context, Increment, Intervention, Memory, Monitor
from agentflow.own_parts import verdict_of
from agentflow.problem import Problem
from agentflow.profile import Profile
from agentflow.state import State
from agentflow.verdict import Verdict


@dataclass(frozen=True, slots=True)
class StepVerifier(Monitor):
    """The Sequential Verifier with a domain's step verifier (interwhen, sections 4.1 and 4.3).

    Attributes:
        hopeless: Also object to right steps from which the goal can no longer be reached. Off by
            default: an abandoned attempt is good thinking, and an oracle of reachability is a
            solver in disguise.
        doubt: Also object to a step that nobody can tell of whose evidence scores less (a share,
            in [0, 1]). It may be right: to be drawn again, not to be told that it is wrong.
        doubted: Data of steps that were taken back in doubt; said again, they stand.
        answers: Whether answers proposed on the way are judged, too.
        thinking: Whether the thinking is read; off where it is asked about instead.
    """

    problem: Problem
    domain: Domain
    profile: Profile
    hopeless: bool = False
    doubt: float = 0.0
    doubted: Sequence[Mapping[str, Any]] = ()
    answers: bool = True
    thinking: bool = True
    name: str = "step_verifier"
    reads: Literal["line", "token"] = "line"

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        if increment.boundary or not (self.thinking or increment.answering):
            return {}, []
        memory, found = self.domain.extract(self.problem, increment.text, increment.offset, memory)
        return memory, [state for state in found if self.answers or state.kind != "candidate"]

    async def verify(self, state: State, context: Context) -> Verdict:
        given = self.problem, state, context.earlier
        return await verdict_of(self.domain, "verify_state", *given, hopeless=self.hopeless)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        if verdict.ok is None and not self._doubts(state, verdict):
            return CONTINUE
        text = self.profile.note(verdict.reason, answering=answering)
        return Intervention("feedback", state.end, text, verdict.reason, self.name)

    def _doubts(self, state: State, verdict: Verdict) -> bool:
        """Whether the evidence for a step is too little to let it stand."""
        little = verdict.score is not None and verdict.score < self.doubt
        return little and state.kind == "step" and state.data not in self.doubted
