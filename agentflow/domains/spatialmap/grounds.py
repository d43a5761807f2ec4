"""The stretch of a text that its answer is carried with, to be read beside the problem.

A is north of B. Answer: North   ``North (given: told: A is north of B. Answer: North)``
Answer: North                    ``North``: nothing else is said
"""

from __future__ import annotations

import re

from agentflow.domains import conclusions, narration
from agentflow.domains.spelling import word_set

_MARKS = word_set("boxed text final answer json the option choice")
_SAYS = re.compile(
    r"[^\w\s.:*#{}\\$<>/\"'()\[\],!`-]|\d"
    r"|(?<![\w'])(?:[B-HJ]|A(?= (?:is|and|or)\b|[.):,;]))(?![\w'])"
)
"""A sign, or another letter, that may say something beside an answer."""


def grounded(said: str, text: str) -> str:
    """An answer with what the text says beside it."""
    told = conclusions.reach(text)
    rest = told.replace(said, "")
    silent = narration.only(rest, _MARKS) and not _SAYS.search(rest)
    return said if silent else conclusions.grounded(said, [conclusions.told(told)])
