"""Where a sentence of a text ends."""

from __future__ import annotations

import re
from functools import lru_cache

from agentflow.domains.spelling import LETTER_OR_DIGIT

SENTENCE_END = re.compile(r"(?<!\\)[.!?](?<!\be\.g\.)(?<!\bi\.e\.)(?=\s)|\n")
"""The end of a sentence that may go on behind an abbreviation, or of a line."""


def sentence_end(signs: str = ".!?", *further: str) -> re.Pattern[str]:
    r"""A pattern for what stands between two sentences, or two lines.

    ``sentence_end().split("It is **5.5.** So\nA.")`` gives ``It is **5.5.``, ``So`` and ``A.``: the
    marks and quotes that close behind a sign are left out, and a sign within a number ends nothing.

    Args:
        signs: What ends a sentence, where space stands behind.
        further: Regular expressions for what else parts a text: ``;\s*``
    """
    closes = r"(?:[*_')]*\s+|[*_')]*[\"”][*_\"”')]*\s+(?![a-z]))"  # a title goes on: "Yeah!" was
    return re.compile("|".join([rf"(?<=[{signs}])(?<!\\!){closes}", r"\n+", *further]))


ANY_END = sentence_end(".!?:")


@lru_cache(maxsize=16)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text that say something; a colon ends one, too."""
    parts = ANY_END.split(text)
    return tuple([one.strip() for one in parts if LETTER_OR_DIGIT.search(one)])


def led_by(text: str, place: int, most: int) -> str:
    """The words in front of a place, in its sentence; ``most`` characters of them."""
    return SENTENCE_END.split(text[max(0, place - most) : place])[-1]
