"""The thinking as it is streamed to a client.

What was sent cannot be unsent. Where a method takes text back, a note in the stream says how much
of it, and the field ``agentflow`` of the same chunk says it for programs; whoever applies the notes
has the thinking that stands at the end. The answer is never part of it: that is sent once, when it
is final.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, NamedTuple

from agentflow.progress import Event, Progress
from agentflow.run import Result
from agentflow.server.results import thinking as thought_of


class Delta(NamedTuple):
    """Text to send, and what it is: None for thinking, else the intervention it is a note of."""

    text: str
    intervention: dict[str, Any] | None = None


@dataclass(slots=True)
class Reasoning:
    """What of a run's text is sent.

    Attributes:
        so_far: The run.
    """

    so_far: Progress = field(default_factory=Progress)

    def take(self, event: Event) -> Iterator[Delta]:
        """What an event gives to send; of branches but the first, nothing."""
        text = self.so_far.first.text
        sent = text.thought
        self.so_far.take(event)
        if event.get("branch") or event["type"] not in ("token", "intervention"):
            return
        if event["type"] == "intervention":
            kept = min(sent, text.kept)
            yield _note(event["kind"], sent - kept, kept, str(event["monitor"]))
            sent = kept
        start, end = text.thinking
        if end > start + sent:
            yield Delta(text.read(start + sent, end))

    def end(self, result: Result) -> Iterator[Delta]:
        """What is still to send so that the thinking which stands is the result's."""
        thinking = thought_of(result)
        standing = self.so_far.first.text.read(*self.so_far.first.text.thinking)
        if not result.operations:
            return
        shared = zip(thinking, standing, strict=False)
        kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], shared))
        if kept < len(standing):
            yield _note("result", len(standing) - kept, kept, "")
        if kept < len(thinking):
            yield Delta(thinking[kept:])


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
