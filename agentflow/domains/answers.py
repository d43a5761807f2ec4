"""Where a text states its answer: boxed expressions and answer lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

MAX_ANSWER = 300
"""Longer contents of a box are no answer."""

LINE = re.compile(r"(?i)\banswer\s*(?:is\b|:)[\s:]*(.+)")
"""An answer line; its group is what the answer is said to be."""

_BOXED = re.compile(r"\\boxed\s*\{")


def boxed(text: str) -> Iterator[str]:
    """The contents of each closed ``\\boxed{...}``, braces matched."""
    for match in _BOXED.finditer(text):
        depth = 1
        for position in range(match.end(), min(len(text), match.end() + MAX_ANSWER)):
            depth += {"{": 1, "}": -1}.get(text[position], 0)
            if depth == 0:
                yield text[match.end() : position]
                break
