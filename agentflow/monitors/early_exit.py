"""End the thinking when a rule says that it has come to its answer (EAT, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from agentflow.domains.protocol import Domain
from agentflow.errors import BadInput
from agentflow.monitors.kstable import KStable
from agentflow.monitors.monitor import Context, Increment, Memory, Monitor
from agentflow.monitors.probes import PASSED_OVER, Prober, failed
from agentflow.monitors.rules import Rule, stops
from agentflow.monitors.schedule import Schedule
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import VERIFIER_ERROR, Verdict


@dataclass(frozen=True)
class EarlyExit(Monitor):
    """Rules at the check points of a schedule.

    A check point is a state; verifying it asks the probes that the rules need and takes their
    signals into the rules. The stream goes on meanwhile; a decision cuts it back to the check
    point, so that what comes out is what a stream that waited would give. What the rules remember
    stands in the evidence of the verdicts: so it survives a checkpoint and is no state of its own.

    Attributes:
        rules: What decides; names are unique.
        combine: Whether ``any`` rule is enough, or ``all`` must stop at the same check point.
        rollouts: Who rolls answers out, where that is not who tells the other signals.
        to_end: Also ask where the thinking was closed, for recordings; no rule is asked there.
    """

    problem: Problem
    domain: Domain
    prober: Prober
    rules: Sequence[Rule]
    schedule: Schedule
    combine: Literal["any", "all"] = "any"
    rollouts: Prober | None = None
    to_end: bool = False
    name: str = "early_exit"

    @property
    def reads(self) -> Literal["line", "token"]:
        return self.schedule.reads

    def start(self) -> Memory:
        return {"schedule": {}, "tokens": 0, "line": "", "candidates": self._candidates.start()}

    @cached_property
    def _candidates(self) -> KStable:
        return KStable(self.problem, self.domain)

    @cached_property
    def _needed(self) -> frozenset[str]:
        return frozenset(rule.signal for rule in self.rules)

    @cached_property
    def _role(self) -> str:
        """Of the model that is asked, in the ledger."""
        return "probe" if self._needed & {"entropy", "confidence"} else "rollout"

    @cached_property
    def _paced(self) -> bool:
        return self.schedule.paced and bool(self._needed & {"entropy", "confidence", "answers"})

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        if increment.answering:
            return memory, []
        memory = {**memory, "tokens": memory["tokens"] + increment.tokens}
        stated = False
        if self._reads_candidates:
            memory["line"] += increment.text
            if "\n" in increment.text or increment.boundary:
                stated = self._read(memory, increment)
        memory["schedule"], places = self.schedule.step(memory["schedule"], increment, stated)
        data = {"stable": memory["candidates"]["count"], "stated": stated}
        if self.to_end and increment.boundary == "close":
            end = increment.offset
            return memory, [State("end", {"tokens": memory["tokens"], **data}, end, end)]
        return memory, [
            State(
                "check_point",
                {"tokens": memory["tokens"] - at.behind, **data},
                at.offset,
                at.offset,
            )
            for at in places
        ]

    @cached_property
    def _reads_candidates(self) -> bool:
        return "stable" in self._needed or self.schedule.at == "candidate"

    def _read(self, memory: Memory, increment: Increment) -> bool:
        """Keep the line begun in a new memory, and the candidates in those that are whole; whether
        one is in them."""
        line, candidates = memory["line"], memory["candidates"]
        offset = increment.offset + len(increment.text) - len(line)
        *whole, rest = line.split("\n")
        if increment.boundary and rest:  # something else follows: the line is whole as it is
            whole, rest = [*whole, rest], ""
        stated = False
        for text in whole:
            part = Increment(f"{text}\n", offset, 0, False)
            candidates, found = self._candidates.feed(candidates, part)
            stated |= bool(found)
            offset += len(part.text)
        memory["line"], memory["candidates"] = rest, candidates
        return stated

    async def verify(self, state: State, context: Context) -> Verdict:
        """Passes while the thinking should go on: False means that it may end."""
        previous = await context.previous()  # also: one probe after the other, on one cached prefix
        if previous is not None and previous.ok is False:  # the thinking ends there
            return previous
        before = previous.evidence.get("rules", {}) if previous else {}
        try:
            async with self.prober.check(self._role, context, paced=self._paced) as due:
                values = await self._signals(state, context) if due else None
        except Exception as error:
            return failed(error, self.name, rules=before)
        if values is None:
            evidence = {"rules": before}
            return Verdict(None, PASSED_OVER, "pace", source=self.name, evidence=evidence)
        if state.kind == "end":
            evidence = {"signals": values, "rules": before}
            return Verdict(True, source=self.name, evidence=evidence)
        try:
            rules, fired = stops(self.rules, self.combine, before, values)
        except BadInput as error:  # a rule that fails cannot tell, and remembers what it did before
            evidence = {"signals": values, "rules": before}
            return Verdict(None, str(error), VERIFIER_ERROR, source=self.name, evidence=evidence)
        evidence = {"signals": values, "rules": rules}
        if not fired:
            return Verdict(True, source=self.name, evidence=evidence)
        reason = f"{' and '.join(fired)} after {state.data['tokens']} tokens"
        return Verdict(False, reason, "exit", source=self.name, evidence=evidence)

    async def _signals(self, state: State, context: Context) -> dict[str, Any]:
        """What the rules need; only that is asked for."""
        values: dict[str, Any] = {**state.data}
        probes = (
            ("entropy", self.prober.entropy),
            ("confidence", self.prober.confidence),
            ("answers", (self.rollouts or self.prober).sampled),
        )
        for signal, probe in probes:
            if signal in self._needed:
                values |= await probe(context.trace())
        if self.prober.settings.controls:
            values |= await self.prober.controls(context.trace())
        return values
