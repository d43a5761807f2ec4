"""What a run looks like while it happens: one reader of its events, for terminals and pipes.

Nothing that was written is written again: text that a verifier cut away stays on the screen, and
a line behind it says so.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rich.console import Console

from agentflow.ledger import Entries, by_role
from agentflow.terminal import dotted, printing
from agentflow.thinking import unfinished

if TYPE_CHECKING:
    from agentflow.run import Result

Event = dict[str, Any]

_EXCERPT = 60
_MARKS = {True: ("✓", "+", "green"), False: ("✗", "x", "red"), None: ("?", "?", "yellow")}
_STATUS = {
    "verified": "bold green",
    "incomplete": "green",
    "accepted": "green",
    "unverified": "yellow",
}


@dataclass(slots=True)
class Progress:
    """What a run has come to so far, as a fold over its events.

    Attributes:
        judged: Every state with its verdict, as they came.
        entries: Ledger entries by call id.
        corrections: How often feedback was given.
        cut: Tokens that the last stream lost to its cut.
        events: All of them that a result keeps.
    """

    judged: list[Event] = field(default_factory=list)
    entries: dict[str, Any] = field(default_factory=dict)
    corrections: int = 0
    cut: int = 0
    events: list[Event] = field(default_factory=list)
    _body: io.StringIO = field(default_factory=io.StringIO)

    def take(self, event: Event) -> None:
        """Take one event in; of branches but the first only what they cost."""
        if event["type"] not in ("token", "markers"):
            self.events.append(event)
        if event.get("branch") and event["type"] != "usage":
            return
        match event["type"]:
            case "token":
                self._body.write(event["text"])
            case "verdict" if not event.get("final"):
                self.judged.append({k: v for k, v in event.items() if k != "type"})
            case "usage":
                self.entries |= event["entries"]
                self.cut = sum(entry["wasted"] for entry in event["entries"].values())
            case "intervention":
                standing = (j for j in self.judged if j["state"]["end"] <= event["offset"])
                self.judged = list(standing)
                self._body.seek(event["offset"])
                self._body.truncate()
                self._body.write(str(event["text"]))
                self.corrections += event["kind"] in ("feedback", "redraw", "retry")

    def excerpt(self, start: int, end: int) -> str:
        """A stretch of the text on one line, shortened."""
        self._body.seek(start)
        text = " ".join(self._body.read(min(end - start, 1000)).split())
        self._body.seek(0, io.SEEK_END)
        return _short(text)

    def ends_with(self, end: int) -> bool:
        """Whether only space stands behind ``end``."""
        self._body.seek(end)
        return not self._body.read().strip()

    @property
    def text(self) -> str:
        """The kept text behind the prompt."""
        return self._body.getvalue()

    def partial(self, method: str, problem: str, reason: str, error: str = "") -> dict[str, Any]:
        """The result of a run that did not come to its end, with the text so far."""
        from agentflow.run import Result  # langgraph comes with it

        result = Result(
            None,
            "exhausted",
            reason,
            problem={"text": problem},
            method=method,
            corrections=self.corrections,
            judged=self.judged,
            ledger=self.entries,
            error=error,
        )
        return result.as_dict() | {"events": self.events, "text": self.text}


def _short(text: str) -> str:
    return text if len(text) <= _EXCERPT else text[: _EXCERPT - 1] + "…"


class Display:
    """Writes events as they come.

    Args:
        console: Where to; colours only where it is a terminal.
        quiet: Only the answer and how far to trust it.
    """

    def __init__(self, console: Console, *, quiet: bool = False) -> None:
        self.console, self.quiet = console, quiet
        self.progress = Progress()
        self._plain = not console.encoding.startswith("utf")
        self._at_line_start = True
        self._thinking = False
        self._close, self._held = "", ""  # the marker, and what of it may have come

    def show(self, event: Event) -> None:
        """Write one event; branches beside the first only say what their verifiers said."""
        self.progress.take(event)
        if self.quiet:
            return
        if branch := event.get("branch"):
            if event["type"] == "verdict" and event.get("final"):
                self._verdict(f"sample {branch}", event["monitor"], event)
            return
        match event["type"]:
            case "markers":
                self._close, self._thinking = event["close"], bool(event["close"])
            case "token":
                self._stream(event["text"])
            case "verdict" if event.get("final"):
                kind = "answer" if event["monitor"] == "verify" else event["monitor"]
                self._verdict(event["answer"] or "", kind, event)
            case "verdict":
                state = event["state"]
                directly_above = self.progress.ends_with(state["end"])
                claim = (
                    "" if directly_above else self.progress.excerpt(state["start"], state["end"])
                )
                self._verdict(claim, state["kind"], event["verdict"])
            case "intervention":
                self._intervention(event)
            case "weaker":
                self.line(f"  without {event['lacking']}: {event['instead']}", "yellow")
            case "reply" if event["how"] != "valid":
                self.line(f"  {event['name']}: {event['how']}: {event['error']}", "yellow")
            case "score":
                self.line(f"  R = {event['reward']:.3f} by {event['source']}", "blue")
            case "tool":
                said = _short(" ".join(event["content"].split()))
                mark = f"tool {event['role']}" + (" failed" if event["error"] else "")
                self.line(f"  {mark}: {said}", "yellow" if event["error"] else "blue")

    def result(self, result: Result) -> None:
        """Write what the run came to."""
        style = _STATUS.get(result.status, "bold red")
        reason = f" ({result.reason})" if result.reason else ""
        if not self.quiet:
            self.line("")
        if result.answer is not None:
            self.line(f"answer  {result.answer}", "bold")
        self.line(f"status  {result.status}{reason}", style)
        if result.candidate is not None:
            self.line(f"best unverified candidate  {result.candidate}")
        if not self.quiet:
            self.costs(result.ledger, result.corrections)

    def costs(self, entries: Entries, corrections: int) -> None:
        """Write the ledger's sums, a line a role."""
        for role, entry in by_role(entries).items():
            if role.startswith("tool:"):
                self.line(f"cost    {role}: calls {entry.calls}; {entry.seconds:.1f} s", "dim")
                continue
            thought = f"{entry.reasoning} of them thought, " if entry.reasoning else ""
            guessed = f"; tokens of {entry.estimated} are a guess" if entry.estimated else ""
            dollars = f"; {entry.cost:.4f} dollars" if entry.cost else ""
            self.line(
                f"cost    {role}: {entry.generated} tokens generated, {thought}{entry.wasted} of "
                f"them wasted; {entry.prompt} prompt tokens, {entry.cached} cached; "
                f"calls {entry.calls}; {entry.seconds:.1f} s{dollars}{guessed}",
                "dim",
            )
        if entries:
            self.line(f"        corrections: {corrections}", "dim")

    def interrupted(self) -> None:
        """Write what a run that did not come to its end has cost."""
        self.end()
        if not self.quiet:
            self.costs(self.progress.entries, self.progress.corrections)

    def end(self) -> None:
        """End the line begun."""
        self._let_go()
        if not self._at_line_start:
            self._write("\n")
            self._at_line_start = True

    def line(self, text: str, style: str = "") -> None:
        """Write a line of our own, on a line of its own."""
        self.end()
        self._write(text + "\n", style)

    def _verdict(self, claim: str, kind: str, verdict: Event) -> None:
        mark, plain, style = _MARKS[verdict["ok"]]
        parts = [f"{plain if self._plain else mark} {kind}", claim, verdict["reason"]]
        self.line("  " + ": ".join(part for part in parts if part), style)

    def _intervention(self, event: Event) -> None:
        what = "thinking closed" if event["kind"] == "close" else event["kind"]
        tokens = f"{self.progress.cut} token{'s' * (self.progress.cut != 1)}"
        self.line(f"  {event['monitor']}: {tokens} cut, {what}", "magenta")
        self._write(str(event["text"]), "magenta")
        self._thinking = self._thinking and event["kind"] != "close"

    def _stream(self, text: str) -> None:
        text, self._held = self._held + text, ""
        if self._thinking:
            thought, marker, text = text.partition(self._close)
            if not marker and (length := unfinished(thought, [self._close])):
                thought, self._held = thought[:-length], thought[-length:]
            self._write(thought + marker, "dim")
            self._thinking = not marker
        self._write(text)

    def _let_go(self) -> None:
        """Write what was held back: it did not become a marker."""
        held, self._held = self._held, ""
        self._write(held, "dim")

    def _write(self, text: str, style: str = "") -> None:
        if text:
            self._at_line_start = text.endswith("\n")
            with printing():
                self.console.out(dotted(text), style=style, highlight=False, end="")
