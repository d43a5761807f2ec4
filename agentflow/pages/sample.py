"""What a page shows of one run, from its trace file: plain JSON that only has to be drawn.

The *layout* is everything that was ever written, in the order in which it was: what a cut took back
keeps its place and is marked. Positions are characters of the layout.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from typing import Any

from agentflow.progress import Event, Progress, on_state

Plain = Event

_UNSURE = 0.5
"""A score that says neither right nor wrong."""


@dataclass(slots=True)
class Run:
    """A stretch of the layout.

    Attributes:
        kind: As of a segment; or ``cut`` and ``begin``, which have a note instead of text.
        start, body: Where it begins in the layout, and in the body it was appended to.
        struck: Whether a cut took it back.
        note: Of a cut: its reason, and tokens wasted.
    """

    kind: str
    text: str
    start: int
    body: int
    struck: bool = False
    note: Plain = field(default_factory=dict)


class Layout:
    """Everything that was written, grown operation by operation."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.length = 0
        self._live: list[Run] = []
        self._body = 0

    def apply(self, operation: Mapping[str, Any]) -> None:
        """Take one operation, as :func:`agentflow.trace_file.lean` has it."""
        match operation["op"]:
            case "cut":
                self._cut(operation["offset"])
                note = {"reason": operation.get("reason", ""), "tokens": operation["tokens"]}
                self.runs.append(Run("cut", "", self.length, self._body, note=note))
            case "begin":
                self._live, self._body = [], 0
                note = {"reason": operation.get("reason", "")}
                self.runs.append(Run("begin", "", self.length, 0, note=note))
                self._append("prompt", operation["text"])
            case _:
                self._append(operation["kind"], operation["text"])

    def _append(self, kind: str, text: str) -> None:
        run = Run(kind, text, self.length, self._body)
        self.runs.append(run)
        self.length += len(text)
        if kind != "prompt":
            self._live.append(run)
            self._body += len(text)

    def _cut(self, offset: int) -> None:
        self._body = offset
        while self._live and self._live[-1].body + len(self._live[-1].text) > offset:
            run = self._live[-1]
            room = offset - run.body
            if room <= 0:
                run.struck = True
                self._live.pop()
                continue
            rest = Run(run.kind, run.text[room:], run.start + room, offset, struck=True)
            run.text = run.text[:room]
            self.runs.append(rest)

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where a span of the body as it now stands is in the layout."""
        first, last = self._run(start, bisect_right), self._run(end, bisect_left)
        if first is None or last is None:
            return self.length, self.length
        low = first.start + min(start - first.body, len(first.text))
        return low, max(low, last.start + min(end - last.body, len(last.text)))

    @property
    def body(self) -> str:
        """The text behind the prompt as it now stands."""
        return "".join(run.text for run in self._live)

    def _run(self, offset: int, bisect: Any) -> Run | None:
        """The live run with the character behind, or before, an offset."""
        index = bisect(self._live, offset, key=lambda run: run.body) - 1
        return self._live[max(index, 0)] if self._live else None


def pieces(runs: Iterable[Run], spans: Sequence[tuple[int, int]]) -> list[Plain]:
    """The layout cut at every boundary: ``k`` kind, ``t`` text, ``x`` struck, ``v`` the numbers of
    the spans over it; spans without length stand as pieces ``mark`` where they are."""
    edges = sorted({edge for span in spans for edge in span})
    covering = _covering(edges, spans)
    marks = deque(sorted((at, number) for number, (at, end) in enumerate(spans) if at == end))
    found: list[Plain] = []
    for run in sorted(runs, key=lambda run: run.start):
        if run.note:
            found.append({"k": run.kind, **run.note})
        end = run.start + len(run.text)
        inside = edges[bisect_right(edges, run.start) : bisect_left(edges, end)]
        for low, high in pairwise([run.start, *inside, end]):
            piece: Plain = {"k": run.kind, "t": run.text[low - run.start : high - run.start]}
            if run.struck:
                piece["x"] = 1
            before = bisect_right(edges, low)
            if before and (over := covering[edges[before - 1]]):
                piece["v"] = over
            if low < high:
                found.append(piece)
            while marks and marks[0][0] <= high:
                found.append({"k": "mark", "v": [marks.popleft()[1]]})
    return found


def _covering(edges: Sequence[int], spans: Sequence[tuple[int, int]]) -> dict[int, list[int]]:
    """The spans over the stretch behind each edge."""
    begins = {edge: list[int]() for edge in edges}
    for number, (start, end) in enumerate(spans):
        if start < end:
            begins[start].append(number)
    found, over = dict[int, list[int]](), list[int]()
    for edge in edges:
        over = [number for number in over if spans[number][1] > edge] + begins[edge]
        found[edge] = over
    return found


def sample_of(trace: Mapping[str, Any]) -> Plain:
    """The sample that a page shows.

    Args:
        trace: As :func:`agentflow.trace_file.lean` has it.

    Raises:
        KeyError, TypeError, ValueError: If it is none.
    """
    events, samples = trace["events"], trace.get("samples") or []
    outer = [event for event in events if event["type"] == "node" and not event["inside"]]
    run = Progress()
    for event in events:
        run.take(event)
    tracks = [
        _track(one, run.trajectory(one["branch"]).events, within=True)
        for one in sorted(samples, key=lambda one: one["branch"])
    ] or [_track(trace, events, within=False)]
    problem = trace["problem"]
    return {name: trace[name] for name in _OF_THE_RUN if trace.get(name) is not None} | {
        "problem": problem["text"],
        "domain": problem.get("domain", ""),
        "id": problem.get("id", ""),
        "gold": problem.get("gold"),
        "cost": trace["cost"],
        "roles": trace["cost_by_role"],
        "path": [event["name"] for event in outer] if samples else [],
        "chosen": trace.get("chosen"),
        "tracks": tracks,
    }


_OF_THE_RUN = (
    *("answer", "candidate", "status", "reason", "error", "method", "model", "settings"),
    *("corrections", "right"),
)
"""What is said of a whole run, where it is known."""

_SHOWN = (
    *("branch", "model", "answer", "candidate", "status", "reason"),
    *("plan", "tools", "compute", "reward"),
)
"""What is said of a trajectory beside others, where it is known."""

_PUT = ("feedback", "observation", "rewritten", "alternative")
"""Kinds of text that the model itself did not write there."""


def _track(one: Mapping[str, Any], events: Sequence[Plain], *, within: bool) -> Plain:
    """One trajectory: its text, what happened along it, and the curves."""
    events = [e for e in events if e["type"] != "node" or bool(e["inside"]) == within]
    operations = deque(one["operations"])
    known = sum(event["operations"] for event in events if event["type"] == "node")
    if known > len(operations):  # of a run that was broken off only its last text is left
        known = 0
    track = _Track()
    while len(operations) > known:  # what stood before the first event
        track.layout.apply(operations.popleft())
    told: list[Plain] = []
    for event in events:
        told.append(event)
        if event["type"] == "node":
            added = [operations.popleft() for _ in range(event["operations"]) if operations]
            written = list(takewhile(lambda operation: operation["op"] != "cut", added))
            for operation in written:
                track.layout.apply(operation)
            track.tell(told)
            for operation in added[len(written) :]:
                track.layout.apply(operation)
            told = []
    track.tell(told)
    for judged in one.get("judged", ()):
        track.judge(judged)
    track.score(one.get("steps") or (), one.get("scores") or ())
    runs, verdicts = track.layout.runs, track.verdicts
    return {name: one[name] for name in _SHOWN if within and one.get(name) is not None} | {
        "length": track.layout.length,
        "pieces": pieces(runs, track.spans),
        "struck": [[run.start, run.start + len(run.text)] for run in runs if run.struck],
        "feedback": [run.start for run in runs if run.kind in _PUT],
        "verdicts": verdicts,
        "items": track.items,
        "curves": curves(verdicts),
        "answers": answers(verdicts),
    }


@dataclass(slots=True)
class _Track:
    """What is known of a trajectory so far.

    Attributes:
        verdicts, spans: On its states, and where those are.
        items: What happened, in order; a verdict by its number.
    """

    layout: Layout = field(default_factory=Layout)
    verdicts: list[Plain] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    items: list[Plain] = field(default_factory=list)

    def tell(self, events: Sequence[Plain]) -> None:
        """What happened in one node, behind the node itself; its tokens are summed up."""
        node: Plain = {}
        for event in events:
            if event["type"] == "node":
                node = {name: value for name, value in event.items() if value}
        spent = [e["entries"].values() for e in events if e["type"] == "usage"]
        tokens = sum(entry["generated"] for entries in spent for entry in entries)
        if node:
            self.items.append(node | {"tokens": tokens})
        for event in events:
            if on_state(event):
                self.judge(event)
            elif event["type"] not in ("node", "usage"):
                kind = "final" if event["type"] == "verdict" else event["type"]
                self.items.append({**event, "type": kind})

    def judge(self, judged: Mapping[str, Any]) -> None:
        """A verdict on a state of the text as it now stands."""
        state, verdict = judged["state"], judged["verdict"]
        given = {k: v for k, v in verdict.items() if v not in (None, "", {}) or k == "ok"}
        known = {"monitor": judged["monitor"], "state": state["kind"], "data": state["data"]}
        self._add(self.layout.place(state["start"], state["end"]), known | given)

    def score(self, steps: Sequence[str], scores: Sequence[float]) -> None:
        """Scores of steps, as verdicts; a step that is not in the text is told by itself."""
        body, position = self.layout.body, 0
        for number, step in enumerate(steps):
            value = scores[number] if number < len(scores) else None
            at = body.find(step, position)
            if at < 0:
                self.items.append({"type": "step", "text": step, "score": value})
                continue
            position = at + len(step)
            if value is not None:
                ok = None if value == _UNSURE else value > _UNSURE
                given: Plain = {
                    "monitor": "score",
                    "state": "step",
                    "data": {},
                    "ok": ok,
                    "score": value,
                }
                self._add(self.layout.place(at, position), given)

    def _add(self, span: tuple[int, int], verdict: Plain) -> None:
        self.items.append({"type": "verdict", "v": len(self.verdicts)})
        self.spans.append(span)
        self.verdicts.append(verdict | {"at": span[0]})


def curves(verdicts: Sequence[Plain]) -> list[Plain]:
    """The signals along a trace, each with its points: [position, value, tokens so far]."""
    found: dict[str, list[list[Any]]] = {}
    for verdict in verdicts:
        evidence = verdict.get("evidence", {})
        signals, rules = evidence.get("signals") or {}, evidence.get("rules") or {}
        values = {name: signals.get(name) for name in ("entropy", "confidence")}
        values["variance"] = next((m["variance"] for m in rules.values() if "variance" in m), None)
        if signals.get("answers"):
            values["distinct answers"] = len(set(signals["answers"]))
        if not signals:
            values["score"] = verdict.get("score")
        for name, value in values.items():
            if value is not None:
                tokens = verdict["data"].get("tokens")
                found.setdefault(name, []).append([verdict["at"], value, tokens])
    units = {"entropy": "nats", "variance": "nats²"}
    return [
        {"name": name, "unit": units.get(name, ""), "log": name == "variance", "points": points}
        for name, points in found.items()
        if len(points) > 1
    ]


def answers(verdicts: Sequence[Plain]) -> list[list[Any]]:
    """The candidate answers along a trace, stated or else sampled most: [position, answer, number
    of the verdict]."""
    found = []
    for number, verdict in enumerate(verdicts):
        sampled = (verdict.get("evidence", {}).get("signals") or {}).get("answers")
        stated = verdict["data"].get("answer")
        if stated is None and sampled:
            stated = Counter(sampled).most_common(1)[0][0]
        if stated is not None:
            found.append([verdict["at"], str(stated), number])
    return found
