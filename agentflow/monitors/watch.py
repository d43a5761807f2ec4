"""Drive one stream under many monitors.

The stream is not interrupted to verify a state: a verification starts when its state is
complete, the reading goes on, and a verdict that intervenes stops the reading. Then the
verifications of earlier states are waited for, the earliest intervention wins, the trace is cut
there, and every monitor's memory is put back to what it was at that place.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from time import monotonic
from types import MappingProxyType
from typing import Protocol

from agentflow.errors import ModelUnavailable, Refused, StreamBroken
from agentflow.models.model import Finish, Request, Token
from agentflow.monitors.monitor import Monitor
from agentflow.monitors.reader import Reader
from agentflow.monitors.received import Emit, Received
from agentflow.monitors.stream_result import Passed, Reading, StreamResult
from agentflow.monitors.verifications import Verifications
from agentflow.profile import Profile
from agentflow.trace import Trace


class Source(Protocol):
    """What a stream comes from: a :class:`~agentflow.models.Model`, or one made lasting."""

    @property
    def profile(self) -> Profile: ...
    def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]: ...


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
) -> StreamResult:
    """Stream one continuation of ``trace`` into it, until it ends or a monitor intervenes.

    The generated text is appended to the trace as one segment, and cut where the winning
    intervention says. Feedback itself is not appended here: that is the next step's work. An
    unobjected stream is the very request that would be sent without monitors.

    Args:
        model: Where the continuation comes from.
        trace: Grows in place; must have no leftover.
        request: The request for the continuation; its prompt is the trace.
        monitors: Earlier ones win where two intervene at the same place.
        reading: Where the stream before this one stopped reading.
        earlier: Each monitor's states on the trace so far that passed, oldest first.
        seconds: The stream is ended like one that spent its tokens when it has run so long.
        emit: Receives ``token``, ``state`` and ``verdict`` events (plain JSON) as they happen.

    Returns:
        What happened. Every verification has answered. A stream that broke is ``broken``, and
        what came of it is in the trace.

    Raises:
        ModelUnavailable, StreamBroken, Refused: If not one token came; the trace is as it was.
        BadInput: If a monitor returns what it must not.
    """
    started = monotonic()
    received = Received(trace, emit)
    verifications = Verifications(monitors, earlier, emit)
    reading, profile = reading or Reading(), model.profile
    reader = Reader(trace, monitors, reading, profile, received, verifications)
    verifications.reader = asyncio.ensure_future(reader.read(model.stream(request)))

    def abandon() -> None:
        """Stop everything, keep the text."""
        verifications.cancel()
        received.append_to_trace()
        received.show()

    finish, error = Finish("length"), None
    try:
        async with asyncio.timeout(seconds):
            finish = await verifications.reader
    except TimeoutError:
        received.show()
    except asyncio.CancelledError:
        if (task := asyncio.current_task()) is not None and task.cancelling():
            abandon()
            raise
    except (ModelUnavailable, StreamBroken, Refused) as broken:
        if not received.pieces:
            abandon()
            raise
        error = broken
        received.show()
    else:
        # A line that the budget cut short is no state yet.
        reader.end() if finish.reason == "stop" else received.show()
    try:
        stands, winner = await verifications.settle()
    except BaseException:  # cancelled, or a monitor's intervene failed
        abandon()
        raise
    received.append_to_trace()
    result = StreamResult("stop" if finish.reason == "stop" else "length", reader.reading())
    if winner is not None:
        result.ended, result.intervention = "intervened", winner.intervention()
        result.reading = winner.reading
        result.drawn = received.line_until(result.intervention.offset, trace.body)
        before = trace.wasted
        trace.cut(result.intervention.offset, result.intervention.reason)
        result.wasted = trace.wasted - before
    elif error is not None:
        result.ended, result.error = "broken", error
    feedback = result.intervention is not None and result.intervention.kind == "feedback"
    judged = [
        replace(one.judged(), corrected=feedback and one.objected_with(winner)) for one in stands
    ]
    result.judged = sorted(judged, key=lambda one: (one.state.end, one.verdict.ok is False))
    counted = finish.generated
    result.generated = received.generated if counted is None else counted
    result.estimated = isinstance(request.prompt, str) and finish.prompt is None
    result.seconds = monotonic() - started
    return result
