"""What a reply says of a text that its author was given: that it has an answer in it, or has none.

The given passage contains a clear answer.         tells where the answer is from
The passage does not give an answer. Let's work it out.    its author does the work
The passage does not give an answer.               leaves the answer open
The original reasoning is wrong. ...  The answer is B.    somebody else's reasoning, corrected
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentflow.domains.spelling import lowered

_HAS_ANSWER = re.compile(
    r"\W*(?:the|this) (?:generated|given|provided|retrieved|above|quoted) (?:[a-z-]+ ){0,3}?"
    r"(?:chain[- ]of[- ]thought|cot|reasoning|context|passages?|paragraphs?|documents?|text)"
    r"(?: reasoning| \(cot\))? (?:already )?(?:contains?|provides?|gives?|states?|includes?"
    r"|(?P<lacks>do(?:es)? not (?:contain|provide|give|state|include))) (?:an?|the)"
    r" (?:(?:clear|explicit|direct|final) )?answer\W*"
)
"""What tells whether a text that the author was given has an answer in it."""
_OWN_WORK = re.compile(
    r"\W*(?:so,? |however,? )?(?:let['’]s|let me|let us|i will|i['’]ll|we (?:can|will)) (?:now )?"
    r"(?:generate|analy[sz]e|continue|reason|break|look|work|combine|consider|use|go|start)\b"
)


_ORIGINAL = re.compile(
    r"\b(?<!my )(?<!our )(?:the|this) (?:original|given|provided)"
    r" (?:reasoning|analysis|explanation)(?: process)?(?:['’]s)?\b(?! (?:above|below|here|i)\b)"
)
"""A reasoning that the author was given, above the answer."""


def of_original(sentence: str) -> bool:
    """Whether a sentence speaks of a reasoning that its author was given to correct."""
    return _ORIGINAL.search(lowered(sentence)) is not None


def has_answer(sentence: str) -> bool:
    """Whether a sentence only tells that a text that the author was given has an answer."""
    found = _HAS_ANSWER.fullmatch(lowered(sentence))
    return found is not None and found["lacks"] is None


def of_given(said: Sequence[str], at: int) -> bool:
    """Whether a sentence only tells that a text, which the author was given, has an answer in it;
    or that it has none, and the author works one out."""
    of_given = _HAS_ANSWER.fullmatch(lowered(said[at]))
    if of_given is None:
        return False
    behind = said[at + 1] if at + 1 < len(said) else ""
    return of_given["lacks"] is None or _OWN_WORK.match(lowered(behind)) is not None
