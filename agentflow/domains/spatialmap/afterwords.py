"""What stands behind an answer and can only explain it: whoever takes the answer reads it.

B. Note that Pier is not needed here.      the remark is held against the map, as all others are
B. Hmm, it should be C.                    takes the answer back, or may do so
"""

from __future__ import annotations

import re

from agentflow.domains import answers
from agentflow.domains.answers.doubt import SECOND_THOUGHTS, TAKEN_BACK, rejected
from agentflow.domains.answers.remark_words import OF_ITS_AUTHOR
from agentflow.domains.spelling import lowered

_SENTENCE = re.compile(r"(?:\s*\d{1,2}[.)] )?[^.!?\n]*[.!?\n]*[*_\"”')✓✔✅]*\s*")
_SPEAKS_OF_PLACES = re.compile(
    r"\b(?:north|south|east|west)|\bwhere\b[^.]*:|\b(?:needed|necessary|required|relevant|irrelevant|matters?"
    r"|role|unused|used)\b",
    re.I,
)
_OF_THE_ANSWER = re.compile(
    r"\b(?:answers?|options?|choices?|should|instead|rather|actually|wait|hmm+|thoughts?|change"
    r"|switch|mistake\w*|wrong|incorrect|sorry|oops|if|unless|maybe|perhaps|might|could|would"
    r"|equally|possibl[ey]|really|however|revis\w+|correct(?:ed|ion|ing)?)\b|[?✗✘❌]",
    re.I,
)
"""What may speak of the answer, which then stands no more."""
_CHECK = re.compile(
    r"(?i)[\W_]*(?:let me|let['’]s|let us|i can|i will|i['’]ll) (?:\w+[ -]){0,2}?"
    r"(?:verify|check|confirm)\b"
    r"[^:.,\n]*[:,] "
)
"""Who only checks an answer holds on to it."""
_LETTER = re.compile(r"(?<![\w'’])[B-HJ](?![\w'’])|(?<![\w'’])A(?=[.):,;]| (?:is|and|or)\b)")


def without(text: str) -> str:
    """A text without the sentences behind its last answer that can only explain it."""
    found = answers.statements(text)
    end = max((one.end for one in found), default=len(text))
    kept = (one for one in _SENTENCE.findall(text[end:]) if not _explains(one))
    return text[:end] + "".join(kept)


def _explains(sentence: str) -> bool:
    sentence = _CHECK.sub("", sentence, count=1)
    if not _SPEAKS_OF_PLACES.search(sentence) or _LETTER.search(sentence):
        return False
    doubts = (one.search(sentence) for one in (TAKEN_BACK, SECOND_THOUGHTS, _OF_THE_ANSWER))
    return not (any(doubts) or rejected(sentence) or OF_ITS_AUTHOR.search(lowered(sentence)))
