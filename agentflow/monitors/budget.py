"""End the thinking after a fixed number of tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentflow.monitors.monitor import Context, Increment, Memory, Monitor
from agentflow.state import State
from agentflow.verdict import Verdict


@dataclass(frozen=True, slots=True)
class TokenBudget(Monitor):
    """Close the thinking after ``tokens`` generated tokens (EAT, Algorithm 2; T of the others)."""

    tokens: int
    name: str = "budget"
    reads: Literal["line", "token"] = "token"

    def start(self) -> Memory:
        return {"tokens": 0}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        if increment.boundary or increment.answering:
            return memory, []
        used = memory["tokens"] + increment.tokens
        if used < self.tokens:
            return {"tokens": used}, []
        # Every token from here on objects: another monitor may have won where the first did.
        end = increment.offset + len(increment.text)
        return {"tokens": used}, [State("budget", {"tokens": used}, end, end)]

    async def verify(self, state: State, context: Context) -> Verdict:
        reason = f"the thinking budget of {self.tokens} tokens is spent"
        return Verdict(False, reason, "budget", source=self.name)
