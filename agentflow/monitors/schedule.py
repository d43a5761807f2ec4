"""Where in a stream a rule is asked: its check points."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agentflow.monitors.protocol import LOOKBACK, Increment, Memory

HESITATIONS = (
    *("Wait", "double-check", "Alternatively", "Hmm", "Let me check", "Alright", "make sure"),
    *("Another way", "Let me verify", "to confirm", "Looking back", "But wait"),
)
"""Words at which a model hesitates (paper 002, section 3.2)."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """When to check: behind every ``paragraph`` or ``line``, every so many ``tokens``, or before
    every ``keyword``.

    Attributes:
        every: For tokens, how many; else one in so many places counts.
    """

    at: Literal["paragraph", "line", "tokens", "keyword"] = "paragraph"
    every: int = 1
    keywords: Sequence[str] = ("Wait",)

    @property
    def reads(self) -> Literal["line", "token"]:
        return "line" if self.at in ("paragraph", "line") else "token"

    def step(self, memory: Memory, increment: Increment) -> tuple[Memory, int | None]:
        """Read an increment of thinking; returns the memory and where a check point is, if one is.

        ``memory`` is ``{}`` at first.
        """
        end = increment.offset + len(increment.text)
        match self.at:
            case "tokens":
                count = memory.get("count", 0) + increment.tokens
                return {"count": count % self.every}, end if count >= self.every else None
            case "keyword":
                return self._keyword(memory, increment)
            case "line":
                found = bool(increment.text.strip())
            case "paragraph":
                blank = not increment.text.strip() and increment.text.endswith("\n")
                found = blank and memory.get("begun", False)
                memory = {**memory, "begun": not blank}
        return self._nth(memory, end if found else None)

    def _nth(self, memory: Memory, place: int | None) -> tuple[Memory, int | None]:
        """Every ``every``th place."""
        if place is None:
            return memory, None
        count = memory.get("count", 0) + 1
        return {**memory, "count": count % self.every}, place if count >= self.every else None

    def _keyword(self, memory: Memory, increment: Increment) -> tuple[Memory, int | None]:
        """A keyword is found once something behind it shows that it is a whole word."""
        recent = [*memory.get("recent", ()), (increment.offset, increment.text)][-LOOKBACK:]
        text = "".join(part for _, part in recent)
        words = "|".join(map(re.escape, sorted(self.keywords, key=len, reverse=True)))
        place = None
        for found in re.finditer(rf"\b(?:{words})\b(?=\W)", text, re.IGNORECASE):
            at = recent[0][0] + found.start()
            starts = [offset for offset, part in recent if offset <= at < offset + len(part)]
            if starts and starts[0] > memory.get("last", -1):
                place = starts[0]
        if place is None:
            return {**memory, "recent": recent}, None
        return self._nth({**memory, "recent": recent, "last": place}, place)
