"""What has come of one stream: its tokens, shown as they come, then one segment of the trace."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from agentflow.trace import Segment, Trace

Emit = Callable[[dict[str, Any]], None]
_TOKENS_PER_EVENT = 16
_SECONDS_PER_EVENT = 0.1


class Received:
    """The tokens of one stream behind a trace.

    Attributes:
        start: Where the stream begins in the body of the trace.
        pieces: The text of each token.
        ids: Their ids, of those that have one.
        ends: Where each ends, counted from ``start``.
        generated: How many tokens were generated for them.
    """

    def __init__(self, trace: Trace, emit: Emit) -> None:
        self._trace, self._emit = trace, emit
        self._base = list(trace.operations)
        self.start = len(trace.body)
        self.pieces: list[str] = []
        self.ids: list[int] = []
        self.ends: list[int] = []
        self.generated = 0
        self._shown = 0
        self._show_by = monotonic() + _SECONDS_PER_EVENT

    def show(self) -> None:
        """Emit the text since the last event; at the latest a tenth of a second after it."""
        self._show_by = monotonic() + _SECONDS_PER_EVENT
        if self._shown < len(self.pieces):
            self._emit({"type": "token", "text": "".join(self.pieces[self._shown :])})
            self._shown = len(self.pieces)

    def show_if_due(self) -> None:
        """The same, where enough tokens or enough time have gone by."""
        if len(self.pieces) - self._shown >= _TOKENS_PER_EVENT or monotonic() > self._show_by:
            self.show()

    def trace_at(self, end: int, tokens: int) -> Trace:
        """The trace as it was at ``end`` of the body, in the first ``tokens`` of this stream."""
        trace = Trace(self._base)
        text, ids, ends = "".join(self.pieces[:tokens]), self.ids[:tokens], self.ends[:tokens]
        trace.append(Segment("generated", text, tuple(ids), tuple(ends)))
        trace.cut(end)
        return trace

    def append_to_trace(self) -> None:
        """Put what was received into the trace as one segment."""
        if self.pieces:
            text = "".join(self.pieces)
            self._trace.append(Segment("generated", text, tuple(self.ids), tuple(self.ends)))
