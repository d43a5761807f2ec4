"""A regular expression for whole words out of a list."""

from __future__ import annotations

import re
from collections.abc import Sequence


def whole_words(words: Sequence[str]) -> str:
    """A regular expression for any of ``words``, the longest first, not inside of a longer one."""
    found = []
    for word in sorted(words, key=len, reverse=True):
        before = r"(?<!\w)" if re.match(r"\w", word) else ""
        behind = r"(?!\w)" if re.match(r"\w", word[-1]) else ""
        found.append(f"{before}{re.escape(word)}{behind}")
    return "|".join(found)
