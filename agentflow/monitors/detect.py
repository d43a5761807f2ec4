"""Detect: at a hesitation, ask whether the solution is complete (Solve-Detect-Verify)."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from agentflow.monitors.monitor import CONTINUE, Context, Increment, Intervention, Memory
from agentflow.monitors.probes import PASSED_OVER, Prober, failed
from agentflow.monitors.schedule import Schedule
from agentflow.state import State
from agentflow.verdict import Verdict

_PARAGRAPH = re.compile(r"\n\s*\n")


@dataclass(frozen=True)
class Detect:
    """Ends the thinking where the model hesitates although its solution is complete.

    The stream goes on while a probe is asked. Complete means log p(Yes) > log p(No); the thinking
    is then cut in front of the hesitation.

    Attributes:
        prober: Asks for the two probabilities.
        words: What a hesitation begins with.
        every: One in so many hesitations is asked about; ``auto``: as of a schedule.
        finish: Cut at the end of the thought that the hesitation began instead: behind its
            paragraph, or in front of the next hesitation (the paper's "continue after detected").
    """

    prober: Prober
    words: Sequence[str]
    every: int | Literal["auto"] = 1
    finish: bool = False
    name: str = "detect"
    reads: Literal["token"] = "token"

    @cached_property
    def _schedule(self) -> Schedule:
        return Schedule(at="keyword", every=self.every, keywords=tuple(self.words))

    def start(self) -> Memory:
        return {"schedule": {}, "hesitated": False, "space": ""}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        if increment.answering or not self.words:
            return memory, []
        schedule, places = self._schedule.step(memory["schedule"], increment)
        found = [State("hesitation", {}, place.offset, place.offset) for place in places]
        hesitated, text = memory["hesitated"] or bool(places), memory["space"] + increment.text
        if self.finish and memory["hesitated"] and _PARAGRAPH.search(text):
            end = increment.offset + len(increment.text)
            found, hesitated = [*found, State("thought_end", {}, end, end)], False
        space = text[len(text.rstrip()) :]
        return {"schedule": schedule, "hesitated": hesitated, "space": space}, found

    async def verify(self, state: State, context: Context) -> Verdict:
        """Passes while the thinking should go on: False means that the solution is complete."""
        previous = await context.previous()  # also: one probe after the other, on one cached prefix
        if previous is not None and previous.ok is False:
            return replace(previous, evidence={**previous.evidence, "ends": True})
        if state.kind == "thought_end":
            return Verdict(True, source=self.name)
        try:
            async with self.prober.check("probe", context, paced=self._schedule.paced) as due:
                evidence = await self.prober.completeness(context.trace()) if due else None
        except Exception as error:
            return failed(error, self.name)
        if evidence is None:
            return Verdict(None, PASSED_OVER, "pace", source=self.name, evidence={"ends": False})
        return self._judged(evidence)

    def _judged(self, probed: dict[str, Any]) -> Verdict:
        yes, no = probed["yes"], probed["no"]
        evidence = {**probed, "ends": not self.finish}
        if yes == no:  # neither was told of
            reason = "the detector told neither Yes nor No"
            return Verdict(None, reason, "probe", source=self.name, evidence=evidence)
        score = yes / (yes + no)
        if yes < no:
            return Verdict(True, "", "", score, None, self.name, evidence)
        odds = math.log(yes) - (math.log(no) if no else -math.inf)
        reason = f"the solution is complete (log-odds {odds:.1f})"
        return Verdict(False, reason, "complete", score, None, self.name, evidence)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        if verdict.ok is None or not verdict.evidence["ends"]:
            return CONTINUE
        return Intervention("close", state.end, "", verdict.reason, self.name)
