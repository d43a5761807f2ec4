"""The answer that a text states, as in other domains; here it may have several lines."""

from __future__ import annotations

import re

from agentflow.domains import answers
from agentflow.domains.answer_sentences import announces

_TAGGED = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_STAND_IN = "Severallines"
"""A word in the place of lines, for what is said around them to be read."""


def answer(text: str) -> str | None:
    """What stands in the last ``<answer>``, or in the lines below the last heading that announces
    one, if the text does not deny it or take it back; else what :func:`answers.stated` finds."""
    tags = [tag.span(1) for tag in _TAGGED.finditer(text)]
    place = tags[-1] if tags else _lines_below(text)
    if place is None:
        return answers.stated(text)
    begin, end = place
    said = text[begin:end].strip()
    shown = _STAND_IN if "\n" in said else said
    stated = answers.stated(text[:begin] + shown + text[end:])
    alone = answers.stated(f"<answer>{shown}</answer>")
    return said if stated is not None and stated == alone else None


def _lines_below(text: str) -> tuple[int, int] | None:
    """Where the lines below the last announcement begin and end, if they are several."""
    place, begin, end, open_ = 0, 0, 0, False
    lines = 0
    for line in text.splitlines(keepends=True):
        place += len(line)
        if announces(line):
            begin, lines, open_ = place, 0, True
        elif open_ and line.strip() and not _FENCE.match(line):
            begin = begin if lines else place - len(line)
            lines, end = lines + 1, place - len(line) + len(line.rstrip())
        elif lines:
            open_ = False
    return (begin, end) if lines > 1 else None
