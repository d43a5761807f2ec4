"""Drive one stream under many monitors.

The stream is not interrupted to verify a state: a verification starts when its state is
complete, the reading goes on, and a verdict that intervenes stops the reading. Then the
verifications of earlier states are waited for, the earliest intervention wins, the trace is cut
there, and every monitor's memory is put back to what it was at that place.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from types import MappingProxyType
from typing import Any, Literal, Protocol, overload

from agentflow.errors import ModelUnavailable, StreamBroken
from agentflow.models.protocol import Finish, Request, Token
from agentflow.monitors.leg import Judged, Leg, Passed, Reading
from agentflow.monitors.protocol import (
    LOOKBACK,
    Context,
    Increment,
    Intervention,
    Memory,
    Monitor,
)
from agentflow.profile import Profile
from agentflow.state import State
from agentflow.trace import LINES, Segment, Trace
from agentflow.verdict import Verdict

Emit = Callable[[dict[str, Any]], None]
_LONGEST_LINE = 4096
_TOKENS_PER_EVENT = 16
_SECONDS_PER_EVENT = 0.1


class Source(Protocol):
    """What a stream comes from: a :class:`~agentflow.models.Model`, or one made lasting."""

    @property
    def profile(self) -> Profile: ...
    def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]: ...


_Before = tuple[int, dict[str, Memory], list[str], int, int, int]
"""What stood where a token began: the position, the memories, and the line begun (its list, how
much of that, where it starts, its tokens)."""


class _First(Sequence[State]):
    """The first ``count`` states of a list that only grows, without a copy for every state."""

    def __init__(self, states: list[State], count: int) -> None:
        self._states, self._count = states, count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> State: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[State]: ...
    def __getitem__(self, index: int | slice) -> State | Sequence[State]:
        places = range(self._count)[index]
        if isinstance(places, int):
            return self._states[places]
        return [self._states[place] for place in places]


@dataclass(frozen=True, slots=True, eq=False)
class _Pending:
    """A state whose verification was started, and how far the trace was read at its end.

    ``order`` is (how many were found before those found with it, where it ends, its monitor's
    rank): as a reader that waits for every verdict would come to it.
    """

    order: tuple[int, int, int]
    monitor: Monitor
    state: State
    answering: bool
    reading: Reading
    task: asyncio.Future[Verdict]

    def judged(self) -> Judged:
        """The state with its verdict; only once the task is done."""
        return Judged(self.monitor.name, self.state, self.task.result(), self.answering)

    def objected_with(self, winner: _Pending | None) -> bool:
        """Whether the winner's feedback stands behind this state too, objected to as well."""
        return (
            winner is not None
            and self.monitor is winner.monitor
            and self.state.end == winner.state.end
            and self.intervention().kind == "feedback"
        )

    def intervention(self) -> Intervention:
        """What the verdict does to the trace; only once the task is done."""
        verdict = self.task.result()
        if verdict.ok:
            return Intervention("continue")
        return self.monitor.intervene(self.state, verdict, answering=self.answering)


async def watch(
    model: Source,
    trace: Trace,
    request: Request,
    monitors: Sequence[Monitor] = (),
    *,
    reading: Reading | None = None,
    earlier: Mapping[str, Sequence[Passed]] = MappingProxyType({}),
    seconds: float | None = None,
    emit: Emit = lambda event: None,
) -> Leg:
    """Stream one continuation of ``trace`` into it, until it ends or a monitor intervenes.

    The generated text is appended to the trace as one segment, and cut where the winning
    intervention says. Feedback itself is not appended here: that is the next step's work. An
    unobjected stream is the very request that would be sent without monitors.

    Args:
        model: Where the continuation comes from.
        trace: Grows in place; must have no leftover.
        request: The request for the continuation; its prompt is the trace.
        monitors: Earlier ones win where two intervene at the same place.
        reading: Where the leg before this one stopped reading.
        earlier: Each monitor's states on the trace so far that passed, oldest first.
        seconds: The stream is ended like one that spent its tokens when it has run so long.
        emit: Receives ``token``, ``state`` and ``verdict`` events (plain JSON) as they happen.

    Returns:
        What happened. Every verification has answered. A stream that broke is ``broken``, and
        what came of it is in the trace.

    Raises:
        ModelUnavailable, StreamBroken: If not one token came; the trace is as it was.
    """
    started = monotonic()
    reading = reading or Reading()
    watching = _Watch(trace, monitors, reading, earlier, model.profile.think_close, emit)
    watching.opens = model.profile.think_open
    watching.reader = asyncio.ensure_future(watching.read(model.stream(request)))
    finish, error = Finish("length"), None
    try:
        async with asyncio.timeout(seconds):
            finish = await watching.reader
    except TimeoutError:
        watching.show()
    except asyncio.CancelledError:
        if (task := asyncio.current_task()) is not None and task.cancelling():
            watching.abandon()
            raise
    except (ModelUnavailable, StreamBroken) as broken:
        if not watching.pieces:
            watching.abandon()
            raise
        error = broken
        watching.show()
    else:
        # A line that the budget cut short is no state yet.
        watching.end() if finish.reason == "stop" else watching.show()
    try:
        stands, winner = await watching.settle()
    except asyncio.CancelledError:
        watching.abandon()
        raise
    watching.append_to_trace()
    leg = Leg("stop" if finish.reason == "stop" else "length", watching.reading())
    if winner is not None:
        leg.ended, leg.intervention = "intervened", winner.intervention()
        leg.reading = winner.reading
        before = trace.wasted
        trace.cut(leg.intervention.offset, leg.intervention.reason)
        leg.wasted = trace.wasted - before
    elif error is not None:
        leg.ended, leg.error = "broken", error
    feedback = leg.intervention is not None and leg.intervention.kind == "feedback"
    leg.judged = [
        replace(entry.judged(), corrected=feedback and entry.objected_with(winner))
        for entry in stands
    ]
    told = finish.generated
    leg.generated = len(watching.pieces) if told is None else told
    leg.prompt = request.length if finish.prompt is None else finish.prompt
    leg.cached, leg.reasoning = finish.cached or 0, finish.reasoning
    leg.estimated = isinstance(request.prompt, str) and finish.prompt is None
    leg.seconds = monotonic() - started
    return leg


class _Watch:
    """The reading of one stream."""

    def __init__(
        self,
        trace: Trace,
        monitors: Sequence[Monitor],
        reading: Reading,
        earlier: Mapping[str, Sequence[Passed]],
        close: str,
        emit: Emit,
    ) -> None:
        self.trace, self.close, self.emit = trace, close, emit
        self.opens = ""  # the marker that begins the thinking
        self.monitors = list(monitors)
        self.by_token = [m for m in monitors if m.reads == "token"]
        self.by_line = [m for m in monitors if m.reads == "line"]
        self.memories = {m.name: reading.memories.get(m.name) or m.start() for m in monitors}
        passed = {m.name: earlier.get(m.name, ()) for m in monitors}
        self.states = {name: [state for state, _ in found] for name, found in passed.items()}
        self.last = {name: _known(found[-1][1]) for name, found in passed.items() if found}
        self.base = list(trace.operations)
        self.recent: deque[_Before] = deque(maxlen=LOOKBACK)
        self.pending: list[_Pending] = []
        self.open = 0
        self.reader: asyncio.Task[Finish] | None = None
        self.start = self.position = len(trace.body)
        self.ids: list[int] = []
        self.ends: list[int] = []
        self.pieces: list[str] = []
        self.shown = 0
        self.show_by = monotonic() + _SECONDS_PER_EVENT
        self.line = [reading.unread] if reading.unread else []
        self.line_at = reading.unread_at if reading.unread else self.start
        self.line_tokens = reading.unread_tokens
        closed = trace.split(close)[1] is not None
        last = trace.segments[-1].kind if trace.segments else "prompt"
        self.answering = closed and last != "marker"  # as it was where the reading stopped
        if last in ("feedback", "marker"):
            self.boundary("feedback" if last == "feedback" else "close")
        self.answering = closed

    def reading(self) -> Reading:
        """How far the trace was read by now."""
        return Reading(dict(self.memories), "".join(self.line), self.line_at, self.line_tokens)

    def reading_at(self, position: int) -> Reading | None:
        """How far the trace was read where one of the last tokens began; None for elsewhere."""
        for start, memories, line, pieces, line_at, line_tokens in self.recent:
            if start == position:
                return Reading(memories, "".join(line[:pieces]), line_at, line_tokens)
        return None

    async def read(self, stream: Any) -> Finish:
        """Read the stream to its end, feeding monitors on the way."""
        try:
            async for item in stream:
                if isinstance(item, Finish):
                    return item
                self.take(item)
                if self.open:  # tokens that came together must not keep verdicts waiting
                    await asyncio.sleep(0)
        finally:
            await stream.aclose()
        return Finish("stop")

    def take(self, token: Token) -> None:
        """Append one token and feed it."""
        text = token.text
        if token.id is not None:
            self.ids.append(token.id)
        self.pieces.append(text)
        if text == self.close and not self.answering:
            self.position += len(text)
            self.ends.append(self.position - self.start)
            self.boundary("close")
            self.answering = True
        elif text == self.opens and text and not self.line and not self.answering:
            self.position += len(text)  # no part of the line that begins behind it
            self.ends.append(self.position - self.start)
            self.line_at = self.position
        elif "\n" in text:
            end = self.position + len(text)
            for part in LINES.findall(text):
                self.position += len(part)
                last = self.position == end  # whoever counts tokens is told of it where it ends
                self.feed(part, int(last), complete=part.endswith("\n"))
            self.ends.append(self.position - self.start)
        else:
            self.position += len(text)
            self.ends.append(self.position - self.start)
            if self.by_token or len(self.line) >= _LONGEST_LINE:
                self.feed(text, 1, complete=len(self.line) >= _LONGEST_LINE)
            else:
                self.line.append(text)
                self.line_tokens += 1
        if len(self.pieces) - self.shown >= _TOKENS_PER_EVENT or monotonic() > self.show_by:
            self.show()

    def feed(self, text: str, tokens: int, *, complete: bool) -> None:
        """Feed text that ends at the current position; ``complete`` if a line ends with it."""
        if self.by_token:
            start = self.position - len(text)
            unread = self.line, len(self.line), self.line_at, self.line_tokens
            self.recent.append((start, self.memories.copy(), *unread))
        self.line.append(text)
        self.line_tokens += tokens
        found = list(self.complete_line()) if complete else []
        if self.by_token:
            offset = self.position - len(text)
            increment = Increment(text, offset, tokens, self.answering)
            found += self.feed_to(self.by_token, increment)
        self.begin(found, self.position)

    def complete_line(self) -> Iterable[tuple[Monitor, State]]:
        """Feed the line begun to the monitors that read lines; yields the states it completes."""
        if not self.line:
            return
        line = "".join(self.line)
        increment = Increment(line, self.line_at, self.line_tokens, self.answering)
        self.line, self.line_at, self.line_tokens = [], self.position, 0
        yield from self.feed_to(self.by_line, increment)

    def boundary(self, kind: Literal["feedback", "close", "end"]) -> None:
        """Complete the line begun and tell every monitor that something else follows."""
        end = self.line_at + sum(map(len, self.line))  # what follows it stands there already
        self.begin([*self.complete_line()], end)  # first: a cut to there also undoes the boundary
        self.line_at = self.position
        increment = Increment("", self.position, 0, self.answering, kind)
        self.begin([*self.feed_to(self.monitors, increment)], self.position)

    def feed_to(
        self, monitors: Sequence[Monitor], increment: Increment
    ) -> Iterable[tuple[Monitor, State]]:
        """Feed one increment; yields the states it completes."""
        for monitor in monitors:
            memory, states = monitor.feed(self.memories[monitor.name], increment)
            self.memories[monitor.name] = memory
            for state in states:
                yield monitor, state

    def begin(self, found: Sequence[tuple[Monitor, State]], end: int) -> None:
        """Start verifying states that reading up to ``end`` completed."""
        if not found:
            return
        self.show()
        here, before = self.reading(), len(self.pending)
        for monitor, state in found:
            reading = here if state.end == end else self.reading_at(state.end)
            if reading is None:  # the leg began since: nothing restores what stood there
                state, reading = replace(state, end=end), here
            known = self.states[monitor.name]
            context = Context(
                _First(known, len(known)),
                partial(_when_done, self.last.get(monitor.name)),
                partial(self.trace_at, state.end, len(self.pieces)),
            )
            known.append(state)
            self.emit({"type": "state", "monitor": monitor.name, "state": _plain(state)})
            task = asyncio.ensure_future(_verify(monitor, state, context))
            self.last[monitor.name] = task
            order = before, state.end, self.monitors.index(monitor)
            entry = _Pending(order, monitor, state, self.answering, reading, task)
            self.pending.append(entry)
            self.open += 1
            task.add_done_callback(partial(self.check, entry))

    def trace_at(self, end: int, tokens: int) -> Trace:
        """The trace as it was at ``end`` of the body, in the first ``tokens`` of this stream."""
        trace = Trace(self.base)
        text, ids, ends = "".join(self.pieces[:tokens]), self.ids[:tokens], self.ends[:tokens]
        trace.append(Segment("generated", text, tuple(ids), tuple(ends)))
        trace.cut(end)
        return trace

    def check(self, entry: _Pending, _: asyncio.Future[Verdict]) -> None:
        """A verdict is there: show it, and stop the reading if it intervenes."""
        self.open -= 1
        if entry.task.cancelled():
            return
        judged = entry.judged()
        shown = _plain(judged) | {"state": _plain(judged.state), "verdict": _plain(judged.verdict)}
        self.emit({"type": "verdict"} | shown)
        if self.reader is None or self.reader.done():
            return
        if entry.intervention().kind != "continue":
            self.reader.cancel()

    def end(self) -> None:
        """The stream ended by itself: nothing follows the last line."""
        self.boundary("end")
        self.show()

    async def settle(self) -> tuple[list[_Pending], _Pending | None]:
        """Wait for verdicts in the order of their states, up to the first that intervenes.

        Returns the states that stand (none ends behind the winner's) and the winner.
        """
        ordered = sorted(self.pending, key=lambda entry: entry.order)
        winner: _Pending | None = None
        stand: list[_Pending] = []
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

    def abandon(self) -> None:
        """The whole run was cancelled: stop everything, keep the text."""
        assert self.reader is not None
        self.reader.cancel()
        for entry in self.pending:
            entry.task.cancel()
        self.append_to_trace()
        self.show()

    def append_to_trace(self) -> None:
        """Put what was read into the trace as one segment."""
        if self.pieces:
            text = "".join(self.pieces)
            self.trace.append(Segment("generated", text, tuple(self.ids), tuple(self.ends)))

    def show(self) -> None:
        """Emit the text since the last event; at the latest a tenth of a second after it."""
        self.show_by = monotonic() + _SECONDS_PER_EVENT
        if self.shown < len(self.pieces):
            self.emit({"type": "token", "text": "".join(self.pieces[self.shown :])})
            self.shown = len(self.pieces)


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


async def _verify(monitor: Monitor, state: State, context: Context) -> Verdict:
    """A verifier that fails cannot tell: its failure is never a pass."""
    try:
        return await monitor.verify(state, context)
    except Exception as error:
        reason = f"the verifier failed: {type(error).__name__}: {error}"
        return Verdict(None, reason, "verifier_error", source=monitor.name)
