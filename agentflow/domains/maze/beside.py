"""The stretch of a text that its answer is carried with: all that it says, but for steps.

``The path bends twice. So B.``  ``B (given: told: The path bends twice. So B.)``
"""

from __future__ import annotations

import re
from typing import Any

from agentflow.domains import narration
from agentflow.domains.answers import conclusions
from agentflow.domains.maze.claims import Claim, plain, read
from agentflow.domains.maze.counts import MAX_LINE
from agentflow.domains.spelling import word_set

MAYBE = "maybe"
"""What marks an answer that a text may not state: it may pass, and is never wrong."""
_MARKS = word_set("boxed text final answer the option choice")
_SAYS = re.compile(r"(?i)<!|[^\w\s.:*#{}\\$<>/\"'()\[\],!`-]|\d|\b(?:right|left|up|all|both)\b")
"""A sign, or a word, that may say something beside an answer."""


def beside(text: str, said: str) -> list[str]:
    """All that a text says beside its answer, as one ground; empty where that is nothing."""
    rest = _without_steps(conclusions.reach(text, _without_steps))
    silent = re.sub(rf"(?<!\w){re.escape(said)}(?!\w)", "", rest)
    if narration.only(silent, _MARKS) and not _SAYS.search(silent):
        return []
    return [conclusions.told(rest)]


def _without_steps(text: str) -> str:
    """The lines of a text that are no steps along the path, but for those that cannot be read."""
    kept, memory = list[str](), dict[str, Any]()
    for line in text.split("\n"):
        claims = list[Claim]()
        if len(line) <= MAX_LINE:
            memory, claims = read(plain(line), memory)
        if not any("move" in one for one in claims):
            kept.append(line)
    return "\n".join(kept)
