"""A clause that has the words of a question in their order, with a number for ``how many``.

How many more ducks flew north than those that flew south?
12 more ducks flew north than those that flew south    12
12 more ducks flew south than those that flew north    None
"""

from __future__ import annotations

import re

from agentflow.domains.math.endings import read
from agentflow.domains.math.naming_words import AUXILIARY, FREE, SENTENCES, WORD, alike
from agentflow.domains.spelling import word_set
from agentflow.tools.quantities import singular

_HOW_MANY = re.compile(r"(?i)\bhow many (?P<rest>[^?]+)\?")
_SUPPOSING = re.compile(r"(?i),? \b(?:if|when|given that) .*\Z")
_SILENT = (FREE | AUXILIARY | word_set("present exist exists those entire whole of")) - {"than"}
_ENDS = re.compile(r"(?i),? (?:in (?:total|all)|altogether)\s*\Z")
_FEWEST = 2


def value(question: str, clause: str) -> str | None:
    """The number of a clause that has otherwise the words of a question, in their order."""
    *_, last = SENTENCES.split(question.strip())
    asked, found = _HOW_MANY.search(last), read(clause)
    if asked is None or found is None or found.worked or "$" in found.number:
        return None
    rest = _SUPPOSING.sub("", asked["rest"])
    wanted, told = _keys(_ENDS.sub("", rest)), _keys(_ENDS.sub("", found.tail))
    if len(wanted) < _FEWEST or _keys(found.lead) or told != wanted:
        return None
    return found.number


def _keys(text: str) -> list[str]:
    """The words of a text in the forms that all theirs have in common, but for silent ones."""
    words = (one.lower() for one in WORD.findall(text))
    return [alike(singular(one)) for one in words if one not in _SILENT]
