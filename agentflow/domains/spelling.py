"""Characters that are only another spelling of plain ones, and the words for small numbers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

FULL_WIDTH = {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)} | {"\u3000": " "}
"""Full-width digits, letters and signs, which some models write."""

ARROWS = dict.fromkeys("→⇒⟶⟹➔➙➜➝➞", "->")
DASHES = dict.fromkeys("‐‑‒–—―−﹘", "-")
QUOTES = {**dict.fromkeys("’‘ʼ´", "'"), **dict.fromkeys("“”„", '"')}
_NO_PAUSES = {wide: sign for wide, sign in FULL_WIDTH.items() if sign not in "!,.;?"}
"""Those of them that are no punctuation of a sentence in Chinese."""
_WIDE = str.maketrans(_NO_PAUSES)
_SPELLINGS = str.maketrans({**ARROWS, **DASHES, **QUOTES, "\u200b": None, "\ufeff": None})

_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202c\u2060-\u2064\u2066-\u2069\ufeff]"
    "|(?<=[!-~])[\u200c\u200d]|[\u200c\u200d](?=[!-~])"
)
"""Signs that nobody sees; the joiners between letters of other scripts are theirs."""
TURNED = re.compile("[\u202d\u202e]")
"""What turns the letters behind it around: what a reader sees is not what stands there."""
_STROKE = re.compile("[\u0335-\u0338\u20d2\u20d3\u20e0\u20e5\u20eb]+")
_STRUCK = re.compile(rf"(?:\S{_STROKE.pattern})+")
_KEYCAP = re.compile("([0-9#*])\ufe0f?\u20e3")
_FONTS = re.compile("[\U0001d400-\U0001d7ff]+")
"""Bold, script and other such letters and digits."""
_LOOKALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0410\u0412\u0415\u041a\u041c\u041d\u041e"
    "\u0420\u0421\u0422\u0425\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4"
    "\u03a5\u03a7\u03bf\u0131",
    "aeopcyxisABEKMHOPCTXABEZHIKMNOPTYXoi",
)
_WORD = re.compile(r"[^\W\d_]+")
_MIXED = re.compile("[a-zA-Z][\u0370-\u04ff]|[\u0370-\u04ff][a-zA-Z]")
"""Letters of two scripts side by side."""
_MISSPELLED = ("answer", "correct", "incorrect", "mistake", "solution", "wrong")
"""Words on which a verdict rests."""

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
_DOUBLED = re.compile(r"(.)\1$")


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """The beginning that the forms of an English word, in small letters, have in common."""
    short = _ENDING.sub("", word) if len(word) > 4 else word.removesuffix("s")
    short = short if len(short) > 2 else word
    return _DOUBLED.sub(r"\1", short)


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


def _misspelt(word: str) -> Iterator[str]:
    """A word with a letter left out, or two of them swapped; its first letter stays."""
    for at in range(1, len(word)):
        yield word[:at] + word[at + 1 :]
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]


_TYPOS = {
    typo + ending: (word, ending)
    for word in _MISSPELLED
    for typo in _misspelt(word)
    if typo != "wong"  # a name
    for ending in ("", "s", "ly")
} | {f"teh{ending}": ("the", ending) for ending in ("", "s", "ly")}
_LIKE_TYPOS = re.compile(r"\b[acimstw][a-z]{2,10}\b", re.IGNORECASE)


def _spelt(found: re.Match[str]) -> str:
    if (known := _TYPOS.get(found[0].lower())) is None:
        return found[0]
    word, ending = known
    begin = word.capitalize() if found[0][0].isupper() else word
    return begin + found[0][len(found[0]) - len(ending) :]


_BOLD = re.compile(r"</?(?:b|strong)>", re.IGNORECASE)
_STYLED = re.compile(r"</?(?:i|em|u|span|p|center|h[1-6])>", re.IGNORECASE)
_FINISH = re.compile(
    r"(?m)^[ \t*_]*(?:Action(?: \d{1,2})?[ \t*_]*:[ \t*_]*)?[Ff]inish"
    r"\[([^\[\]\n]{1,300})\][ \t*_.]*$"
)
_SHORT_FOR = re.compile(r"(?m)^(?<![^\n])(?i:ans)(?:\.:?| ?:) +(?=\S)")


def _in_one_script(word: re.Match[str]) -> str:
    return word[0].translate(_LOOKALIKES) if _MIXED.search(word[0]) else word[0]


def legible(text: str) -> str:
    """The text as a reader sees it.

    Signs that nobody sees are left out. Full-width and bold letters are plain ones, and so is a
    letter of another script that looks like a Latin one and stands among those. What has a stroke
    through each letter is marked as struck out (``~~``). Bold letters of HTML are those of
    Markdown. A few words that decide what a reply says are put right (``anwser``, ``Ans.``), and
    the last action of an agent is an answer line (``Action 2: Finish[yes]``).
    """
    if not text.isascii():
        text = _KEYCAP.sub(r"\1", _UNSEEN.sub("", unicodedata.normalize("NFC", text)))
        text = _STRUCK.sub(lambda found: f"~~{_STROKE.sub('', found[0])}~~", text)
        text = _FONTS.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
        text = text.translate(_WIDE)
        text = _WORD.sub(_in_one_script, text) if _MIXED.search(text) else text
    text = _BOLD.sub("**", _STYLED.sub("", text)) if "</" in text else text
    text = _SHORT_FOR.sub("Answer: ", text)
    text = _FINISH.sub(r"Answer: \1", text) if "inish[" in text else text
    words = map(str.lower, set(_LIKE_TYPOS.findall(text)))
    return text if _TYPOS.keys().isdisjoint(words) else _LIKE_TYPOS.sub(_spelt, text)
