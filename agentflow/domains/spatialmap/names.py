"""The names of a map's objects: when two are the same, and what can be one."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from agentflow.domains import markup
from agentflow.domains.spelling import word_set
from agentflow.errors import BadInput

MAX_OBJECTS = 32
MAX_NAME = 80

_NO_NAME = re.compile(r"[,;:?!=<>|→]|\b(?:is|are|was|were|not)\b|^(?:if|it|this|that)\b", re.I)
_NOBODY = re.compile(
    r"(?i)no|none|nothing|nobody|neither|everything|everybody|everyone|each|every|any|anything"
)
"""What begins no name, however often it is said."""
_SEVERAL = re.compile(r"\b(?:and|or)\b", re.I)
_ARTICLE = re.compile(r"(The|A|An)(?= \S)")
_SMALL = {"of", "the", "and", "or", "for", "de", "la", "&"}
_REMARKS = word_set("""
    maybe perhaps now once today yesterday tomorrow often sometimes always never here there also
    only then so no neither either when while unless suppose assume imagine say let imagining
    nothing something everything anything nobody somebody everybody one all some most many few both
    each every any none another he she they we you what which who these those other others not
    still almost just even since because although if whether
""")
"""Words that may speak of a sentence rather than belong to the name that it begins or ends with;
so may those in -ly. A name with one has to be met twice."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A name where a map has it: ``alone`` (is in the map), ``subject`` or ``object`` (of)."""

    name: str
    place: str


APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ´", "'"))


def number_of(name: str, objects: Sequence[str]) -> int | None:
    """The number of the object that a name fits, in any case and with marks of emphasis; None if it
    fits none, or several."""
    said = {_folded(name), _folded(markup.unmarked(name))}
    fitting = [number for number, one in enumerate(objects) if _folded(one) in said]
    return fitting[0] if len(fitting) == 1 else None


def named(mentions: Sequence[Mention], elsewhere: str) -> dict[str, int]:
    """Name -> number, in order, of all that are mentioned.

    Args:
        elsewhere: The question and the options, which may mention a name again.

    Raises:
        BadInput: If one is no name, or if two names are so alike that they might be one.
    """
    met = Counter(literal(one.name) for one in mentions)
    alone = {literal(one.name) for one in mentions if one.place == "alone"}
    subjects = alone | {literal(one.name) for one in mentions if one.place == "subject"}
    before = set[str]()
    for one in mentions:
        name = literal(one.name)
        joined = one.place == "object" and name not in before and _SEVERAL.search(name)
        there = re.search(rf"(?<!\w){re.escape(_folded(name))}(?!\w)", _folded(elsewhere))
        again = met[name] + bool(there) > 1
        if joined or not _is_name(name, again=again, subject=name in subjects):
            raise BadInput(f"spatialmap: {name[:80]!r} is no name of one object")
        before.add(name)
    if not 1 <= len(met) <= MAX_OBJECTS:
        raise BadInput(f"spatialmap: the map has {len(met)} objects; 1 to {MAX_OBJECTS} can be")
    for name, other in permutations(met, 2):
        rest = iter(_folded(other).split())
        grown = re.search(rf"(?<=\w){re.escape(name)}$", other) is not None  # unBank and Bank
        within = grown or all(word in rest for word in _folded(name).split())
        if _loose(name) == _loose(other) or (within and not {name, other} <= alone):
            raise BadInput(f"spatialmap: cannot tell whether {name!r} and {other!r} are one object")
    return {name: number for number, name in enumerate(met)}


def literal(name: str) -> str:
    """A name as it is written; an article in front is the same at the beginning of a sentence."""
    name = " ".join(name.split())
    article = _ARTICLE.match(name)
    return name if article is None else article[0].lower() + name[article.end() :]


def _folded(name: str) -> str:
    return " ".join(name.translate(APOSTROPHES).lower().split())


def _loose(name: str) -> str:
    """What is left of a name without case, accents, marks and other forms of its signs."""
    signs = unicodedata.normalize("NFKD", name.casefold())
    kept = (sign for sign in signs if unicodedata.category(sign)[0] in "LNS" and sign not in "`^´¨")
    return "".join(kept)


def _is_name(name: str, *, again: bool, subject: bool) -> bool:
    """Whether this is one name, as far as its form tells: words with capitals or numbers, or words
    that the map has in front of a verb, and again unless they are ``the`` and a noun."""
    if _NO_NAME.search(name) or len(name) > MAX_NAME or not _loose(name):
        return False
    if any(unicodedata.category(sign) in ("No", "Nl") for sign in name):
        return False  # another form of a number: a footnote's mark, or part of the name
    article, words = "", name.split()
    if any(word[0] in "*_~^" for word in words):  # a mark without its partner
        return False
    if words[0] in ("the", "a", "an") and len(words) > 1:
        article, *words = words
    if _NOBODY.fullmatch(words[0]):
        return False
    remarks = [word for word in words if word.lower() in _REMARKS or word.endswith("ly")]
    if (
        _capital(words[0])
        and _capital(words[-1])
        and all(word in _SMALL or _capital(word) for word in words)
    ):
        return not remarks or (again and subject)
    if remarks or not subject:
        return False
    return again or (bool(article) and len(words) == 1)


def _capital(word: str) -> bool:
    signs = [sign for sign in word if sign.isalnum()]
    return bool(signs) and not (signs[0].islower() and word.isalpha())
