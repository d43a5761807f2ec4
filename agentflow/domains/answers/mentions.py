"""Where a text mentions an answer: 7 in ``It is 7.``, and not in ``7.5``, ``17`` or ``7^2``."""

from __future__ import annotations

import re

_GOES_ON_BEFORE = re.compile(r"[\w.,'’/^+*$-]")
_GOES_ON = re.compile(r"[\w'’/^+*-]|[.,]\d")


def around(text: str, answer: str) -> list[str]:
    """What stands around each mention of an answer in a text; the text alone where none is."""
    parts, begin = list[str](), 0
    place = text.find(answer) if answer else -1
    while place >= 0:
        end = place + len(answer)
        joined = place and _GOES_ON_BEFORE.match(text, place - 1)
        if joined or _GOES_ON.match(text, end):
            end = place + 1
        else:
            parts.append(text[begin:place])
            begin = end
        place = text.find(answer, end)
    return [*parts, text[begin:]]
