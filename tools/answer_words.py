"""Answers in words, compared: ``Yes`` and ``correct`` may mean the same."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentflow.tools.compared import Outcome
from agentflow.tools.quantities import Number
from agentflow.tools.spelling import is_words, words

_LONG_WORD = re.compile(r"(?<![\\a-zA-Z])[a-zA-Z]{3,}")
_NONE = frozenset({"no", "none"})
_MEANT_ALIKE = (frozenset({"yes", "true", "correct"}), _NONE | {"false", "incorrect"})
_NOTHING_WORDS = """
not never nothing dne undefined impossible empty nonexistent
"""
_NOTHING = _NONE | frozenset(_NOTHING_WORDS.split())
"""Words of which one is in every way to say that there is no answer."""


def compare_words(texts: tuple[str, str], numbers: Sequence[Number | None]) -> Outcome | None:
    """Compare two answers of which one, at least, is words.

    Args:
        numbers: What the texts are as numbers.
    """
    are_words = [is_words(text) for text in texts]
    wordy = any(len(_LONG_WORD.findall(text)) > 1 for text in texts)
    if wordy and any(numbers) and not any(are_words):
        return Outcome(None, "a sentence")
    if all(are_words):
        one, other = words(texts[0]), words(texts[1])
        if one == other:
            return Outcome(True, "words")
        denied = _NOTHING & {*one} and _NOTHING & {*other}
        if denied or any({*one, *other} <= words for words in _MEANT_ALIKE):
            return Outcome(None, "words that may mean the same")
        if set(one) <= set(other) or set(other) <= set(one):
            return Outcome(None, "one of them says more")
        if len(one) == len(other) and all(map(_shortens, one, other)):
            return Outcome(None, "a short form")
        return Outcome(False, "words")
    if any(are_words) and any(numbers):
        return Outcome(None, "words that may be a number")
    return None


def _shortens(one: str, other: str) -> bool:
    """Whether two words are the same, or one may be short for the other: ``mon``, ``monday``."""
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) > 2 and long.startswith(short))
