"""Pause the thinking every so many tokens, at the end of a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentflow.monitors.monitor import Context, Increment, Intervention, Memory, Monitor
from agentflow.state import State
from agentflow.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Pause(Monitor):
    """Ends the stream behind the line in which the thinking has had so many tokens, for something
    to be put there.

    Its verdicts are about nothing that could be right or wrong: they cannot tell. Behind the
    thinking a stream goes on to its end.

    Attributes:
        tokens: How many, since the stream began.
        thinks: Whether the model thinks apart from its answer.
    """

    tokens: int
    thinks: bool
    name: str = "pause"
    reads: Literal["line", "token"] = "line"

    def start(self) -> Memory:
        return {"tokens": 0}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        if increment.boundary or (self.thinks and increment.answering):
            return memory, []
        tokens = memory["tokens"] + increment.tokens
        if tokens < self.tokens:
            return {"tokens": tokens}, []
        end = increment.offset + len(increment.text)
        return self.start(), [State("pause", {"tokens": tokens}, end, end)]

    async def verify(self, state: State, context: Context) -> Verdict:
        reason = f"a pause after {state.data['tokens']:,} tokens"
        return Verdict(None, reason, "pause", source=self.name)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        return Intervention("feedback", state.end, "", verdict.reason, self.name)
