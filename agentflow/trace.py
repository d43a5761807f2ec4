"""A trace: the prompt and everything that followed it, append-only.

A trace is a list of operations, plain JSON, so that it can live in a LangGraph channel and be
written to disk as it grows: segments are appended, and a cut is an appended operation too. What
is currently kept is derived by replaying the operations.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

Kind = Literal[
    "prompt", "generated", "alternative", "rewritten", "feedback", "observation", "marker"
]
Operation = dict[str, Any]

LINES = re.compile(r"[^\n]*\n|[^\n]+")
"""Finds the lines of a text, each with its line break."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a trace that came from one source.

    Attributes:
        kind: ``prompt``, ``generated`` by the model, ``alternative`` (how a line begins that the
            model might have written in the place of a refused one), ``rewritten`` (a step that
            another model wrote in the place of its own), ``feedback`` from a monitor,
            ``observation`` (what a tool said that the model called), or ``marker`` (thinking
            closed for the model).
        text: The text. A special token that opens or closes thinking stands in it as written.
        ids: Token ids; empty where the engine has none.
        ends: For each generated token (or streamed piece, for an engine without ids), the offset
            in ``text`` just behind it. Empty for segments nobody generated: a cut never leaves
            half of one.
    """

    kind: Kind
    text: str
    ids: Sequence[int] = ()
    ends: Sequence[int] = ()

    def find_marker(self, marker: str) -> int | None:
        """Where the segment has ``marker`` as a marker and not as letters that spell it."""
        if self.kind not in ("generated", "marker"):
            return None
        at = self.text.find(marker)
        while at >= 0 and self.ids and self.kind == "generated":
            token = bisect_right(self.ends, at)
            starts = at == (self.ends[token - 1] if token else 0)
            if starts and self.ends[token] == at + len(marker):
                break
            at = self.text.find(marker, at + 1)
        return at if at >= 0 else None

    def operation(self) -> Operation:
        """The segment as an operation to append to a trace."""
        return {
            "op": "append",
            "kind": self.kind,
            "text": self.text,
            "ids": list(self.ids),
            "ends": list(self.ends),
        }


def begin(prompt: Segment, reason: str = "") -> Operation:
    """The operation that begins again, behind another prompt."""
    return prompt.operation() | {"op": "begin", "reason": reason}


def cut(offset: int, reason: str = "", others: Mapping[str, float] | None = None) -> Operation:
    """The operation that takes back everything behind ``offset`` of the body.

    Args:
        others: What the model might have begun to write there instead -> its log-probability.
    """
    found: Operation = {"op": "cut", "offset": offset, "reason": reason}
    return found | {"others": dict(others)} if others else found


class Trace:
    """The state of a trace after its operations.

    The *body* is all kept text behind the prompt; offsets count its characters. A cut falls on
    the last token boundary at or before its offset; characters between that boundary and the
    offset are kept as ``leftover`` and become part of the next segment appended.

    Attributes:
        segments: The kept segments, the prompt first.
        leftover: Kept characters whose token was cut in two; not yet in any segment.
        wasted: Generated tokens (or pieces) that cuts took back.
        before: Generated tokens that were kept where the trace began again.
    """

    def __init__(self, operations: Iterable[Operation] = ()) -> None:
        self._log: list[Operation | Segment] = []
        self.segments: list[Segment] = []
        self.leftover = ""
        self.wasted = 0
        self.before = 0
        self._body_length = 0
        for operation in operations:
            self.apply(operation)

    def __repr__(self) -> str:
        return f"Trace({self.generated} tokens, {self.wasted} of them wasted; {self.body[-60:]!r})"

    def _repr_html_(self) -> str:
        from agentflow.notebook import trace_html  # which reads traces

        return trace_html(self.operations)

    def apply(self, operation: Operation) -> Operation:
        """Append one operation and return it.

        Raises:
            ValueError: On an unknown operation, a cut outside the body, or a segment that does
                not start with the leftover of the cut before it.
        """
        match operation["op"]:
            case "append":
                self._append(_segment(operation))
            case "begin":
                self.before += self._kept_tokens()
                self.segments, self.leftover, self._body_length = [], "", 0
                self._append(_segment(operation))
            case "cut":
                self._cut(operation["offset"])
            case unknown:
                raise ValueError(f"unknown trace operation: {unknown!r}")
        self._log.append(operation)
        return operation

    @property
    def operations(self) -> list[Operation]:
        """Every operation so far, oldest first."""
        return [one.operation() if isinstance(one, Segment) else one for one in self._log]

    def append(self, segment: Segment) -> Operation:
        """Append a segment; its text must start with the leftover, if there is one."""
        return self.apply(segment.operation())

    def and_then(self, segment: Segment) -> Trace:
        """The trace with a segment behind it, which is not copied; this one stays as it is."""
        other = Trace()
        other._log, other.segments = [*self._log, segment], self.segments.copy()
        other.leftover, other.wasted, other.before = self.leftover, self.wasted, self.before
        other._body_length = self._body_length
        other._append(segment)
        return other

    def cut(
        self, offset: int, reason: str = "", others: Mapping[str, float] | None = None
    ) -> Operation:
        """Take back everything behind ``offset`` of the body; ``others`` as of :func:`cut`."""
        return self.apply(cut(offset, reason, others))

    def begin(self, prompt: Segment, reason: str = "") -> Operation:
        """Leave everything behind and begin again with ``prompt``; nothing of it is wasted."""
        return self.apply(begin(prompt, reason))

    def _append(self, segment: Segment) -> None:
        if not segment.text.startswith(self.leftover):
            raise ValueError(f"the next segment must start with the leftover {self.leftover!r}")
        if segment.kind != "prompt":
            self._body_length += len(segment.text) - len(self.leftover)
        self.leftover = ""
        self.segments.append(segment)

    def _cut(self, offset: int) -> None:
        if not 0 <= offset <= self._body_length:
            raise ValueError(f"cut at {offset}, outside the body of {self._body_length} characters")
        self._body_length = offset
        before, self.leftover = self.leftover, ""
        kept: list[Segment] = []
        position = 0
        for segment in self.segments:
            room = offset - position
            if segment.kind == "prompt" or len(segment.text) <= room:
                kept.append(segment)
            else:
                tokens = _whole_tokens(segment.ends, room)
                end = segment.ends[tokens - 1] if tokens else 0
                if tokens:
                    ids, ends = segment.ids[:tokens], segment.ends[:tokens]
                    kept.append(Segment(segment.kind, segment.text[:end], ids, ends))
                if segment.kind == "generated":
                    self.wasted += len(segment.ends) - tokens
                self.leftover += segment.text[end : max(room, 0)]
            position += len(segment.text) if segment.kind != "prompt" else 0
        self.leftover += before[: max(offset - position, 0)]
        self.segments = kept

    @property
    def ids(self) -> list[int]:
        """The token ids of all kept segments: the next request's prompt."""
        return [i for segment in self.segments for i in segment.ids]

    @property
    def served(self) -> int:
        """How many of the ids the solver's server has read or written: those up to the end of the
        last generated segment."""
        made = [i for i, segment in enumerate(self.segments) if segment.kind == "generated"]
        return sum(len(one.ids) for one in self.segments[: made[-1] + 1]) if made else 0

    @property
    def text(self) -> str:
        """The prompt and the body."""
        return "".join(segment.text for segment in self.segments) + self.leftover

    @property
    def body(self) -> str:
        """Everything kept behind the prompt."""
        kept = "".join(segment.text for segment in self.segments if segment.kind != "prompt")
        return kept + self.leftover

    def split(self, close: str) -> tuple[str, str | None]:
        """(thinking, answer part), divided at the first ``close`` marker; None if not closed.

        An empty ``close`` is that of a model which does not think apart: all is the answer part.
        Only a marker closes: one that was put in, or one token of the model's. A verifier's
        note that quotes it, or letters that spell it, close nothing.
        """
        if not close:
            return "", self.body
        position = 0
        for segment in self.segments:
            at = segment.find_marker(close)
            if at is not None:
                at += position
                return self.body[:at], self.body[at + len(close) :]
            position += 0 if segment.kind == "prompt" else len(segment.text)
        return self.body, None

    def said(self, close: str, calls: Iterable[tuple[int, int]] = ()) -> str | None:
        """The answer part without what tools said in it, which is nobody's answer; None if the
        thinking is not closed.

        Args:
            close: As of :meth:`split`.
            calls: Where in the body the tools were called, begin and end; that is left out, too.
        """
        thinking, answer = self.split(close)
        apart, position = list(calls), 0
        for segment in self.segments:
            if segment.kind != "prompt":
                end = position + len(segment.text)
                apart += [(position, end)] if segment.kind == "observation" else []
                position = end
        if answer is None or not apart:
            return answer
        body, kept, at = self.body, list[str](), len(thinking) + len(close)
        for start, end in sorted(apart):
            if end > at:
                kept.append(body[at:start])
                at = end
        return "\n".join([*kept, body[at:]])

    @property
    def generated(self) -> int:
        """Tokens (or pieces) the model generated, wasted ones included."""
        return self.before + self._kept_tokens() + self.wasted

    def _kept_tokens(self) -> int:
        return sum(len(s.ends) for s in self.segments if s.kind == "generated")


def _segment(operation: Operation) -> Segment:
    return Segment(
        cast(Kind, operation["kind"]),
        operation["text"],
        tuple(operation["ids"]),
        tuple(operation["ends"]),
    )


def _whole_tokens(ends: Sequence[int], room: int) -> int:
    """How many tokens lie whole within the first ``room`` characters.

    Several tokens may end at one offset (a character of many bytes): the fewest are kept.
    """
    tokens = bisect_right(ends, room)
    return bisect_left(ends, ends[tokens - 1]) + 1 if tokens and ends[tokens - 1] else 0


def extend(entries: list[Operation], writes: Sequence[list[Operation]]) -> list[Operation]:
    """Reducer for LangGraph's ``DeltaChannel``: appends the entries of every write, in order."""
    return entries + [entry for write in writes for entry in write]
