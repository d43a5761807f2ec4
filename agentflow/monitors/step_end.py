"""Where a step ends, and a monitor that ends the stream there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentflow.monitors.monitor import Context, Increment, Intervention, Memory, Monitor
from agentflow.state import State
from agentflow.verdict import Verdict


def first_step(text: str, mark: str) -> str | None:
    """The first step of a text, with what ends it; None while it has no end. Blank lines in front
    belong to it.

    Args:
        mark: What ends a step: a line break, or two.
    """
    said = len(text) - len(text.lstrip())
    end = text.find(mark, said)
    return text[: end + len(mark)] if end >= 0 else None


@dataclass(frozen=True, slots=True)
class StepEnd(Monitor):
    """Ends the stream behind one step, so that somebody else may write the next one.

    Its verdicts are about nothing that could be right or wrong: they cannot tell. Behind the
    thinking a stream goes on to its end.

    Attributes:
        mark: What ends a step.
        tokens: A step that has no end by then ends there.
        thinks: Whether the model thinks apart from its answer.
    """

    mark: str
    tokens: int
    thinks: bool
    name: str = "step_end"
    reads: Literal["line", "token"] = "token"

    def start(self) -> Memory:
        return {"begun": "", "tokens": 0}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        if increment.boundary or (self.thinks and increment.answering):
            return self.start(), []
        begun, tokens = memory["begun"] + increment.text, memory["tokens"] + increment.tokens
        if first_step(begun, self.mark) is None and tokens < self.tokens:
            return {"begun": begun, "tokens": tokens}, []
        end = increment.offset + len(increment.text)
        return self.start(), [State("own_step", {"tokens": tokens}, end, end)]

    async def verify(self, state: State, context: Context) -> Verdict:
        return Verdict(None, "the solver's own step ends", "step_end", source=self.name)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        return Intervention("feedback", state.end, "", verdict.reason, self.name)
