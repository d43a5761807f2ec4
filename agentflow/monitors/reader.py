"""The reading of one stream: lines to the monitors that read lines, tokens to those that do not.

Lines are cut here, once for all monitors, which keeps extraction below a microsecond a token. A
line that a budget cut short is not fed: it is no state yet.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from agentflow.models.model import Finish, Token
from agentflow.monitors.monitor import LOOKBACK, Increment, Memory, Monitor
from agentflow.monitors.received import Received
from agentflow.monitors.stream_result import Reading
from agentflow.monitors.verifications import Verifications
from agentflow.own_parts import ENDS, failed, read
from agentflow.profile import Profile
from agentflow.state import State
from agentflow.trace import LINES, Trace

_LONGEST_LINE = 4096

_Before = tuple[int, dict[str, Memory], list[str], int, int, int]
"""What stood where a token began: the position, the memories, and the line begun (its list, how
much of that, where it starts, its tokens)."""


class Reader:
    """Feeds monitors with a stream, and has the states that they find verified.

    Args:
        trace: What stands in front of the stream.
        reading: Where the reading of it stopped.
        profile: Of the model, with the markers around the thinking.
    """

    def __init__(
        self,
        trace: Trace,
        monitors: Sequence[Monitor],
        reading: Reading,
        profile: Profile,
        received: Received,
        verifications: Verifications,
    ) -> None:
        self.received, self.verifications = received, verifications
        self.opens, self.close = profile.think_open, profile.think_close
        self.monitors = list(monitors)
        self.by_token = [m for m in monitors if m.reads == "token"]
        self.by_line = [m for m in monitors if m.reads == "line"]
        self.memories = {m.name: reading.memories.get(m.name) or m.start() for m in monitors}
        self.recent: deque[_Before] = deque(maxlen=LOOKBACK)
        self.position = received.start
        self.line = [reading.unread] if reading.unread else []
        self.line_at = reading.unread_at if reading.unread else received.start
        self.line_tokens = reading.unread_tokens
        closed = trace.split(self.close)[1] is not None
        self.closed_at = 0 if closed else None
        last = trace.segments[-1].kind if trace.segments else "prompt"
        self.answering = closed and last != "marker"  # as it was where the reading stopped
        if last in ("feedback", "observation", "marker"):
            self.boundary("close" if last == "marker" else "feedback")
        self.answering = closed
        if reading.unread.endswith("\n"):  # another model wrote it
            self.begin([*self.complete_line()], self.position)

    def reading(self) -> Reading:
        """How far the trace was read by now."""
        return Reading(dict(self.memories), "".join(self.line), self.line_at, self.line_tokens)

    def reading_at(self, position: int) -> Reading | None:
        """How far the trace was read where one of the last tokens began; None for elsewhere."""
        for start, memories, line, pieces, line_at, line_tokens in self.recent:
            if start == position:
                return Reading(memories, "".join(line[:pieces]), line_at, line_tokens)
        return None

    async def read(self, stream: AsyncGenerator[Token | Finish, None]) -> Finish:
        """Read the stream to its end, feeding monitors on the way."""
        try:
            async for item in stream:
                if isinstance(item, Finish):
                    return item
                self.take(item)
                if self.verifications.running:  # tokens that came together keep no verdict waiting
                    await asyncio.sleep(0)
        finally:
            await stream.aclose()
        return Finish("stop")

    def take(self, token: Token) -> None:
        """Append one token and feed it."""
        received, text = self.received, token.text
        received.take(token, self.position)
        if text == self.close and not self.answering:
            self.position += len(text)
            received.ends.append(self.position - received.start)
            self.closed_at = self.position
            self.boundary("close")
            self.answering = True
        elif text == self.opens and text and not self.line and not self.answering:
            self.position += len(text)  # no part of the line that begins behind it
            received.ends.append(self.position - received.start)
            self.line_at = self.position
        elif "\n" in text:
            end = self.position + len(text)
            for part in LINES.findall(text):
                self.position += len(part)
                last = self.position == end  # the token counts once, where it ends
                top = token.top if last else ()
                self.feed(part, int(last), complete=part.endswith("\n"), top=top)
            received.ends.append(self.position - received.start)
        else:
            self.position += len(text)
            received.ends.append(self.position - received.start)
            if self.by_token or len(self.line) >= _LONGEST_LINE:
                long = len(self.line) >= _LONGEST_LINE
                self.feed(text, 1, complete=long, top=token.top)
            else:
                self.line.append(text)
                self.line_tokens += 1
        received.show_if_due()

    def feed(
        self, text: str, tokens: int, *, complete: bool, top: tuple[tuple[str, float], ...]
    ) -> None:
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
            increment = Increment(text, offset, tokens, self.answering, top=top)
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
        bare = not self.received.pieces
        self.begin([*self.feed_to(self.monitors, increment)], self.position, bare=bare)

    def feed_to(
        self, monitors: Sequence[Monitor], increment: Increment
    ) -> Iterable[tuple[Monitor, State]]:
        """Feed one increment; yields the states it completes."""
        for monitor in monitors:
            try:
                found = monitor.feed(self.memories[monitor.name], increment)
            except ENDS as error:
                raise failed(monitor, "feed", error) from error
            memory, states = read(found, monitor, "feed")
            self.memories[monitor.name] = memory
            for state in states:
                yield monitor, state

    def begin(
        self, found: Sequence[tuple[Monitor, State]], end: int, *, bare: bool = False
    ) -> None:
        """Have states verified that reading up to ``end`` completed; ``bare`` if the model wrote
        nothing that they could be about."""
        if not found:
            return
        self.received.show()
        here, whole = self.reading(), list[tuple[Monitor, State, Reading]]()
        for monitor, state in found:
            reading = here if state.end == end else self.reading_at(state.end)
            if reading is None:  # the stream began since: nothing restores what stood there
                state, reading = replace(state, end=end), here
            whole.append((monitor, state, reading))
        trace_at = partial(self.received.trace_at, tokens=len(self.received.pieces))
        self.verifications.begin(
            whole, self.answering, trace_at, closed_at=self.closed_at, bare=bare
        )

    def end(self) -> None:
        """The stream ended by itself: nothing follows the last line."""
        self.boundary("end")
        self.received.show()
