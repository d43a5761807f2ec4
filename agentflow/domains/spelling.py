"""Characters that are only another spelling of plain ones, and the words for small numbers."""

from __future__ import annotations

import re
import unicodedata

FULL_WIDTH = {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)} | {"\u3000": " "}
"""Full-width digits, letters and signs, which some models write."""

ARROWS = dict.fromkeys("→⇒⟶⟹➔➙➜➝➞", "->")
DASHES = dict.fromkeys("‐‑‒–—―−﹘", "-")
QUOTES = {**dict.fromkeys("’‘ʼ´", "'"), **dict.fromkeys("“”„", '"')}
_SPELLINGS = str.maketrans({**ARROWS, **DASHES, **QUOTES, "\u200b": None, "\ufeff": None})

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
)
NUMBERS = {word: number for number, word in enumerate(_SMALL.split())}
"""``zero`` to ``nineteen``."""

_PLACES = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
ORDINALS = _PLACES.split()
"""``first`` to ``twelfth``."""

A_LETTER = re.compile(r"[^\W\d_]")
"""A letter of any script."""
LETTERS = re.compile(r"[^\W\d_]+")
"""Letters without a sign between them, mostly a word."""
LETTER_OR_DIGIT = re.compile(r"[^\W_]")
"""What a text has that says something."""


def number(said: str) -> int:
    """The number that digits say, or a word of :data:`NUMBERS` in small letters."""
    return NUMBERS[said] if said in NUMBERS else int(said)


def word_set(listed: str) -> frozenset[str]:
    """The words of a list in which spaces and line breaks stand between them."""
    return frozenset(listed.split())


def phrases(listed: str) -> str:
    """A regular expression for one of the phrases of a list in which semicolons, or line breaks,
    stand between them; each is a regular expression of its own."""
    said = (one.strip() for line in listed.splitlines() for one in line.split(";"))
    return "|".join(one for one in said if one)


_ENDING = re.compile(r"(?:ations?|ings?|ions?|ers?|ors?|ed|es|s|ly|al|e|y|ies)$")


def stem(word: str) -> str:
    """The beginning that the forms of an English word, in small letters, have in common."""
    short = _ENDING.sub("", word) if len(word) > 4 else word.removesuffix("s")
    short = short if len(short) > 2 else word
    return re.sub(r"(.)\1$", r"\1", short)


def lowered(text: str) -> str:
    """The text in small letters, each at its old place.

    An expression in small letters reads it several times faster than one that ignores case reads
    the text: the engine skips the alternatives that begin with another letter.
    """
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(one.lower() if len(one.lower()) == 1 else one for one in text)


def odd(text: str) -> bool:
    """Whether a text has digits that :func:`plain` would take for others: ``1½`` for ``112``."""
    return not text.isascii() and any(unicodedata.category(sign) == "No" for sign in text)


def shortened(text: str, most: int) -> str:
    """The text as a message shows it: no longer than ``most`` characters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def plain(text: str) -> str:
    """The text with arrows, dashes, quotes, digits and the like in ASCII (NFKC for the rest)."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text.translate(_SPELLINGS))
