"""Have the model think on: take back the end of its thinking, and put a word in its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentflow.monitors.monitor import Context, Increment, Intervention, Memory, Monitor
from agentflow.state import State
from agentflow.verdict import Verdict


@dataclass(frozen=True, slots=True)
class ThinkOn(Monitor):
    """Budget forcing's lower bound (s1, section 3.1): the first ends of the thinking do not count.

    Its verdicts are about nothing that could be right or wrong: they cannot tell.

    Attributes:
        close: What ends the thinking, for example ``</think>``.
        times: How many ends are taken back.
        word: What stands there instead; the model goes on behind it.
    """

    close: str
    times: int
    word: str = "Wait"
    name: str = "think_on"
    reads: Literal["line", "token"] = "token"

    def start(self) -> Memory:
        return {"ends": 0}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        if increment.boundary != "close" or increment.answering or memory["ends"] >= self.times:
            return memory, []
        end, ends = increment.offset, memory["ends"] + 1
        data = {"number": ends, "thinking": end - len(self.close)}
        return {"ends": ends}, [State("end", data, end, end)]

    async def verify(self, state: State, context: Context) -> Verdict:
        number = state.data["number"]
        reason = f"end {number} of the {self.times} that are taken back"
        return Verdict(None, reason, "end", source=self.name)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        at = state.data["thinking"]
        return Intervention("feedback", at, self.word, verdict.reason, self.name)
