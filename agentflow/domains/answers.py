"""Where a text states its answer, boxed or in a line, and what follows from what it was given."""

from __future__ import annotations

import re
from collections.abc import Iterator

MAX_ANSWER = 300
"""Longer contents of a box are no answer."""

LINE = re.compile(r"(?i)(?<![^\W_])answer[\s*_]*(?:is\b|[:=])[\s*_:]*(.+)")
"""An answer line; its group is what the answer is said to be."""

_FROM = r"from\s[^:\n]{0,80}\d[^:\n]{0,80}:"
_STEP = re.compile(
    rf"(?i)[^\w\n]{{0,12}}(?:step\b\s*(?:[#(]?\d{{1,4}}\)?\s*[:.)–—-]|:)[\s*]*(?:{_FROM})?|{_FROM})"
    r"[\s*]*(?P<claim>[^\s*][^\n]*)"
)
_MARKED = re.compile(r"(?i)step|from")
_TEXT_COMMAND = re.compile(r"\\text\w*\s*\{([^{}]*)\}")
_BOXED = re.compile(r"\\boxed\s*\{")


def step(line: str) -> str | None:
    """What a line claims as a step: ``Step 2: ...``, ``From 1, 3: ...``; what the numbers say is
    not read."""
    found = _STEP.match(line) if _MARKED.search(line) else None
    return found["claim"] if found else None


def stated(text: str) -> str | None:
    """The answer that a text states: the last boxed one, else what the last answer line says."""
    said = list(boxed(text)) or LINE.findall(text)
    return _TEXT_COMMAND.sub(r"\1", said[-1]).strip(" \t\r\n*.") or None if said else None


def boxed(text: str) -> Iterator[str]:
    """The contents of each closed ``\\boxed{...}``, braces matched."""
    for match in _BOXED.finditer(text):
        depth = 1
        for position in range(match.end(), min(len(text), match.end() + MAX_ANSWER)):
            depth += {"{": 1, "}": -1}.get(text[position], 0)
            if depth == 0:
                yield text[match.end() : position]
                break
