"""Sentences in which the model is unsure of a word, by how likely it was to write it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import exp
from typing import Literal

from agentflow.domains import answers
from agentflow.monitors.monitor import Context, Increment, Intervention, Memory, Monitor
from agentflow.state import State
from agentflow.verdict import Verdict

_ENDS = re.compile(r"[.!?][\"'\u201d\u2019)\]*_]*\Z")
_WORD = re.compile(r"\w")
_LONGEST = 2000
"""Letters of a sentence; a longer one is none."""


@dataclass(frozen=True, slots=True)
class Unsure(Monitor):
    """Ends the stream behind a sentence with a word that was unlikely, for it to be looked up and
    written again (FLARE, Jiang et al. 2023, section 3.2).

    The state ``unsure`` begins where the sentence does. Its data are the sentence, the ``least``
    probability of its words, a ``query``: the words that were at least ``kept`` likely, or all of
    them where none were, and whether it is the ``last`` of the text. The first sentence behind what
    was looked up is taken as it is written, and so is one of which nothing but the beginning of an
    answer is likely: to look up ``Answer:`` finds nothing.

    Its verdicts are about nothing that could be right or wrong: they cannot tell.

    Attributes:
        sure: The probability below which a word is unsure.
        kept: The probability below which a word is left out of the query.
        known: Queries that were searched for already.
    """

    sure: float
    kept: float
    known: frozenset[str] = frozenset()
    name: str = "unsure"
    reads: Literal["line", "token"] = "token"

    def start(self) -> Memory:
        return {"at": None, "parts": [], "told": False}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        if increment.boundary == "end":
            return self.start(), self._found(memory, increment.offset, last=True)
        if increment.boundary:
            states = self._found(memory, increment.offset) if increment.boundary == "close" else []
            return self.start() | {"told": increment.boundary == "feedback"}, states
        text, states = increment.text, list[State]()
        before = "".join(part for part, _ in memory["parts"])
        if _ENDS.search(before) and text[:1].isspace():
            states = self._found(memory, increment.offset)
            memory, before = self._after(memory), ""
        at = increment.offset if memory["at"] is None else memory["at"]
        memory = {**memory, "at": at, "parts": [*memory["parts"], [text, likely(increment)]]}
        if text.endswith("\n") or len(before) + len(text) > _LONGEST:
            states += self._found(memory, increment.offset + len(text))
            memory = self._after(memory)
        return memory, states

    def _after(self, memory: Memory) -> Memory:
        """The memory behind a sentence; blank lines are none."""
        said = any(_WORD.search(text) for text, _ in memory["parts"])
        return self.start() | {"told": memory["told"] and not said}

    def _found(self, memory: Memory, end: int, *, last: bool = False) -> list[State]:
        """The state of a sentence that ends there, where it is unsure."""
        words = [(text, one) for text, one in memory["parts"] if _WORD.search(text)]
        least = min((one for _, one in words), default=1.0)
        sentence = "".join(text for text, _ in memory["parts"])
        if memory["told"] or least >= self.sure or len(sentence) > _LONGEST:
            return []
        kept = "".join(text if one >= self.kept else " " for text, one in memory["parts"])
        query = " ".join((kept if _WORD.search(kept) else sentence).split())
        if query in self.known or (answers.statements(sentence) and not answers.statements(kept)):
            return []
        data = {"sentence": sentence.strip(), "least": least, "query": query, "last": last}
        return [State("unsure", data, memory["at"], end)]

    async def verify(self, state: State, context: Context) -> Verdict:
        reason = f"a word with a probability of {state.data['least']:.2f}"
        return Verdict(None, reason, "unsure", source=self.name)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        return Intervention("feedback", state.end, "", verdict.reason, self.name)


def likely(increment: Increment) -> float:
    """The probability of the token that ends in an increment; at most that of the least likely
    alternative that was told, where it is none of them; 1 where none were told."""
    if not increment.top:
        return 1.0
    same = (one for text, one in increment.top if text.rpartition("\n")[2] == increment.text)
    own = next(same, min(one for _, one in increment.top))  # a line begins within a token, too
    return exp(min(own, 0.0))
