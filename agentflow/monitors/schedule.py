"""Where in a stream a rule is asked: its check points."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
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
    every ``keyword``, whatever its case.

    Attributes:
        every: For tokens, how many; else one in so many places counts.
        keywords: Not empty, none of them empty.
    """

    at: Literal["paragraph", "line", "tokens", "keyword"] = "paragraph"
    every: int = 1
    keywords: Sequence[str] = ("Wait",)

    @property
    def reads(self) -> Literal["line", "token"]:
        return "line" if self.at in ("paragraph", "line") else "token"

    def step(self, memory: Memory, increment: Increment) -> tuple[Memory, int | None]:
        """Read an increment of thinking; returns the memory and where a check point is, if one is.

        ``memory`` is ``{}`` at first. No word goes on behind a boundary.
        """
        if self.at == "keyword":
            return self._keyword(memory, increment)
        if increment.boundary:
            return memory, None
        end = increment.offset + len(increment.text)
        if self.at == "tokens":
            count = memory.get("count", 0) + increment.tokens
            return {"count": count % self.every}, end if count >= self.every else None
        said = bool(increment.text.strip())
        if self.at == "paragraph":
            begun = memory.get("begun", False)
            ends = begun and not said and increment.text.endswith("\n")
            memory = {**memory, "begun": said or (begun and not ends)}
            said = ends
        return self._nth(memory, end if said else None)

    def _nth(self, memory: Memory, place: int | None) -> tuple[Memory, int | None]:
        """Every ``every``th place."""
        if place is None:
            return memory, None
        count = memory.get("count", 0) + 1
        return {**memory, "count": count % self.every}, place if count >= self.every else None

    def _keyword(self, memory: Memory, increment: Increment) -> tuple[Memory, int | None]:
        """A keyword is found once something behind it shows that it is a whole word.

        The memory holds ``begun``, the increments from the one in which a keyword may have begun,
        and the letter ``before`` them.
        """
        if increment.boundary:
            return {"count": memory.get("count", 0)}, None
        begun, before = memory.get("begun", ()), memory.get("before", "")
        text = before + "".join(part for _, part in begun) + increment.text
        place, kept = None, len(text)
        for found in _pattern(tuple(self.keywords)).finditer(text, len(before)):
            if found["word"] is None:
                kept = found.start()
                break
            offset = increment.offset + len(increment.text) - len(text) + found.start()
            start = _start((*begun, (increment.offset, increment.text)), offset)
            memory, here = self._nth(memory, start)
            place = start if here is None else here
        return {}, place


def _start(parts: Sequence[tuple[int, str]], offset: int) -> int:
    """Where the part that holds the character at ``offset`` starts."""
    return next(start for start, part in parts if start <= offset < start + len(part))


@lru_cache(maxsize=100)
def _pattern(keywords: tuple[str, ...]) -> re.Pattern[str]:
    """A keyword with something behind it (the group ``word``), or what may become one."""
