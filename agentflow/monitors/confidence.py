"""How confident a model writes: the confidence of groups of tokens (DeepConf, Fu et al. 2025)."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Literal

from agentflow.monitors.monitor import (
    CONTINUE,
    Context,
    Increment,
    Intervention,
    Memory,
    Monitor,
)
from agentflow.state import State
from agentflow.verdict import Verdict

_BLOCKS = 32
"""Parts of a window; a group begins at each of them, so that a token costs the same whatever the
window is."""


@dataclass(frozen=True, slots=True)
class GroupConfidence(Monitor):
    """Measures a text as it is written, and may give it up (DeepConf).

    A token's confidence is the mean of minus the log-probabilities of its alternatives: high where
    all but one are unlikely. A group's is the mean over its tokens. Where the text ends, the state
    ``confidence`` tells the ``lowest`` group's, the ``tail``'s (the last group's) and the ``mean``
    of all tokens, in nats; in a text shorter than a group they are the same.

    Its verdicts on a whole text cannot tell: confident is not right.

    Attributes:
        window: Tokens of a group.
        floor: The text is given up at the first group whose confidence is below this, in nats;
            None for never.
    """

    window: int = 2048
    floor: float | None = None
    name: str = "confidence"
    reads: Literal["line", "token"] = "token"

    @property
    def _block(self) -> int:
        """Tokens of a part."""
        return max(1, self.window // _BLOCKS)

    def start(self) -> Memory:
        return {"tokens": 0, "total": 0.0, "block": 0.0, "blocks": [], "lowest": None}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        end = increment.offset + len(increment.text)
        if increment.boundary == "end" and memory["tokens"]:
            return memory, [State("confidence", self._measured(memory), end, end)]
        value = confidence(increment.top)
        if value is None:
            return memory, []
        memory = {
            **memory,
            "tokens": memory["tokens"] + 1,
            "total": memory["total"] + value,
            "block": memory["block"] + value,
        }
        if memory["tokens"] % self._block:
            return memory, []
        blocks = [*memory["blocks"], memory["block"]][-(self.window // self._block) :]
        memory = {**memory, "block": 0.0, "blocks": blocks}
        if len(blocks) < self.window // self._block:
            return memory, []
        group = sum(blocks) / (len(blocks) * self._block)
        lowest = group if memory["lowest"] is None else min(group, memory["lowest"])
        memory = {**memory, "lowest": lowest}
        if self.floor is None or group >= self.floor:
            return memory, []
        return memory, [State("group", {"confidence": group}, end, end)]

    def _measured(self, memory: Memory) -> dict[str, float]:
        mean = memory["total"] / memory["tokens"]
        if memory["lowest"] is None:
            return {"lowest": mean, "tail": mean, "mean": mean}
        blocks = memory["blocks"]
        tail = sum(blocks) / (len(blocks) * self._block)
        return {"lowest": memory["lowest"], "tail": tail, "mean": mean}

    async def verify(self, state: State, context: Context) -> Verdict:
        if state.kind == "confidence":
            return Verdict(None, "confident is not right", "confidence", source=self.name)
        found = state.data["confidence"]
        reason = f"{self.window} tokens with a confidence of {found:.3f}, below {self.floor:.3f}"
        return Verdict(False, reason, "confidence", source=self.name)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        if verdict.ok is None:
            return CONTINUE
        return Intervention("abstain", state.end, "", verdict.reason, self.name)


def confidence(top: tuple[tuple[str, float], ...]) -> float | None:
    """A token's confidence, in nats; None where no alternative is told.

    Args:
        top: Its alternatives, each a text and a log-probability.
    """
    found = [logprob for _, logprob in top if isfinite(logprob)]
    return -sum(found) / len(found) if found else None
