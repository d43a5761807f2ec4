"""Think slowly first, then fast (AlphaOne, Zhang et al. 2025).

... so x = 4.                before the moment: "Wait" is put behind a step, by chance, ever
Wait, ...                    less often
... so y = 2. </think>       behind it: the thinking ends where the model would say "Wait"
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Literal

from agentflow.monitors.monitor import (
    CONTINUE,
    Context,
    Increment,
    Intervention,
    Memory,
)
from agentflow.monitors.schedule import Schedule
from agentflow.state import State
from agentflow.verdict import Verdict


@dataclass(frozen=True)
class SlowThenFast:
    """AlphaOne's two phases (section 3): up to the moment, a word that has the model look again is
    put behind a step with a chance that falls linearly from 1 to 0; from then on the thinking ends
    at that word, in this very spelling.

    Its verdicts are about nothing that could be right or wrong: they cannot tell.

    Attributes:
        moment: Tokens of thinking up to the moment (the paper's alpha times the model's average).
        word: What has the model look again.
        step: What the word is put behind.
        seed: Of the chances.
    """

    moment: int
    word: str = "Wait"
    step: Literal["paragraph", "line"] = "paragraph"
    seed: int = 0
    name: str = "slow_then_fast"
    reads: Literal["token"] = "token"

    @cached_property
    def _schedule(self) -> Schedule:
        return Schedule(at="keyword", keywords=(self.word,))

    def start(self) -> Memory:
        return {"tokens": 0, "said": False, "breaks": 0, "schedule": {}}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        if increment.answering:
            return memory, []
        tokens = memory["tokens"] + increment.tokens
        schedule, places = self._schedule.step(memory["schedule"], increment)
        memory = {**memory, "tokens": tokens, "schedule": schedule}
        if tokens >= self.moment:
            data = {"thinking": tokens}
            said = (one.offset for one in places if one.word == self.word)  # "a wait" is none
            return memory, [State("fast", data, place, place) for place in said]
        memory, ended = self._step_ends(memory, increment.text)
        end = increment.offset + len(increment.text)
        slow = 1 - tokens / self.moment
        if not ended or Random(f"{self.seed}/{end}").random() >= slow:
            return memory, []
        return memory, [State("slow", {"thinking": tokens, "chance": slow}, end, end)]

    def _step_ends(self, memory: Memory, text: str) -> tuple[Memory, bool]:
        """Whether a step ends with this text, in which at most the last letter breaks a line."""
        if text.strip():
            memory = {**memory, "said": True, "breaks": 0}
        breaks = memory["breaks"] + text.endswith("\n")
        wanted = 1 if self.step == "line" else 2
        ended = memory["said"] and breaks >= wanted
        return {**memory, "said": memory["said"] and not ended, "breaks": breaks}, ended

    async def verify(self, state: State, context: Context) -> Verdict:
        thinking = state.data["thinking"]
        reason = f"{state.kind} after {thinking:,} of {self.moment:,} tokens of thinking"
        return Verdict(None, reason, state.kind, source=self.name)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        if answering:
            return CONTINUE
        if state.kind == "fast":
            return Intervention("close", state.end, "", verdict.reason, self.name)
        return Intervention("put", state.end, self.word, verdict.reason, self.name)
