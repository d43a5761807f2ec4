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

from agentflow.profile import Profile
from agentflow.run import Result
from agentflow.show import CLOSED

_OPENED = Profile("").think_open


class Delta(NamedTuple):
    """Text to send, and what it is: None for thinking, else the intervention it is a note of."""

    text: str
    intervention: dict[str, Any] | None = None


@dataclass(slots=True)
class Reasoning:
    """What of a run's text was sent, as a fold over its events."""

    _body: io.StringIO = field(default_factory=io.StringIO)
    _closed: int | None = None
    """Where the thinking ended; what follows is the answer, which is held back."""

    def take(self, event: dict[str, Any]) -> Iterator[Delta]:
        """What an event gives to send; of branches but the first, nothing."""
        if event.get("branch"):
            return
        if event["type"] == "token":
            yield from self._grow(str(event["text"]))
        elif event["type"] == "intervention":
            before, offset = self._body.tell(), int(event["offset"])
            self._body.seek(offset)
            self._body.truncate()
            sent = before if self._closed is None else self._closed
            if self._closed is not None and offset <= self._closed:
                self._closed = None
            kept = offset if self._closed is None else self._closed
            yield _note(event["kind"], max(0, sent - kept), kept, str(event["monitor"]))
            yield from self._grow(str(event["text"]))

    def end(self, result: Result) -> Iterator[Delta]:
        """What is still to send so that the thinking which stands is the result's."""
        thinking = result.trace.split(CLOSED)[0]
        standing = self._body.getvalue()[: self._closed]
        if not result.operations:
            return
        shared = zip(thinking, standing, strict=False)
        kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], shared))
        if kept < len(standing):
            yield _note("result", len(standing) - kept, kept, "")
        if kept < len(thinking):
            yield Delta(thinking[kept:])

    def _grow(self, text: str) -> Iterator[Delta]:
        """Text behind what stands; of it, the thinking is sent."""
        start = self._body.tell()
        self._body.write(text)
        if self._closed is not None:
            return
        thought, marker, _ = text.partition(CLOSED)
        if marker:
            self._closed = start + len(thought)
        shown = thought if start else thought.removeprefix(_OPENED)
        if shown:
            yield Delta(shown)


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
