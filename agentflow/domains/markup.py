"""Marks of emphasis, and signs that are only another spelling of plain ones."""

from __future__ import annotations

import re

from agentflow.domains import spelling

_PAIR = re.compile(
    r"(?<![\w*`_$\\])(\*{1,3}|_{1,3}|`{1,3}|\$)(?!\1)(?=\S)([^\n]{1,600}?)(?<=\S)\1(?![\w*`_$])"
)
_SIGNS = str.maketrans(spelling.FULL_WIDTH | spelling.ARROWS | spelling.DASHES | spelling.QUOTES)
RULE = re.compile(r"^\s*(?:```\w*|---+|\|?[-:| ]+\|[-:| ]*)\s*$", re.MULTILINE)
"""A line that is a fence, or a rule below the head of a table."""
ROW = re.compile(r"^\s*\|(?P<cells>.*)\|\s*$")
"""A line of a table."""
_NESTED = 4
_BULLETS = re.compile(r"(?:[\s>•·#|✓✔✅]|->|[*-](?=\s)|[0-9]{1,4}[.)](?![0-9]))*")


def unmarked(text: str) -> str:
    """The text without the marks that stand in pairs around words (``**A**``, `` `A` ``, ``$3$``).

    A mark that has no partner may be part of what is said (``A*``) and stays.
    """
    if not ("*" in text or "_" in text or "`" in text or "$" in text):
        return text
    for _ in range(_NESTED):
        if (shorter := _PAIR.sub(r"\2", text)) == text:
            break
        text = shorter
    return text


def ascii_signs(text: str) -> str:
    """The text with full-width letters and digits, arrows, dashes and curly quotes in ASCII.

    What another form gives another meaning (``3²``, ``½``) stays as it is.
    """
    return text if text.isascii() else text.translate(_SIGNS)


def unlisted(line: str) -> str:
    """The line without what lists have in front: bullets, numbers, ticks, quotation marks."""
    return line[behind(_BULLETS, line, 0) :]


def behind(pattern: re.Pattern[str], text: str, place: int) -> int:
    """Where that ends which a pattern finds at a place; the place itself where it finds nothing."""
    found = pattern.match(text, place)
    return found.end() if found else place
