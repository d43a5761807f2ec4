"""Elicit: where a trace is free prose, ask its author for the states that no line of it shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from agentflow.domains.protocol import Domain
from agentflow.monitors.kstable import KStable
from agentflow.monitors.monitor import CONTINUE, Context, Increment, Intervention, Memory, Monitor
from agentflow.monitors.probes import PASSED_OVER, Prober, failed
from agentflow.monitors.schedule import Schedule
from agentflow.monitors.step_verifier import StepVerifier
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict


@dataclass(frozen=True)
class Elicit(Monitor):
    """A reader that asks, in place of one that reads lines (as interwhen's code does in thinking).

    At the places of its schedule a model is asked, beside the stream, to write down where the
    reasoning stands. The lines of its reply are read and judged by the domain as generated ones
    are: what the model thinks of them counts for nothing. The stream goes on meanwhile; an
    objection cuts it back to the place of the question. Each reply tells the reasoning from its
    beginning, so that its lines are read afresh; only the count of the candidate goes from one
    question to the next, in the evidence of the verdicts.

    Attributes:
        question: What is asked; lines of it that come back with a ``<`` in them say nothing.
        steps: Judges the steps; None to read the candidate answer alone.
        stable: Ends the thinking once the candidate was the same so often; None for never.
        apart: Whether the model thinks apart from its answer: the answer part is then not asked
            about.
        tokens: Most tokens of a reply.
    """

    problem: Problem
    domain: Domain
    prober: Prober
    question: str
    schedule: Schedule
    steps: StepVerifier | None = None
    stable: KStable | None = None
    apart: bool = True
    tokens: int = 512
    name: str = "elicit"
    reads: Literal["line"] = "line"

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        if increment.answering and self.apart:
            return memory, []
        memory, places = self.schedule.step(memory, increment)
        return memory, [State("question", {}, place.offset, place.offset) for place in places]

    async def verify(self, state: State, context: Context) -> Verdict:
        """The domain's verdict on the reply; passes where all of it passes."""
        previous = await context.previous()  # also: one question after the other, on one prefix
        if previous is not None and previous.ok is False:  # the stream is cut there
            return previous
        before = previous.evidence.get("counted", {}) if previous else {}
        try:
            async with self.prober.check("elicit", context, paced=self.schedule.paced) as due:
                if not due:
                    kept = {"counted": before}
                    return Verdict(None, PASSED_OVER, "pace", source=self.name, evidence=kept)
                reply = await self.prober.reply(context.trace(), self.question, self.tokens)
        except Exception as error:
            return failed(error, self.name, "question", counted=before)
        states = self._read(reply, state.end)
        counted = self._count(states, before)
        verdict = await self._judged(states)
        evidence = {"reply": reply, "by": "steps", "counted": counted}
        if verdict.ok is not False and self.stable is not None and counted != before:
            found = await self.stable.verify(State("stable_answer", counted), Context())
            if found.ok is False:
                verdict, evidence["by"] = found, "stable"
        return replace(verdict, evidence={**verdict.evidence, **evidence})

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        if verdict.ok is None:
            return CONTINUE
        judge = self.stable if verdict.evidence["by"] == "stable" else self.steps
        assert judge is not None, "only they object"
        return replace(judge.intervene(state, verdict, answering=answering), monitor=self.name)

    @cached_property
    def _placeholders(self) -> frozenset[str]:
        return frozenset(line.strip() for line in self.question.splitlines() if "<" in line)

    def _read(self, reply: str, offset: int) -> list[State]:
        """The states in a reply; each stands where the question was put."""
        memory: dict[str, Any] = {}
        states: list[State] = []
        for line in reply.splitlines(keepends=True):
            if line.strip() not in self._placeholders:
                memory, found = self.domain.extract(self.problem, line, offset, memory)
                states += [replace(one, start=offset, end=offset) for one in found]
        return states

    def _count(self, states: list[State], before: dict[str, Any]) -> dict[str, Any]:
        """The last candidate, and in how many replies on end it was given; one reply is one."""
        candidates = [self.domain.candidate(self.problem, one) for one in states]
        answer = next((one for one in reversed(candidates) if one is not None), None)
        if answer is None:
            return before
        count = before.get("count", 0) if answer == before.get("answer") else 0
        return {"answer": answer, "count": count + 1}

    async def _judged(self, states: list[State]) -> Verdict:
        """The first refutation; else undecided where one state is, or there is none."""
        earlier: list[State] = []
        undecided: Verdict | None = None
        steps = self.steps
        for state in states:
            if steps is None or (state.kind == "candidate" and not steps.answers):
                continue
            verdict = await steps.verify(state, Context(earlier))
            if verdict.ok is False:
                return verdict
            if verdict.ok:
                earlier.append(state)
            else:
                undecided = undecided or verdict
        if undecided is not None or earlier:
            return undecided or Verdict(True, source=self.name)
        return Verdict(None, "no state was told", "unread", source=self.name)
