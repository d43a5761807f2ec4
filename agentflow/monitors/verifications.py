"""The verifications of one stream's states: begun as states are found, settled in their order.

A verifier that raises cannot tell, and that is never a pass. States that did not pass are
forgotten, so that later steps cannot build on them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from agentflow.first import First
from agentflow.monitors.monitor import CONTINUE, PUTS, Context, Intervention, Monitor
from agentflow.monitors.received import Emit
from agentflow.monitors.stream_result import Judged, Passed, Reading
from agentflow.own_parts import ENDS, failed, see, verdict_of
from agentflow.state import State
from agentflow.trace import Trace
from agentflow.verdict import Verdict


@dataclass(frozen=True, slots=True, eq=False)
class Verification:
    """A state whose verification was started, and how far the trace was read at its end.

    ``order`` is (how many were found before those found with it, where it ends, its monitor's
    rank): as a reader that waits for every verdict would come to it. ``closed_at`` is where the
    thinking was closed by then, None where it was not. ``bare`` is whether the model had written
    nothing since the last text that was put in.
    """

    order: tuple[int, int, int]
    monitor: Monitor
    state: State
    answering: bool
    reading: Reading
    task: asyncio.Future[Verdict]
    closed_at: int | None = None
    bare: bool = False

    def judged(self) -> Judged:
        """The state with its verdict; only once the task is done."""
        return Judged(self.monitor.name, self.state, self.task.result(), self.answering)

    def objected_with(self, winner: Verification | None) -> bool:
        """Whether the winner's feedback stands behind this state too, objected to as well."""
        return (
            winner is not None
            and self.monitor is winner.monitor
            and self.state.end == winner.state.end
            and self.intervention().kind == "feedback"
        )

    def intervention(self) -> Intervention:
        """What the verdict does to the trace; only once the task is done.

        A thinking that is closed is not closed again, and no text is put in before the model
        wrote something: else a monitor could have the run ask it again and again for nothing.

        Raises:
            BadInput: If the monitor returns none.
        """
        verdict = self.task.result()
        if verdict.ok:
            return CONTINUE
        try:
            found = self.monitor.intervene(self.state, verdict, answering=self.answering)
        except ENDS as error:
            raise failed(self.monitor, "intervene", error) from error
        fits = isinstance(found, Intervention)
        see(fits, found, self.monitor, "intervene", "an Intervention")
        closed = self.closed_at is not None and found.offset >= self.closed_at
        if (found.kind == "close" and closed) or (found.kind in PUTS and self.bare):
            return CONTINUE
        return found


class Verifications:
    """The states that were found on one stream, and the verdicts on them.

    Attributes:
        running: How many have no verdict yet.
        reader: What reads the stream: the first verdict that intervenes cancels it.
    """

    def __init__(
        self, monitors: Sequence[Monitor], earlier: Mapping[str, Sequence[Passed]], emit: Emit
    ) -> None:
        self._rank = {monitor.name: rank for rank, monitor in enumerate(monitors)}
        passed = {m.name: earlier.get(m.name, ()) for m in monitors}
        self._states = {name: [state for state, _ in found] for name, found in passed.items()}
        self._last = {name: _known(found[-1][1]) for name, found in passed.items() if found}
        self._begun: list[Verification] = []
        self._emit = emit
        self.running = 0
        self.reader: asyncio.Task[Any] | None = None

    def begin(
        self,
        found: Sequence[tuple[Monitor, State, Reading]],
        answering: bool,
        trace_at: Callable[[int], Trace],
        *,
        closed_at: int | None = None,
        bare: bool = False,
    ) -> None:
        """Start verifying states that were found together.

        Args:
            found: Each with its monitor, and how far the trace was read at its end.
            trace_at: The trace as it was at an offset of the body.
            closed_at, bare: As of :class:`Verification`.
        """
        before = len(self._begun)
        for monitor, state, reading in found:
            known = self._states[monitor.name]
            context = Context(
                First(known, len(known)),
                partial(_when_done, self._last.get(monitor.name)),
                partial(trace_at, state.end),
            )
            known.append(state)
            self._emit({"type": "state", "monitor": monitor.name, "state": _plain(state)})
            task = asyncio.ensure_future(verdict_of(monitor, "verify", state, context))
            self._last[monitor.name] = task
            order = before, state.end, self._rank[monitor.name]
            entry = Verification(order, monitor, state, answering, reading, task, closed_at, bare)
            self._begun.append(entry)
            self.running += 1
            task.add_done_callback(partial(self._done, entry))

    def _done(self, entry: Verification, _: asyncio.Future[Verdict]) -> None:
        """A verdict is there: show it, and stop the reading if it intervenes."""
        self.running -= 1
        if entry.task.cancelled():
            return
        judged = entry.judged()
        shown = _plain(judged) | {"state": _plain(judged.state), "verdict": _plain(judged.verdict)}
        self._emit({"type": "verdict"} | shown)
        if self.reader is None or self.reader.done():
            return
        try:
            goes_on = entry.intervention().kind == "continue"
        except Exception:  # nobody hears it here: who settles asks again, and does
            goes_on = False
        if not goes_on:
            self.reader.cancel()

    async def settle(self) -> tuple[list[Verification], Verification | None]:
        """Wait for verdicts in the order of their states, up to the first that intervenes.

        Returns the states that stand (none ends behind the winner's) and the winner. Raises what a
        monitor's ``intervene`` does.
        """
        ordered = sorted(self._begun, key=lambda entry: entry.order)
        winner: Verification | None = None
        stand: list[Verification] = []
        for index, entry in enumerate(ordered):
            if winner is not None and entry.order[:2] > winner.order[:2]:
                later = [entry.task for entry in ordered[index:]]
                for task in later:
                    task.cancel()
                await asyncio.gather(*later, return_exceptions=True)  # what they cost is counted
                break
            await entry.task
            stand.append(entry)
            if winner is None and entry.intervention().kind != "continue":
                winner = entry
        if winner is not None:
            stand = [entry for entry in stand if entry.state.end <= winner.state.end]
        return stand, winner

    def cancel(self) -> None:
        """Stop the reading and every verification."""
        assert self.reader is not None
        self.reader.cancel()
        for entry in self._begun:
            entry.task.cancel()


def _plain(record: State | Verdict | Judged) -> dict[str, Any]:
    """The fields of a record, not copied: ``asdict`` costs more than many a verdict."""
    return {name: getattr(record, name) for name in record.__slots__}


def _known(verdict: Verdict) -> asyncio.Future[Verdict]:
    """A verdict that is there already."""
    future: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
    future.set_result(verdict)
    return future


async def _when_done(verdict: asyncio.Future[Verdict] | None) -> Verdict | None:
    """A verdict as soon as it is there; who stops waiting does not stop the verification."""
    return None if verdict is None else await asyncio.shield(verdict)
