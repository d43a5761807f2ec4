"""Where thinking ends: a text of any model's, split into thinking and answer.

A format is named, comes from a profile, or is told from the text: by an opening marker at its
beginning, or by a closing one whose opening the prompt had. A marker in a code block, in backticks
or in quotation marks, or before the word "tag", is letters. Calls of tools that a text ends in end
its thinking, too. What cannot be told is said to be unknown, and never taken for an answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest
from typing import Literal

from agentflow.thinking_formats import CALLS, FORMATS, PLAIN, Format

Kind = Literal["thinking", "answer", "marker", "unknown"]
How = Literal["closed", "only closed", "late", "repeated", "unclosed", "plain", "unmarked"]
"""How a text is split:

``closed``       opened at its beginning, and closed;
``only closed``  opened by the prompt, and closed;
``late``         opened behind something else, which is unknown, and closed;
``repeated``     closed again without being opened again: what is between is unknown;
``unclosed``     thinking without an end: there is no answer;
``plain``        by a model that does not think apart: all is the answer;
``unmarked``     without a marker: what is thinking and what is not cannot be told.
"""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a text, ``start`` to ``end`` in characters."""

    kind: Kind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Split:
    """A text in parts.

    Attributes:
        text: All of it.
        parts: In order, none of them empty; together they are the text.
        how: How it was told.
    """

    text: str
    parts: tuple[Part, ...]
    how: How

    @property
    def thinking(self) -> str:
        """What is known to be thinking, without markers."""
        return self._of("thinking")

    @property
    def answer(self) -> str | None:
        """The answer part, without markers.

        None where the thinking has no end, or goes on behind the answer up to the end of the text:
        what it takes back there is not known. Where the text is ``unmarked`` all of it: the last
        that is read in it is the model's answer as far as can be told.
        """
        said = [
            part.kind
            for part in self.parts
            if part.kind in ("thinking", "answer") and self.text[part.start : part.end].strip()
        ]
        if self.how == "unclosed" or ("answer" in said and said[-1] == "thinking"):
            return None
        return self.text if self.how == "unmarked" else self._of("answer")

    def _of(self, kind: Kind) -> str:
        found = (self.text[part.start : part.end] for part in self.parts if part.kind == kind)
        return "\n".join(found)  # two parts never become one word


def split(text: str, form: Format | None = None, *, opened: bool = False) -> Split:
    """Split a text into thinking and answer, in work that grows with its length.

    Args:
        form: The format; None to tell it from the text.
        opened: Whether the prompt opened the thinking, so that a text without a marker is all
            thinking.
    """
    if form is PLAIN:
        return Split(text, (Part("answer", 0, len(text)),) if text else (), "plain")
    told = (form,) if form else _told(text)
    return _folded(text, _marks(text, told) if told else [], opened)


def unfinished(text: str, markers: Sequence[str]) -> int:
    """How many last characters of a stream so far may be the first of a marker."""
    longest = min(len(text), max(map(len, markers), default=1) - 1)
    tails = (text[-length:] for length in range(longest, 0, -1))
    begun = (len(t) for t in tails if any(m.startswith(t) and m != t for m in markers))
    return next(begun, 0)


_TAGS = tuple(one for one in FORMATS.values() if one.opens and not one.words)
_TAG = re.compile("|".join(f"{one.opens}|{one.closes}" for one in _TAGS))
_OPENS = [(one, re.compile(one.opens, re.MULTILINE)) for one in FORMATS.values() if one.opens]


def _told(text: str) -> tuple[Format, ...]:
    """The formats whose markers count in a text that names none."""
    begin = len(text) - len(text.lstrip())
    for one, opens in _OPENS:
        if opens.match(text, begin) and (not one.both or re.search(one.closes, text)):
            return (one,)
    return _TAGS if any(_TAG.match(text, at.start()) for at in _START.finditer(text)) else ()


@dataclass(slots=True)
class _Mark:
    """A marker that counts: not one that is quoted.

    Attributes:
        kind: ``begin`` (always), ``open``, ``close``; ``wrap``, ``unwrap`` around the answer;
            ``call``; ``noise``.
        first: Whether only space stands before it on its line.
    """

    kind: str
    start: int
    end: int
    first: bool


_QUOTES = "\"'“‘«"
_START = re.compile(rf"<(?=[|/\w])|[◁]|\[(?=/?[Tt])|[{_QUOTES}](?=[<\[◁])|`|~~~")
"""Where a tag begins, or what tags are quoted in. Few characters are left to look at closely."""
_INDENT = 12
"""Characters of space that a code block's fence may stand behind."""


@cache
def _scanner(told: tuple[Format, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Where a mark may begin, and what begins there: a marker, or what markers are quoted in.

    Every repetition has a bound or ends at the first character that it is looking for, so that a
    text is read once.
    """
    opens, closes = ("|".join(getattr(one, name) for one in told) for name in ("opens", "closes"))
    parts = [
        rf"(?P<fence>`{{3,}}|~{{3,}})(?P<info>[^`\n]{{0,80}}?)(?=$|{closes})",
        r"(?P<code>(?P<ticks>`{1,2})(?!`)[^`\n]+(?P=ticks)(?!`))",
    ]
    starts = _START
    if told[0] not in _TAGS:
        quoted = rf"[{_QUOTES}](?={opens}|{closes})"
        noise = "".join(f"|{one.noise}" for one in told if one.noise)
        starts = re.compile(rf"`|~~~|{opens}|{closes}|{quoted}{noise}", re.MULTILINE)
    if not told[0].words:
        # A quotation begins behind a space or a bracket: else its mark may end one.
        quote = rf"[{_QUOTES}](?<![^\s(\[{{,:;=>\]][{_QUOTES}])"
        pairs = rf"(?:{opens})[^\n]{{0,60}}?(?:{closes})"
        near = rf"(?:{opens})[^\n<\[◁]{{0,60}}?(?:{closes})"
        spoken = rf"(?!\A)(?:{near}|{opens}|{closes})(?=[ ](?:tag|token|marker)s?\b)"
        parts.append(f"(?P<quoted>{quote}(?:{pairs}|{opens}|{closes})[\"'”’»]|{spoken})")
    for kind, sure in (("begin", True), ("open", False)):
        if these := "|".join(one.opens for one in told if one.sure is sure):
            parts.append(f"(?P<{kind}>{these})")
    parts.append(f"(?P<close>{closes})")
    if wraps := [one.wraps for one in told if one.wraps]:
        parts.append(f"(?P<wrap>{'|'.join(sorted({begin for begin, _ in wraps}))})")
        parts.append(f"(?P<unwrap>{'|'.join(sorted({end for _, end in wraps}))})")
    if marks := [one.noise for one in told if one.noise]:
        parts.append(f"(?P<noise>{'|'.join(marks)})")
    return starts, re.compile("|".join(parts), re.MULTILINE)


def _marks(text: str, told: tuple[Format, ...]) -> list[_Mark]:
    """The markers of a text that are not quoted, in order."""
    starts, scanner = _scanner(told)
    found = list[_Mark]()
    fence, inside = "", 0  # of the code block that is open: its fence, and the marks before it
    before = 0
    for place in starts.finditer(text):
        match = scanner.match(text, place.start()) if place.start() >= before else None
        if match is None:
            continue
        kind, (start, end) = match.lastgroup or "", match.span()
        if rail := match["fence"]:
            lead = text[max(0, start - _INDENT) : start].rpartition("\n")[2]
            if lead.strip() or len(lead) == _INDENT:
                continue
            if not fence or match["info"].strip():  # one that opens tells that the last was left
                fence, inside = rail, len(found)
            elif rail.startswith(fence):
                del found[inside:]
                fence = ""
        elif kind not in ("code", "quoted"):
            gap = text[before:start].rstrip(" \t")  # gaps do not overlap: together one text
            found.append(_Mark(kind, start, end, gap.endswith("\n") or not (gap or before)))
        before = end
    if told[0].words:  # further on they are words
        found = [mark for mark in found if mark.kind != "open" or mark is found[0]]
    return _with_calls(text, found, told[0].calls) if told[0].calls else found


def _with_calls(text: str, marks: list[_Mark], calls: str) -> list[_Mark]:
    """The marks with one of the kind ``call`` in front of the calls that a text ends in.

    Calls that a tool answered, or a final message followed, are on the way to an answer.
    """
    found = list[_Mark]()  # from the last to the first
    for number in range(len(marks) - 1, -1, -1):
        mark = marks[number]
        said = text[mark.start : mark.end]
        made = mark.kind == "begin" and re.search(calls, said) is not None
        if not (made or found or mark.kind == "noise"):
            return marks  # it does not end in calls
        others = mark.kind == "begin" and number > 0 and said.startswith("<|channel|>")
        if mark.kind not in ("begin", "noise") or others:
            return [*marks[: number + 1], *reversed(found)]
        if made:
            while found and found[-1].kind in ("call", "noise"):
                found.pop()
            start = mark.start + max(0, said.find("<|start|>"))
            found.append(_Mark("call", mark.start, start, mark.first))
        elif found or mark.kind == "noise":
            found.append(mark)
    return found[::-1]


_SPACE = 100
"""Characters of space that may stand between two markers."""
_MENTION = 40
"""Characters between two markers that are only spoken of: "in <think> ... </think> tags"."""


def _folded(text: str, marks: list[_Mark], opened: bool) -> Split:
    """The parts between marks, and how they were told."""
    parts = list[Part]()
    closes = sum(mark.kind == "close" for mark in marks)
    state: Literal["unknown", "thinking", "answer"] = "thinking" if opened else "unknown"
    how: How = "only closed" if opened else "unmarked"
    position = depth = 0
    skip = wrapped = False

    def take(kind: Kind, mark: _Mark) -> None:
        nonlocal position
        parts.append(Part(kind, position, mark.start))
        parts.append(Part("marker", mark.start, mark.end))
        position = mark.end

    for mark, behind in zip_longest(marks, marks[1:]):
        closes -= mark.kind == "close"
        blank = mark.start - position < _SPACE and not text[position : mark.start].strip()
        mentioned = not mark.first and _mentioned(text, mark, behind)
        match mark.kind:
            case _ if skip:
                skip = False
            case "noise":
                take(state, mark)
            case "wrap" if state == "answer" and blank:
                take("marker", mark)
                wrapped = True
            case "unwrap" if state == "answer" and wrapped:
                take("answer", mark)
                wrapped = False
            case "call":
                how = "only closed" if state == "unknown" else how
                take("answer" if state == "answer" else "thinking", mark)
                state = "answer"
            case "close" if state == "thinking" and depth:
                depth -= 1
            case "close" if state == "answer":
                _unsure(parts)
                take("unknown", mark)
                how = "repeated"
            case "close":
                how = "only closed" if state == "unknown" else how
                take("thinking", mark)
                state, wrapped = "answer", False
            case "open" if state != "answer" and mentioned and closes > (state == "unknown"):
                skip = True
            case "open" if state == "thinking" and mentioned:
                skip = True
            case "open" if state == "thinking" and not (blank and _begins(parts)):
                depth += mark.first
            case "open" if state == "unknown" and not (mark.first or closes):
                pass
            case "open" | "begin":
                if state == "unknown" or (state == "thinking" and blank):
                    how = "closed" if blank else "late"
                take("marker" if blank else state, mark)
                state = "thinking"
    if state == "thinking" and (calls := _last_calls(text, position)) is not None:
        parts.append(Part("thinking", position, calls))
        state, position = "answer", calls
    parts.append(Part(state, position, len(text)))
    found = tuple(part for part in parts if part.start < part.end)
    return Split(text, found, "unclosed" if state == "thinking" else how)


def _last_calls(text: str, position: int) -> int | None:
    """Where the calls of tools begin that a text ends in; None if it ends in none."""
    found, end = None, len(text)
    while True:
        while end > position and text[end - 1].isspace():
            end -= 1
        closed = (opens for opens, closes in CALLS if text.endswith(closes, position, end))
        if not (opens := next(closed, "")) or (end := text.rfind(opens, position, end)) < 0:
            return found
        found = end


def _begins(parts: list[Part]) -> bool:
    """Whether nothing but an opening marker stands there yet."""
    return len(parts) < 4 and all(p.kind == "marker" or p.start == p.end for p in parts)


def _unsure(parts: list[Part]) -> None:
    """What was taken for the answer behind the last closing marker is not certain to be one."""
    for number in range(len(parts) - 1, -1, -1):
        if parts[number].kind in ("thinking", "unknown"):
            break
        if parts[number].kind == "answer":
            parts[number] = replace(parts[number], kind="unknown")


def _mentioned(text: str, mark: _Mark, behind: _Mark | None) -> bool:
    """Whether an opening marker and the next one are spoken of rather than used."""
    if behind is None or behind.kind != "close" or behind.start - mark.end > _MENTION:
        return False
    return "\n" not in text[mark.end : behind.start]
