"""What a run looks like while it happens, on terminals and in pipes.

Nothing that was written is written again: text that a verifier cut away stays on the screen, and
a line behind it says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

from agentflow.ledger import Entries, by_role
from agentflow.progress import Event, Progress, on_state, on_whole
from agentflow.terminal import dotted, printing

if TYPE_CHECKING:
    from agentflow.run import Result

_EXCERPT = 60
_MARKS = {True: ("✓", "+", "green"), False: ("✗", "x", "red"), None: ("?", "?", "yellow")}
_STOPS = frozenset(("stable", "budget", "repetition", "complete", "exit"))
"""Kinds of verdicts of stop rules: they refute nothing."""
_STOP = ("■", "-", "magenta")
_STATUS = {
    "verified": "bold green",
    "incomplete": "green",
    "accepted": "blue",
    "unverified": "yellow",
}


def _short(text: str) -> str:
    return text if len(text) <= _EXCERPT else text[: _EXCERPT - 1] + "…"


class Output(Console):
    """Standard output; what follows where nobody reads it any more is the command's to say."""

    def on_broken_pipe(self) -> None:
        """Let the error be."""
        raise BrokenPipeError


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
        self._written = 0  # how much of the text

    def show(self, event: Event) -> None:
        """Write one event; branches beside the first only say what their verifiers said."""
        if event["type"] == "intervention" and not event.get("branch"):
            self.end()  # with what it may take back
        self.progress.take(event)
        if self.quiet:
            return
        if branch := event.get("branch"):
            if on_whole(event):
                self._verdict(f"sample {branch}", event["monitor"], event)
            return
        text = self.progress.first.text
        match event["type"]:
            case "token":
                self._catch_up(len(text) - text.held)
            case "verdict" if on_state(event):
                state = event["state"]
                directly_above = not text.read(state["end"], len(text)).strip()
                claim = "" if directly_above else self._excerpt(state["start"], state["end"])
                self._verdict(claim, state["kind"], event["verdict"])
            case "verdict":
                kind = "answer" if event["monitor"] == "verify" else event["monitor"]
                self._verdict(event["answer"] or "", kind, event)
            case "intervention":
                self._intervention(event)
            case "weaker":
                self.line(f"  without {event['lacking']}: {event['instead']}", "yellow")
            case "reply" if event["how"] != "valid":
                self.line(f"  {event['name']}: {event['how']}: {event['error']}", "yellow")
            case "score":
                self.line(f"  R = {event['reward']:.3f} by {event['source']}", "blue")
            case "tool":
                line = _short(" ".join(event["content"].split()))
                mark = f"tool {event['role']}" + (" failed" if event["error"] else "")
                self.line(f"  {mark}: {line}", "yellow" if event["error"] else "blue")

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
            self.line(f"candidate, not given  {result.candidate}")
        if not self.quiet:
            self.costs(result.ledger, result.corrections)

    def costs(self, entries: Entries, corrections: int) -> None:
        """Write the ledger's sums, a line a role."""
        for role, entry in by_role(entries).items():
            if role.startswith("tool:"):
                self.line(f"cost    {role}: calls {entry.calls}; {entry.seconds:.1f} s", "dim")
                continue
            thought = f"{entry.reasoning} of them thought, " if entry.reasoning else ""
            guessed = f", tokens of {entry.estimated} of them estimated" if entry.estimated else ""
            dollars = f"; {entry.cost:.4f} dollars" if entry.cost else ""
            self.line(
                f"cost    {role}: {entry.generated} tokens generated, {thought}{entry.wasted} of "
                f"them wasted; {entry.prompt} prompt tokens, {entry.cached} cached; "
                f"calls {entry.calls}{guessed}; {entry.seconds:.1f} s{dollars}",
                "dim",
            )
        if entries:
            self.line(f"        corrections: {corrections}", "dim")

    def interrupted(self) -> None:
        """Write what a run that did not come to its end has cost."""
        self.end()
        if not self.quiet:
            self.costs(self.progress.entries, self.progress.first.corrections)

    def end(self) -> None:
        """End the line begun."""
        if not self.quiet:
            self._catch_up(len(self.progress.first.text))
        if not self._at_line_start:
            self._write("\n")
            self._at_line_start = True

    def line(self, text: str, style: str = "") -> None:
        """Write a line of our own, on a line of its own."""
        self.end()
        self._write(text + "\n", style)

    def _verdict(self, claim: str, kind: str, verdict: Event) -> None:
        mark, plain, style = _STOP if verdict["kind"] in _STOPS else _MARKS[verdict["ok"]]
        parts = [f"{plain if self._plain else mark} {kind}", claim, verdict["reason"]]
        self.line("  " + ": ".join(part for part in parts if part), style)

    def _intervention(self, event: Event) -> None:
        self._written = len(self.progress.first.text)  # what it appends is written below
        what = "thinking closed" if event["kind"] == "close" else event["kind"]
        wasted = self.progress.first.wasted
        self.line(
            f"  {event['monitor']}: {wasted} token{'s' * (wasted != 1)} cut, {what}", "magenta"
        )
        self._write(str(event["text"]), "magenta")

    def _excerpt(self, start: int, end: int) -> str:
        """A stretch of the text on one line, shortened."""
        text = self.progress.first.text.read(start, min(end, start + 1000))
        return _short(" ".join(text.split()))

    def _catch_up(self, end: int) -> None:
        """Write the text up to there; the thinking, and the marker behind it, is dim."""
        text, start = self.progress.first.text, self._written
        thought = len(text) if text.closed is None else text.closed + len(text.close)
        dim = min(end, thought) if text.close else start
        self._write(text.read(start, dim), "dim")
        self._write(text.read(max(start, dim), end))
        self._written = max(start, end)

    def _write(self, text: str, style: str = "") -> None:
        if text:
            self._at_line_start = text.endswith("\n")
            with printing():
                self.console.out(dotted(text), style=style, highlight=False, end="")
