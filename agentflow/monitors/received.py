"""What has come of one stream: its tokens, shown as they come, then one segment of the trace."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Any

from agentflow.first import First
from agentflow.models.model import Token
from agentflow.monitors.stream_result import Drawn
from agentflow.trace import Segment, Trace

Emit = Callable[[dict[str, Any]], None]
_TOKENS_PER_EVENT = 16
_SECONDS_PER_EVENT = 0.1
_DRAWN = 1024
"""So many tokens back a line is looked for that a verdict refuses: the stream goes on meanwhile."""


class Received:
    """The tokens of one stream behind a trace.

    Attributes:
        start: Where the stream begins in the body of the trace.
        pieces: The text of each token.
        ids: Their ids, of those that have one.
        ends: Where each ends, counted from ``start``.
        generated: How many tokens were generated for them.
        drawn: The last tokens that came with alternatives.
    """

    def __init__(self, trace: Trace, emit: Emit) -> None:
        self._trace, self._emit = trace, emit
        self._base = Trace(trace.operations)
        self.start = len(trace.body)
        self.pieces: list[str] = []
        self.ids: list[int] = []
        self.ends: list[int] = []
        self.generated = 0
        self.drawn: deque[Drawn] = deque(maxlen=_DRAWN)
        self._shown = 0
        self._joined, self._text = 0, ""
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

    def take(self, token: Token, at: int) -> None:
        """Receive one token, which begins at ``at`` of the body; where it ends is for the reader to
        say."""
        if token.id is not None:
            self.ids.append(token.id)
        self.pieces.append(token.text)
        self.generated += token.generated
        if token.top:
            self.drawn.append(Drawn(at, token.text, token.logprob, token.top))

    def line_until(self, end: int, body: str) -> list[Drawn]:
        """The tokens of the last line of the body up to ``end``."""
        start = body.rfind("\n", 0, max(end - 1, 0)) + 1
        return [one for one in self.drawn if start <= one.at < end]

    def trace_at(self, end: int, tokens: int) -> Trace:
        """The trace as it was at ``end`` of the body, in the first ``tokens`` of this stream."""
        text, ids = self._text_of(tokens), First(self.ids, min(tokens, len(self.ids)))
        trace = self._base.and_then(Segment("generated", text, ids, First(self.ends, tokens)))
        trace.cut(end)
        return trace

    def _text_of(self, tokens: int) -> str:
        """The text of the first tokens; what was joined before is not joined again."""
        if tokens < self._joined:
            return "".join(self.pieces[:tokens])
        self._text += "".join(self.pieces[self._joined : tokens])
        self._joined = tokens
        return self._text

    def append_to_trace(self) -> None:
        """Put what was received into the trace as one segment."""
        if self.pieces:
            text = "".join(self.pieces)
            self._trace.append(Segment("generated", text, tuple(self.ids), tuple(self.ends)))
