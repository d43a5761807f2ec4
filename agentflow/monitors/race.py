"""Samples that run a race: the first few to finish are enough (Hassid et al. 2025, "Don't Overthink
it: Preferring Shorter Thinking Chains for Improved LLM Reasoning", section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentflow.monitors.monitor import CONTINUE, Context, Increment, Intervention, Memory, Monitor
from agentflow.state import State
from agentflow.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Race(Monitor):
    """Gives a sample up once enough others have finished.

    Attributes:
        finished: Numbers of the samples that have finished; all samples of a run share this set.
        branch: This sample's number.
        first: How many are enough.
        every: After how many tokens it is looked again.
    """

    finished: set[int]
    branch: int
    first: int
    every: int = 8
    name: str = "race"
    reads: Literal["line", "token"] = "token"

    def start(self) -> Memory:
        return {"tokens": 0}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        end = increment.offset + len(increment.text)
        if increment.boundary == "end":
            return memory, [State("finished", {}, end, end)]
        tokens = memory["tokens"] + increment.tokens
        due = tokens // self.every > memory["tokens"] // self.every
        return {"tokens": tokens}, [State("running", {}, end, end)] if due else []

    async def verify(self, state: State, context: Context) -> Verdict:
        others = self.finished - {self.branch}
        if len(others) >= self.first:
            reason = f"{self.first} other samples had finished"
            return Verdict(False, reason, "late", source=self.name)
        if state.kind == "finished":
            self.finished.add(self.branch)
        return Verdict(None, "in time is not right", "race", source=self.name)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        if verdict.ok is None:
            return CONTINUE
        return Intervention("abstain", state.end, "", verdict.reason, self.name)
