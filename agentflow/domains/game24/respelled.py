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
_ROW = re.compile(
    r"(?m)^[ \t]*\|(?:[ \t]*(?:step )?\d[ \t]*\|)?([^|\n=]{0,40}\d[^|\n=]{0,40})"
    r"\|([^|\n=]{0,20}\d[^|\n=]{0,20})\|"
    r"[ \t]*$"
)
_HEAD = re.compile(
    r"(?im)^[ \t]*\|(?:[ \t]*(?:step|operation|calculation|result|#)[ \t]*\|)+[ \t]*\n"
)
_RULE = re.compile(r"(?m)^[ \t]*\|(?:[ \t:]*-+[ \t:]*\|)+[ \t]*\n")
_SINCE = re.compile(
    r"(?m),? (?:since|because|as|where) (?P<sums>[^\n=]{1,80}=[^\n]{1,160})\.?[ \t]*$"
)
_FENCED = re.compile(r"\s*```\w*[ \t]*\n(?P<said>[^\n`]+)\n```\s*")
_HEADING = re.compile(
    r"(?i)[\s#*_]*(?:check(?:ing)?|verif(?:y|ication)|explanation|proof|steps?"
    r"|(?:let['’]s|let me) (?:check|verify)|step[- ]by[- ]step|breakdown)[\s:.*_]*"
)
_LABEL = re.compile(r"(?i)^[\s*_]*(?:check|verification|explanation|proof|steps?)[*_]*:[*_]*\s+")


def respelled(text: str) -> str:
    """The text with an equation on one line for one on several, with equations for the rows of a
    table, and for what stands behind ``since``; without a fence around all of it."""
    if fenced := _FENCED.fullmatch(text):
        text = fenced["said"] if "=" in fenced["said"] else f"{fenced['said']} = 24"
    text = _USED.sub("", text.replace("\ufe0f", "")).replace("⁄", "/")
    if _HEAD.search(text):
        text = _ROW.sub(r"\1 = \2", _RULE.sub("", _HEAD.sub("", text)))
    return _SINCE.sub(_on_a_line, _GOES_ON.sub(" ", text))


def _on_a_line(found: re.Match[str]) -> str:
    return f".\n\n{found['sums']}" if _only_sums(found["sums"]) else found[0]


def without_sums(text: str) -> str:
    """A text without the calculations that it ends in, where an answer stands above them."""
    lines = text.rstrip().split("\n")
    while lines and (not lines[-1].strip() or _HEADING.fullmatch(lines[-1]) or _checks(lines[-1])):
        lines.pop()
    return "\n".join(lines) or text


def _checks(line: str) -> bool:
    """Whether a line is nothing but right equations, and none has four numbers as an answer has."""
    line = _LABEL.sub("", line)
    if reading.steps(reading.plain(line)):
        return True
    return _only_sums(line) and not any(
        reading.of_four(side) for one, _ in reading.sums(_plain(line)) for side in one.split("=")
    )


def _only_sums(text: str) -> bool:
    found = reading.sums(_plain(text))
    return bool(found) and all(right for _, right in found)


def _plain(text: str) -> str:
    return reading.plain(text.replace("$", "")).strip()
