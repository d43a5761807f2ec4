"""The stretch of a text that its answer is carried with, to be read beside the problem.

    A is north of B. Answer: North   ``North (given: told: A is north of B. Answer: North)``
    Answer: North                    ``North``: nothing else is said

A reply of some tens of lines is carried as a whole. Of a longer one, which may have tried and taken
back much, it is the line above the answer and all from there on.
"""

from __future__ import annotations

import re

from agentflow.domains import answers, conclusions, narration
from agentflow.domains.spelling import word_set

TOLD = "told: "
"""What marks the ground that is a stretch of a text."""
_MAX_LINES = 60
_MAX_WHOLE = 8_000
_MARKS = word_set("boxed text final answer json the option choice")
_SAYS = re.compile(
    r"[^\w\s.:*#{}\\$<>/\"'()\[\],!`-]|\d"
    r"|(?<![\w'])(?:[B-HJ]|A(?= (?:is|and|or)\b|[.):,;]))(?![\w'])"
)
"""A sign, or another letter, that may say something beside an answer."""


def grounded(said: str, text: str) -> str:
    """An answer with what the text says beside it."""
    told = reach(text)
    rest = told.replace(said, "")
    silent = narration.only(rest, _MARKS) and not _SAYS.search(rest)
    if silent:
        return said
    told = told.replace("; ", ". ").replace(";", ",")
    return conclusions.grounded(said, [f"{TOLD}{told}"])


def reach(text: str) -> str:
    """As much of a text as is read."""
    text = narration.own(text).strip()
    if len(text) <= _MAX_WHOLE and sum(map(bool, text.split("\n"))) <= _MAX_LINES:
        return text
    begin = text.rfind("\n", 0, answers.begins(text)) + 1
    above = answers.above(text[:begin])
    return f"{above}\n{text[begin:]}"
