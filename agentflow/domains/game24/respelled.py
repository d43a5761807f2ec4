"""Answers of Game of 24 in other layouts, put in those that :mod:`.reading` reads."""

from __future__ import annotations

import re

_USED = re.compile(
    r"(?i)(?:(?<=[.!:✓✅✔\n])[ \t]{0,4}|\A)(?:(?:and|so|here),? )?(?:(?:this|it) uses )?(?:all|each"
    r"|every)(?: of)?(?: the)?(?: four| 4)?(?: given)? numbers?(?: (?:is|are|was|were|has been"
    r"|have been))?(?: used)? (?:exactly |only |just )?once[.! \t✓✅✔]{0,8}(?=\n|\Z)"
)
"""A sentence that says what is looked at anyway."""
_GOES_ON = re.compile(r"(?<=[\d)])[ \t]*\n[ \t]*(?==\s*[-(\d])")
"""Where an equation goes on on the next line."""
_HEAD = re.compile(
    r"(?im)^[ \t]*\|(?:[ \t]*(?:step|operation|calculation|result|#)[ \t]*\|)+[ \t]*\n"
)
_RULE = re.compile(r"(?m)^[ \t]*\|(?:[ \t:]*-+[ \t:]*\|)+[ \t]*\n")
_FENCED = re.compile(r"\s*```\w*[ \t]*\n(?P<said>[^\n`]+)\n```\s*")


def respelled(text: str) -> str:
    """The text with an equation on one line for one on several, without the head of a table, or a
    fence around all of it."""
    if fenced := _FENCED.fullmatch(text):
        text = fenced["said"] if "=" in fenced["said"] else f"{fenced['said']} = 24"
    text = _USED.sub("", text.replace("\ufe0f", "")).replace("⁄", "/")
    if _HEAD.search(text):
        text = _RULE.sub("", _HEAD.sub("", text))
    return _GOES_ON.sub(" ", text)
