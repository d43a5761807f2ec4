"""Stop thinking once the candidate answer has been the same k times in a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from zlib import crc32

from agentflow.domains.protocol import Domain
from agentflow.monitors.protocol import CONTINUE, Context, Increment, Intervention, Memory
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict

_LINES = 64
"""Lines of a run of equal answers that are remembered."""


@dataclass(frozen=True, slots=True)
class KStable:
    """k-stable answer (interwhen, section 4.2); answers are compared in the domain's normal form.

    A line that says again, letter for letter, what was counted before counts no more: a loop is no
    stable answer.

    Attributes:
        k: How many times in a row the same candidate must be stated.
    """

    problem: Problem
    domain: Domain
    k: int = 2
    name: str = "kstable"
    reads: Literal["line", "token"] = "line"

    def start(self) -> Memory:
        return {"answer": None, "count": 0, "grammar": {}, "lines": []}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        if increment.boundary:  # said again behind what another said, it counts
            return {**memory, "lines": []}, []
        if increment.answering:
            return memory, []
        grammar, found = self.domain.extract(
            self.problem, increment.text, increment.offset, memory["grammar"]
        )
        if grammar is not memory["grammar"]:
            memory = {**memory, "grammar": grammar}
        states = []
        for state in found:
            answer = self.domain.candidate(self.problem, state)
            if answer is None:
                continue
            same = answer == memory["answer"]
            lines = memory["lines"] if same else []
            line = crc32(" ".join(increment.text.split()).encode("utf-8", "surrogatepass"))
            if line in lines:
                continue
            count, lines = memory["count"] + 1 if same else 1, [*lines, line][-_LINES:]
            memory = {**memory, "answer": answer, "count": count, "lines": lines}
            data = {"answer": answer, "count": count}
            states.append(State("stable_answer", data, state.start, state.end))
        return memory, states

    async def verify(self, state: State, context: Context) -> Verdict:
        """Passes while the answer is not stable: False means that thinking may end."""
        count = state.data["count"]
        if count < self.k:
            return Verdict(True, source=self.name)
        reason = f"the same answer {count} times in a row"
        return Verdict(False, reason, "stable", source=self.name, evidence=dict(state.data))

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        if verdict.ok is None:
            return CONTINUE
        return Intervention("close", state.end, "", verdict.reason, self.name)
