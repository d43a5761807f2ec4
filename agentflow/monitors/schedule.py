"""Where in a stream a rule is asked: its check points."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    model_validator,
)
from pydantic_core import PydanticCustomError

from agentflow.monitors.monitor import LOOKBACK, Increment, Memory
from agentflow.whole_words import whole_words

Keyword = Annotated[str, Field(min_length=1, max_length=50)]
"""What a check point may stand before."""


def interval(least: int) -> BeforeValidator:
    """See that a value is a whole number from ``least`` on, or ``auto``; one error says it all."""

    def check(value: Any) -> Any:
        if value == "auto":
            return value
        try:
            whole = None if isinstance(value, bool) or int(value) != float(value) else int(value)
        except (TypeError, ValueError, OverflowError):
            whole = None
        if whole is None or whole < least:
            said = "Input should be a whole number from {least} on, or auto"
            raise PydanticCustomError("interval", said, {"least": least})
        return whole

    return BeforeValidator(check)


Every = Annotated[Annotated[int, Field(ge=1)] | Literal["auto"], interval(1)]
"""One in so many places is a check point; ``auto``: as many as what the checks cost allows."""
_OFTEN = 16
"""Tokens apart at which a check may be due where its price decides."""


class Place(NamedTuple):
    """Where a check point is: its offset in the body, how many tokens were read behind it, and the
    keyword there as it is written."""

    offset: int
    behind: int = 0
    word: str = ""


class Schedule(BaseModel):
    """When to check: behind every ``paragraph`` or ``line``, behind every line that states a
    ``candidate`` answer, every so many ``tokens``, or before every ``keyword``, whatever its case.

    As a setting, a text is the short form: what ``at`` is.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    at: Literal["paragraph", "line", "candidate", "tokens", "keyword"] = Field(
        default="paragraph",
        description="Where check points are; candidate: behind a line that states an answer",
    )
    every: Every = Field(
        default=1,
        description="One in so many places; for tokens: how many tokens apart. auto: as often as "
        "what the checks cost so far allows, at most 5 % of the run's time",
    )
    keywords: tuple[Keyword, ...] = Field(
        default=("Wait",), min_length=1, description="Before which words, for keyword"
    )

    @model_validator(mode="before")
    @classmethod
    def _unfold(cls, given: Any) -> Any:
        return {"at": given} if isinstance(given, str) else given

    @property
    def paced(self) -> bool:
        """Whether, at a check point, what the checks cost so far decides if there is one."""
        return self.every == "auto"

    @property
    def _apart(self) -> int:
        if self.every != "auto":
            return self.every
        return _OFTEN if self.at == "tokens" else 1

    @property
    def reads(self) -> Literal["line", "token"]:
        return "token" if self.at in ("tokens", "keyword") else "line"

    def step(
        self, memory: Memory, increment: Increment, stated: bool = False
    ) -> tuple[Memory, list[Place]]:
        """Read an increment of thinking; returns the memory and the check points found.

        ``memory`` is ``{}`` at first; ``stated`` says whether the increment states a candidate.
        """
        if self.at == "keyword":
            return self._keyword(memory, increment)
        if increment.boundary:
            return memory, []
        end = increment.offset + len(increment.text)
        if self.at == "tokens":
            count = memory.get("count", 0) + increment.tokens
            whole = increment.tokens and increment.text  # no letter is half there
            if count < self._apart or not whole:
                return {"count": count}, []
            return {"count": count % self._apart}, [Place(end)]
        found = stated if self.at == "candidate" else bool(increment.text.strip())
        if self.at == "paragraph":
            begun, said = memory.get("begun", False), found
            found = begun and not said and increment.text.endswith("\n")
            memory = {**memory, "begun": said or (begun and not found)}
        if not found:
            return memory, []
        count, due = self._count(memory.get("count", 0))
        return {**memory, "count": count}, [Place(end)] if due else []

    def _count(self, count: int) -> tuple[int, bool]:
        """Count one more place; returns the count and whether it is an ``every``th."""
        return (count + 1) % self._apart, count + 1 >= self._apart

    def _keyword(self, memory: Memory, increment: Increment) -> tuple[Memory, list[Place]]:
        """A keyword is found once something behind it shows that it is a whole word.

        While one may have begun, the memory keeps the increments since (``parts``), and how many
        of their letters are done with; else only the last letter.
        """
        if increment.boundary:  # no word goes on behind it
            return {"count": memory.get("count", 0)}, []
        parts, before = memory.get("parts"), memory.get("before", "")
        if parts is None:
            text = before + increment.text
            if self._pattern.search(text, len(before)) is None:
                return {"count": memory.get("count", 0), "before": text[-1:]}, []
        new = [increment.offset, increment.text, increment.tokens]
        return self._search(memory, [*(parts or ()), new], before)

    def _search(self, memory: Memory, parts: list[Any], before: str) -> tuple[Memory, list[Place]]:
        """Look for keywords in parts, of which the last is new."""
        text = before + "".join([part[1] for part in parts])
        done, first = len(text), parts[0][0] - len(before)
        count, last = memory.get("count", 0), memory.get("last")
        places: list[Place] = []
        for found in self._pattern.finditer(text, memory.get("done", len(before))):
            if found["word"] is None:  # it may become one
                done = found.start()
                break
            here = _place(parts, first + found.start())._replace(word=found["word"])
            if here.offset != last:  # two words may begin in one part
                last = here.offset
                count, due = self._count(count)
                places += [here] if due else []
        kept = [part for part in parts if part[0] + len(part[1]) > first + done][1 - LOOKBACK :]
        if not kept:
            return {"count": count, "before": text[-1:]}, places
        start = kept[0][0] - first
        before = text[max(0, start - 1) : start]
        done = max(done - start, 0) + len(before)
        memory = {"count": count, "before": before, "parts": kept, "done": done, "last": last}
        return memory, places

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """A keyword with something behind it, as ``word``; or, at the end, what may become one."""
        begun = []
        for word in sorted(self.keywords, key=len, reverse=True):
            before = r"(?<!\w)" if re.match(r"\w", word) else ""
            letters = ""
            for letter in reversed(word):
                letters = re.escape(letter) + (f"(?:{letters})?" if letters else "")
            begun.append(f"{before}{letters}")
        first = "".join(re.escape(word[0]) for word in self.keywords)
        return re.compile(
            rf"(?=[{first}])(?:(?P<word>{whole_words(self.keywords)})(?=[\s\S])"
            rf"|(?:{'|'.join(begun)})\Z)",
            re.IGNORECASE,
        )


def _place(parts: Sequence[Any], offset: int) -> Place:
    """Where the part starts that holds the character at ``offset``."""
    index = next(i for i, (start, text, _) in enumerate(parts) if offset < start + len(text))
    return Place(parts[index][0], sum(tokens for _, _, tokens in parts[index:]))
