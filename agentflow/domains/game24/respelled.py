"""Answers of Game of 24 in other layouts, put in those that :mod:`.reading` reads."""

from __future__ import annotations

import re

from agentflow.domains.game24 import reading

_USED = re.compile(
    r"(?i)(?:(?<=[.!:✓✅✔\n])[ \t]{0,4}|\A)(?:(?:and|so|here),? )?(?:(?:this|it) uses )?"
    r"(?:all|each|every)(?: of)?(?: the)?(?: four| 4)?(?: given)? numbers?"
    r"(?: (?:is|are|was|were|has been|have been))?(?: used)? (?:exactly |only |just )?once"
    r"[.! \t✓✅✔]{0,8}(?=\n|\Z)"
)
"""A sentence that says what is looked at anyway."""
_GOES_ON = re.compile(r"(?<=[\d)])[ \t]*\n[ \t]*(?==\s*[-(\d])")
"""Where an equation goes on on the next line."""
_HEAD = re.compile(
    r"(?im)^[ \t]*\|(?:[ \t]*(?:step|operation|calculation|result|#)[ \t]*\|)+[ \t]*\n"
)
_RULE = re.compile(r"(?m)^[ \t]*\|(?:[ \t:]*-+[ \t:]*\|)+[ \t]*\n")
_FENCED = re.compile(r"\s*```\w*[ \t]*\n(?P<said>[^\n`]+)\n```\s*")
_HEADING = re.compile(
    r"(?i)[\s#*_]*(?:check(?:ing)?|verif(?:y|ication)|explanation|proof|steps?"
    r"|(?:let['’]s|let me) (?:check|verify)|step[- ]by[- ]step|breakdown)[\s:.*_]*"
)


def respelled(text: str) -> str:
    """The text with an equation on one line for one on several, without the head of a table, or a
    fence around all of it."""
    if fenced := _FENCED.fullmatch(text):
        text = fenced["said"] if "=" in fenced["said"] else f"{fenced['said']} = 24"
    text = _USED.sub("", text.replace("\ufe0f", "")).replace("⁄", "/")
    if _HEAD.search(text):
        text = _RULE.sub("", _HEAD.sub("", text))
    return _GOES_ON.sub(" ", text)


def without_sums(text: str) -> str:
    """A text without the calculations that it ends in, where an answer stands above them."""
    lines = text.rstrip().split("\n")
    while lines and (not lines[-1].strip() or _HEADING.fullmatch(lines[-1]) or _checks(lines[-1])):
        lines.pop()
    return "\n".join(lines) or text


def _checks(line: str) -> bool:
    """Whether a line is nothing but right equations, and none has four numbers as an answer has."""
    plain = reading.plain(line.replace("$", "")).strip()
    found = reading.sums(plain)
    answered = any(reading.of_four(side) for one, _ in found for side in one.split("="))
    right = bool(found) and all(right for _, right in found) and not answered
    return right or bool(reading.steps(plain))
