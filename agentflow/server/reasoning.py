"""The thinking as it is streamed to a client: one reader of a run's events.

What was sent cannot be unsent. Where a method takes text back, a note in the stream says how much
of it, and the field ``agentflow`` of the same chunk says it for programs; whoever applies the notes
has the thinking that stands at the end. The answer is never part of it: that is sent once, when it
is final.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, NamedTuple

from agentflow.run import Result
from agentflow.server import wire
from agentflow.thinking import unfinished


class Delta(NamedTuple):
    """Text to send, and what it is: None for thinking, else the intervention it is a note of."""

    text: str
    intervention: dict[str, Any] | None = None


@dataclass(slots=True)
class Reasoning:
    """What of a run's text was sent, as a fold over its events.

    Until the run says what markers its model has, and where it has none, nothing is thinking.
    """

    _body: io.StringIO = field(default_factory=io.StringIO)
    _open: str = ""
    _close: str = ""
    _closed: int | None = None
    """Where the thinking ended; what follows is the answer, which is held back."""
    _hidden: int = 0
    """Characters at the beginning that are the opening marker, or may become it."""
    _held: str = ""
    """The last characters of the thinking, where they may become the closing marker."""

    def take(self, event: dict[str, Any]) -> Iterator[Delta]:
        """What an event gives to send; of branches but the first, nothing."""
        if event.get("branch"):
            return
        if event["type"] == "markers":
            self._open, self._close = str(event["open"]), str(event["close"])
        elif event["type"] == "token":
            yield from self._grow(str(event["text"]))
        elif event["type"] == "intervention":
            sent, offset = self._sent, int(event["offset"])
            self._body.seek(offset)
            self._body.truncate()
            if self._closed is not None and offset <= self._closed:
                self._closed = None
            self._held = ""  # what stands in front of a note is no part of a marker
            self._hide()
            kept = min(sent, self._sent)
            yield _note(event["kind"], sent - kept, kept, str(event["monitor"]))
            yield from self._send(kept)
            yield from self._grow(str(event["text"]))

    def end(self, result: Result) -> Iterator[Delta]:
        """What is still to send so that the thinking which stands is the result's."""
        thinking = wire.thinking(result)
        start = self._hidden
        standing = self._body.getvalue()[start : start + self._sent]
        if not result.operations:
            return
        shared = zip(thinking, standing, strict=False)
        kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], shared))
        if kept < len(standing):
            yield _note("result", len(standing) - kept, kept, "")
        if kept < len(thinking):
            yield Delta(thinking[kept:])

    @property
    def _sent(self) -> int:
        """Characters of thinking that were sent and stand."""
        if not self._close:
            return 0
        end = self._body.tell() if self._closed is None else self._closed
        return max(0, end - self._hidden - len(self._held))

    def _hide(self) -> None:
        """See how much of the beginning is the opening marker."""
        head = self._body.getvalue()[: self._closed][: len(self._open)]
        self._hidden = len(head) if self._open.startswith(head) else 0

    def _grow(self, text: str) -> Iterator[Delta]:
        """Text behind what stands; of it, the thinking is sent."""
        start, sent = self._body.tell(), self._sent
        self._body.write(text)
        if self._closed is not None or not self._close:
            return
        new = self._held + text
        at = new.find(self._close)
        if at >= 0:
            self._closed, self._held = start - len(self._held) + at, ""
        else:
            self._held = new[len(new) - unfinished(new, [self._close]) :]
        if start < len(self._open):
            self._hide()
        yield from self._send(sent)

    def _send(self, sent: int) -> Iterator[Delta]:
        """The thinking behind what was sent."""
        if (more := self._sent - sent) > 0:
            self._body.seek(self._hidden + sent)
            thought = self._body.read(more)
            self._body.seek(0, io.SEEK_END)
            yield Delta(thought)


def _note(kind: str, taken: int, kept: int, monitor: str) -> Delta:
    """The note of an intervention.

    Args:
        taken: Characters of thinking that no longer stand.
        kept: Characters of it that do.
    """
    what = f"the last {taken} characters are taken back" if taken else "nothing is taken back"
    by = f" by {monitor}" if monitor else ""
    intervention = {"kind": kind, "monitor": monitor, "taken_back": taken, "kept": kept}
    return Delta(f"\n[agentflow: {kind}{by}: {what}]\n", intervention)
