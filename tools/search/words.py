"""The words of a text that say what it is about."""

from __future__ import annotations

import re

_COMMON = frozenset(
    """
    a an and are as at be been but by can could did do does for from had has have he her his how i
    if in into is it its may me might my no nor not of on or our she should so than that the their
    them then there these they this those to was we were what when where which who whom whose why
    will with would you your
    """.split()  # noqa: SIM905
)


def content_words(text: str) -> list[str]:
    """The different words of ``text`` in lower case, without the common ones, in their order."""
    return [word for word in all_words(text) if word not in _COMMON]


def all_words(text: str) -> list[str]:
    """The different words of ``text`` in lower case, in their order."""
    return list(dict.fromkeys(re.findall(r"\w+", text.casefold())))
