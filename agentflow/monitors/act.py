"""Act: end the stream where the model has written a call of a tool (VerifiAgent, section 4.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentflow.monitors.protocol import Context, Increment, Intervention, Memory
from agentflow.state import State
from agentflow.verdict import Verdict
from agentflow.verifiers.actions import Ending, begins

_LONGEST = 8_000
"""Characters of an action, at most."""


@dataclass(frozen=True, slots=True)
class Act:
    """Asks for an observation behind every action; what the model makes up behind one is cut off.

    Its verdicts are about nothing that could be right or wrong: they cannot tell.
    """

    name: str = "act"
    reads: Literal["line", "token"] = "line"

    def start(self) -> Memory:
        return {"action": ""}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        text, end = memory["action"] + increment.text, increment.offset + len(increment.text)
        if increment.boundary == "end" and text:
            return self.start(), [_action(text, end, len(text))]
        if increment.boundary or len(text) > _LONGEST:
            return self.start(), []
        if not memory["action"] and not begins(increment.text):
            return memory, []
        ending = Ending()
        if ending.feed(text):
            assert ending.at is not None, "it has ended"
            return self.start(), [_action(text, end, ending.at)]
        return {"action": text}, []

    async def verify(self, state: State, context: Context) -> Verdict:
        return Verdict(None, "a tool is called", "action", source=self.name)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        return Intervention("feedback", state.data["end"], "", verdict.reason, self.name)


def _action(text: str, end: int, length: int) -> State:
    """The action that the first ``length`` characters of ``text`` are; ``text`` ends at ``end``."""
    start = end - len(text)
    return State("action", {"text": text[:length], "end": start + length}, start, end)
