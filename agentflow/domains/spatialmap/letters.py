"""The only option whose letter a reply names is its answer, though no words call it so.

Pier is southeast of Mill, so C.     C; whoever takes it reads all that stands beside it
**C. Southeast** The map says so.    C
C. Hmm, it should be B.              none: two letters are named
Perhaps it is C.                     none: it is doubted
"""

from __future__ import annotations

import re

from agentflow.domains.answers.doubt import SECOND_THOUGHTS, TAKEN_BACK, is_doubted, rejected
from agentflow.domains.spelling import lowered

_SENTENCE = re.compile(r"(?:\s*\d{1,2}[.)] )?[^.!?\n]*[.!?\n]*[*_\"”')✓✔✅]*\s*")
_LETTER = re.compile(
    r"(?<![\w'’.])(?P<letter>[B-HJ]|A(?=\W*(?:$|\n)|[.):,;*}]| (?:is|and|or|[(–—-])))(?![\w'’])"
    r"|\b[Oo]ption \(?(?P<option>[A-J])\b"
)


def only_one(text: str) -> str | None:
    """The one letter of an option that a text names, where no sentence that names it doubts it, and
    none takes anything back."""
    if TAKEN_BACK.search(text) or SECOND_THOUGHTS.search(text):
        return None
    letters = set[str]()
    for sentence in _SENTENCE.findall(text):
        found = {one["letter"] or one["option"] for one in _LETTER.finditer(sentence)}
        if found and (is_doubted(lowered(sentence), "") or rejected(sentence)):
            return None
        letters |= found
    return letters.pop() if len(letters) == 1 else None
