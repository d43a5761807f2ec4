"""End a stream that goes round in circles: the same lines or sentences, over and over."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Literal
from zlib import crc32

from pydantic import Field

from agentflow.monitors.monitor import Context, Increment, Intervention, Memory
from agentflow.settings import Times
from agentflow.state import State
from agentflow.verdict import Verdict

LONGEST = 32
"""Sentences that a circle may have."""

Rounds = Annotated[
    Times,
    Field(
        description="End what goes round in circles once the same sentences were repeated this "
        "many times; 0 for never"
    ),
]
"""The setting of :class:`Repetition`."""

_END = re.compile(r"\n|[.!?](?=\s)")
_WORD = re.compile(r"[^\W\d_]{2}")
_MAX_BEGUN = 2_000


@dataclass(frozen=True, slots=True)
class Repetition:
    """Objects where a circle of sentences (or lines) was gone round ``times`` times in a row.

    Only what is letter for letter the same counts, spaces aside; a circle has at most
    :data:`LONGEST` sentences, and one of them holds a word (rows of a table may be alike). The
    thinking is closed there, an answer is stopped. What is remembered is bounded.

    Attributes:
        times: How often the same must have been said, at least 2.
    """

    times: int = 8
    name: str = "repetition"
    reads: Literal["line", "token"] = "token"

    def start(self) -> Memory:
        return {"begun": "", "last": [], "runs": [], "answering": False}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        if increment.boundary or increment.answering != memory["answering"]:
            memory = {**self.start(), "answering": increment.answering}
        text = increment.text
        if not text:
            return memory, []
        begun = memory["begun"]
        if not _END.search(begun[-1:] + text):
            return {**memory, "begun": (begun + text)[-_MAX_BEGUN:]}, []
        last, runs, found = memory["last"], memory["runs"], 0
        *whole, begun = _units(begun + text)
        for unit in whole:
            last, runs = _next(last, runs, unit)
            found = self._rounds(last, runs) or found
        memory = {**memory, "begun": begun[-_MAX_BEGUN:], "last": last, "runs": runs}
        end = increment.offset + len(text)
        return memory, [State("repetition", {"sentences": found}, end, end)] if found else []

    def _rounds(self, last: list[list[int]], runs: list[list[int]]) -> int:
        """How many sentences the circle has that was gone round often enough; 0 for none."""
        for period, run in runs:
            if run >= (self.times - 1) * period and any(word for _, word in last[-period:]):
                return period
        return 0

    async def verify(self, state: State, context: Context) -> Verdict:
        """False: a circle is found by counting."""
        count = state.data["sentences"]
        what = "the same sentence" if count == 1 else f"the same {count} sentences"
        reason = f"{what} {self.times} times in a row"
        return Verdict(False, reason, "repetition", source=self.name, evidence=dict(state.data))

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        kind: Literal["stop", "close"] = "stop" if answering else "close"
        return Intervention(kind, state.end, "", verdict.reason, self.name)


def circles(rounds: int) -> list[Repetition]:
    """The monitor that a setting :data:`Rounds` asks for; none for 0."""
    return [Repetition(rounds)] if rounds else []


def _units(text: str) -> list[str]:
    """The sentences of a text; the last one is not whole."""
    ends = [end.end() for end in _END.finditer(text)]
    return [text[i:j] for i, j in zip([0, *ends], [*ends, len(text)], strict=True)]


def _next(
    last: list[list[int]], runs: list[list[int]], unit: str
) -> tuple[list[list[int]], list[list[int]]]:
    """Take a sentence: the last ones, and for each distance how many in a row were the same as the
    one so far before."""
    plain = " ".join(unit.split())
    if not plain:
        return last, runs
    one = crc32(plain.encode("utf-8", "surrogatepass"))
    before = {run[0]: run[1] for run in runs}
    again = [i for i, (other, _) in enumerate(reversed(last), 1) if other == one]
    runs = [[distance, before.get(distance, 0) + 1] for distance in again]
    return [*last, [one, int(_WORD.search(plain) is not None)]][-LONGEST:], runs
