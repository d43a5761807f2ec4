"""A run so far, as a fold over its events: the terminal, the server and a page show views of it."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agentflow.ledger import Entries
from agentflow.thinking import unfinished

_CORRECTS = ("feedback", "put", "redraw", "retry", "rewrite")
"""Kinds of interventions that count as corrections."""

Event = dict[str, Any]


@dataclass(slots=True)
class Text:
    """The text of a trajectory, and how much of it is thinking.

    Until the run says what markers its model has, and where it has none, nothing is thinking.

    Attributes:
        open, close: The markers.
        closed: Where the thinking ended; None where it has not.
        held: The last characters of the thinking, where they may become the closing marker.
        kept: Characters of thinking that the last cut left.
    """

    open: str = ""
    close: str = ""
    closed: int | None = None
    held: int = 0
    kept: int = 0
    _hidden: int = 0
    """Characters at the beginning that are the opening marker, or may become it."""
    _body: io.StringIO = field(default_factory=io.StringIO)

    def __len__(self) -> int:
        return self._body.tell()

    def __str__(self) -> str:
        return self._body.getvalue()

    @property
    def thinking(self) -> tuple[int, int]:
        """Where the thinking begins and ends, without markers and what may become one."""
        if not self.close:
            return 0, 0
        end = len(self) if self.closed is None else self.closed
        return self._hidden, max(self._hidden, end - self.held)

    @property
    def thought(self) -> int:
        """How many characters of thinking there are."""
        start, end = self.thinking
        return end - start

    def read(self, start: int, end: int) -> str:
        """A stretch of it."""
        self._body.seek(start)
        text = self._body.read(max(0, end - start))
        self._body.seek(0, io.SEEK_END)
        return text

    def grow(self, text: str) -> None:
        """Text behind what stands."""
        start = len(self)
        self._body.write(text)
        if self.closed is not None or not self.close:
            return
        new = self.read(start - self.held, len(self))
        at = new.find(self.close)
        if at >= 0:
            self.closed, self.held = start - self.held + at, 0
        else:
            self.held = unfinished(new, [self.close])
        if start < len(self.open):
            self._hide()

    def cut(self, offset: int) -> None:
        """Take back what stands behind an offset."""
        self._body.seek(min(offset, len(self)))
        self._body.truncate()
        if self.closed is not None and offset <= self.closed:
            self.closed = None
        self.held = 0  # what stands in front of a correction is no part of a marker
        self._hide()
        self.kept = self.thought

    def _hide(self) -> None:
        """See how much of the beginning is the opening marker."""
        head = self.read(0, min(len(self) if self.closed is None else self.closed, len(self.open)))
        may_be = head == self.open if self.closed is not None else self.open.startswith(head)
        self._hidden = len(head) if may_be else 0


@dataclass(slots=True)
class Trajectory:
    """One of the texts that a run writes.

    Attributes:
        judged: Every state that stands with its verdict, as they came.
        corrections: How often feedback was given.
        wasted: Tokens that the last stream lost to its cut.
        events: All that a result keeps.
    """

    text: Text = field(default_factory=Text)
    judged: list[Event] = field(default_factory=list)
    corrections: int = 0
    wasted: int = 0
    events: list[Event] = field(default_factory=list)


@dataclass(slots=True)
class Progress:
    """What a run has come to so far.

    Attributes:
        trajectories: By their branch; the first's is 0.
        entries: Ledger entries by call id.
        events: All that a result keeps.
    """

    trajectories: dict[int, Trajectory] = field(default_factory=lambda: {0: Trajectory()})
    entries: Entries = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    @property
    def first(self) -> Trajectory:
        """The trajectory that is shown as it grows."""
        return self.trajectories[0]

    def trajectory(self, branch: int) -> Trajectory:
        """The trajectory of a branch; an empty one where nothing was told of it."""
        return self.trajectories.setdefault(branch, Trajectory())

    def take(self, event: Event) -> None:
        """Take one event in."""
        one = self.trajectory(event.get("branch", 0))
        if event["type"] not in ("token", "markers"):
            self.events.append(event)
            one.events.append(event)
        match event["type"]:
            case "markers":
                one.text.open, one.text.close = str(event["open"]), str(event["close"])
            case "token":
                one.text.grow(str(event["text"]))
            case "verdict" if on_state(event):
                one.judged.append({k: v for k, v in event.items() if k != "type"})
            case "usage":
                self.entries |= event["entries"]
                one.wasted = sum(entry["wasted"] for entry in event["entries"].values())
            case "intervention":
                standing = (j for j in one.judged if j["state"]["end"] <= event["offset"])
                one.judged = list(standing)
                one.text.cut(int(event["offset"]))
                one.text.grow(str(event["text"]))
                one.corrections += event["kind"] in _CORRECTS

    def partial(self, method: str, problem: str, reason: str, error: str = "") -> dict[str, Any]:
        """The result of a run that did not come to its end, with the text so far."""
        from agentflow.run import Result  # langgraph comes with it

        result = Result(
            None,
            "exhausted",
            reason,
            problem={"text": problem},
            method=method,
            corrections=self.first.corrections,
            judged=self.first.judged,
            ledger=self.entries,
            error=error,
        )
        return result.as_dict() | {"events": self.events, "text": str(self.first.text)}


def on_state(event: Mapping[str, Any]) -> bool:
    """Whether an event is a verdict on a state of the text, not on the whole."""
    return event["type"] == "verdict" and not event.get("final")


def on_whole(event: Mapping[str, Any]) -> bool:
    """Whether an event is a verdict on a solution or an answer."""
    return event["type"] == "verdict" and bool(event.get("final"))
