"""Thinking and content, told apart as they stream."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from agentflow.profile import Profile
from agentflow.thinking import unfinished
from agentflow.thinking_formats import MARKERS


class Splitter:
    """Pieces of thinking and of content, as pieces with markers between thinking and answer.

    The markers are the profile's, whatever known ones the content begins with.
    """

    def __init__(self, profile: Profile) -> None:
        self.start, self.close = profile.think_open, profile.think_close
        self.ends = {**dict(MARKERS.values()), self.start: self.close}
        self.end_marker = self.close  # what ends the thinking inside this content
        self.prefilled = profile.opened
        # Thinking comes in a field of its own ("reasoning") or "inside" the content.
        self.place: Literal["begin", "reasoning", "inside", "answer"] = "begin"
        self.held = ""

    def feed(self, reasoning: str, content: str) -> Iterator[str]:
        """The pieces that are certain by now."""
        if reasoning and self.place in ("begin", "reasoning"):
            if self.place == "begin":
                yield self.start
            self.place = "reasoning"
            yield reasoning
        if content and self.place == "reasoning":
            yield self.close
            self.place = "answer"
        if content:
            yield from self._content(self.held + content)

    def end(self) -> Iterator[str]:
        """What was held back."""
        text, self.held = self.held, ""
        if self.place == "begin" and text:
            yield from self._begin(inside=self.prefilled)
        if text:
            yield text

    def _content(self, text: str) -> Iterator[str]:
        self.held = ""
        if self.place == "begin":
            body = text.lstrip()
            if any(len(body) < len(start) and start.startswith(body) for start in self.ends):
                self.held = text
                return
            start = next((start for start in self.ends if body.startswith(start)), "")
            self.end_marker = self.ends.get(start, self.close)
            text = body.removeprefix(start) if start else text
            yield from self._begin(inside=bool(start) or self.prefilled)
        if self.place == "inside":
            text, closed, behind = text.partition(self.end_marker)
            if closed:
                self.place = "answer"
                if text:
                    yield text
                yield self.close
                text = behind
            elif keep := unfinished(text, [self.end_marker]):
                text, self.held = text[:-keep], text[-keep:]
        if text:
            yield text

    def _begin(self, *, inside: bool) -> Iterator[str]:
        yield self.start
        if not inside:
            yield self.close
        self.place = "inside" if inside else "answer"
