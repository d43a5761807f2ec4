"""Stop thinking once the candidate answer has been the same k times in a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal
from zlib import crc32

from agentflow.domains.protocol import Domain
from agentflow.monitors.monitor import Context, Increment, Memory, Monitor
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict

_SAID = 2
"""How often the same line counts: an answer checked and stated again is stable, a loop is not."""
_LINES = 64
"""Lines of a run of equal answers that are remembered."""


@dataclass(frozen=True, slots=True)
class KStable(Monitor):
    """k-stable answer (interwhen, section 4.2); answers are compared in the domain's normal form.

    An answer of parts that the domain counts apart is stable once each of them is. A domain that
    can ask whether two texts say the same is asked about those whose normal forms differ. A line
    that was counted twice counts no more when it is said again letter for letter: a loop is no
    stable answer.

    Attributes:
        k: How many times in a row the same candidate must be stated.
    """

    problem: Problem
    domain: Domain
    k: int = 2
    name: str = "kstable"
    reads: Literal["line", "token"] = "line"

    def start(self) -> Memory:
        return {"counts": {}, "count": 0, "grammar": {}, "lines": []}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        if increment.boundary:  # said again behind what another said, it counts
            return {**memory, "lines": []}, []
        if increment.answering:
            return memory, []
        grammar, found = self.domain.extract(
            self.problem, increment.text, increment.offset, memory["grammar"]
        )
        if grammar is not memory["grammar"]:
            memory = {**memory, "grammar": grammar}
        states = []
        for state in found:
            answer = self.domain.candidate(self.problem, state)
            if answer is None:
                continue
            stated, counts = self.domain.statements(self.problem, state), dict(memory["counts"])
            same = all(counts.get(name, (None,))[0] == form for name, form in stated)
            lines = memory["lines"] if same else []
            line = crc32(" ".join(increment.text.split()).encode("utf-8", "surrogatepass"))
            if lines.count(line) >= _SAID:
                continue
            for name, form in stated:
                before, count = counts.get(name, (None, 0))
                counts[name] = [form, count + 1 if form == before else 1]
            least = min(n for _, n in counts.values())
            said = {"counts": counts, "count": least, "lines": [*lines, line][-_LINES:]}
            memory = {**memory, **said}
            data = {"answer": answer, "count": memory["count"]}
            if self._asks:
                data["stated"] = state.data["stated"]
            states.append(State("stable_answer", data, state.start, state.end))
        return memory, states

    async def verify(self, state: State, context: Context) -> Verdict:
        """Passes while the answer is not stable: False means that thinking may end."""
        count = state.data["count"]
        if count < self.k and self._asks:
            count = await self._counted([*context.earlier, state])
        if count < self.k:
            return Verdict(True, source=self.name)
        reason = f"the same answer {count} times in a row" if count > 1 else "an answer was stated"
        evidence = {**state.data, "count": count}
        return Verdict(False, reason, "stable", source=self.name, evidence=evidence)

    @property
    def _asks(self) -> bool:
        """Whether texts of different normal forms may be found to say the same."""
        return type(self.domain).same is not Domain.same

    async def _counted(self, states: Sequence[State]) -> int:
        """How often in a row the same was stated under each counter, at most k: the least."""
        stated: dict[str, list[str]] = {}
        for state in states:
            for name, text in state.data.get("stated", ()):
                stated.setdefault(name, []).append(text)
        least = self.k if stated else 0
        for texts in stated.values():
            last = texts[-self.k :]
            count = 1
            for one, other in pairwise(reversed(last)):
                if one != other and not await self.domain.same(self.problem, other, one):
                    break
                count += 1
            least = min(least, count)
        return least
