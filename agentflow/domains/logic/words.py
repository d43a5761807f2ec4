"""Words of the controlled English: which nouns have a plural that surely is theirs, and so on.

That two words are one is said only of the nouns of ``words.toml``, whose plural means nothing else
(``glasses``, ``customs`` and ``goods`` may be other things than several of one kind), and of nouns
in ``-us``. Words that merely look related are neither one nor two: :func:`alike` finds them.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from pathlib import Path

from agentflow.domains.spelling import word_set

_LISTS = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
_THINGS, _NUMBER_WORDS = word_set(_LISTS["things"]), word_set(_LISTS["numbers"])
PERSONS = word_set(_LISTS["persons"])
"""Nouns for people only."""
ADJECTIVES = word_set(_LISTS["adjectives"])
"""Adjectives that hold of each thing for itself, not of a kind (``rare``, ``numerous``)."""
NOUNS_TOO = word_set(_LISTS["nouns_too"])
"""Adjectives that say the same as the noun: who is human is a human."""
FUNCTION = word_set(_LISTS["function"])
"""Words of grammar, a closed class: neither names nor properties, which are an open one."""

_TWO_PLURALS = frozenset(("person", "cactus", "octopus"))
_SUFFIXES = (
    *("", "s", "es", "ies", "er", "ers", "est", "ly", "ness", "ish", "ing", "ed", "y", "ful"),
    *("less", "al", "ic", "ics", "en", "ess", "esses", "ity", "ism", "ist", "able", "ous", "like"),
)
_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "anti", "mis", "semi", "half", "super")


def _plural(noun: str) -> str:
    if irregular := _LISTS["irregular"].get(noun):
        return str(irregular)
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return noun + ("es" if re.search(r"(?:[sxz]|ch|sh)$", noun) else "s")


NOUNS = (PERSONS | _THINGS) - ADJECTIVES - NOUNS_TOO
"""Nouns that are no adjectives."""
_SINGULARS = {_plural(noun): noun for noun in (PERSONS | _THINGS) - _TWO_PLURALS}


def singular(word: str) -> str | None:
    """The noun that ``word`` surely is the plural of; None if it is none, or that is not sure."""
    if found := _SINGULARS.get(word):
        return found
    return word[:-2] if re.fullmatch(r"[a-z]{2,}uses", word) else None


def alike(predicates: Iterable[str], things: Iterable[str], *, forms: bool) -> str:
    """Two different names that may yet mean the same, in words; empty if there are none.

    What follows while they are told apart follows all the more if they are one. That something
    does *not* follow cannot be said.

    Args:
        predicates: Names of properties and functions.
        things: Names of things, and numbers.
        forms: Whether predicates are words, which have forms (``kind``, ``unkind``, ``kinder``).
    """
    kinds, named = sorted(set(predicates)), sorted(set(things))
    for one, other in combinations(kinds, 2):
        if _key(one) == _key(other) or (forms and _roots(one) & _roots(other)):
            return f"{one!r} and {other!r}"
    for one, other in combinations(named, 2):
        if _key(one) == _key(other) or (
            _numeral(one) and _numeral(other) and not (is_number(one) and is_number(other))
        ):
            return f"{one!r} and {other!r}"
    keys = {_key(one): one for one in kinds} if forms else {}
    for one in named:
        if _key(one) in keys:
            return f"{one!r} and {keys[_key(one)]!r}"
    foreign = [one for one in (*kinds, *named) if not _latin(one)]
    if 0 < len(foreign) < len(kinds) + len(named):
        return f"{foreign[0]!r} and a name in other letters"
    return ""


def is_number(name: str) -> bool:
    """Whether a name is a number, written in digits."""
    return re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", name) is not None


def _numeral(name: str) -> bool:
    """Whether a name is a number, or may be another way to write one."""
    return name[0].isnumeric() or _key(name) in _NUMBER_WORDS


def _latin(name: str) -> bool:
    """Whether the letters of a name are Latin ones that look like no others."""
    return all(
        one.isascii() or not one.isalpha() or one in "ßøØłŁđĐæÆœŒðÐþÞ’" for one in _bare(name)
    )


def _bare(name: str) -> str:
    """Without marks on the letters."""
    apart = unicodedata.normalize("NFKD", name)
    return "".join(one for one in apart if not unicodedata.combining(one))


@lru_cache(maxsize=4_096)
def _key(name: str) -> str:
    """The same for two spellings of one name; a number is its value, and has one spelling."""
    return name if is_number(name) else re.sub(r"[_\-’'.]", "", _bare(name).casefold())


@lru_cache(maxsize=4_096)
def _roots(word: str) -> frozenset[str]:
    """What a word may be a form of, roughly; two words with one in common may be related."""
    word = word.replace("-", "")
    words = [word, *(word.removeprefix(one) for one in _PREFIXES if word.startswith(one))]
    stems = (
        one.removesuffix(suffix) for one in words for suffix in _SUFFIXES if one.endswith(suffix)
    )
    return frozenset([word, *(_root(stem) for stem in stems if len(stem) >= 3)])


def _root(word: str) -> str:
    """``happi`` and ``happy``, ``wis`` and ``wise``, ``bigg`` and ``big`` have the same."""
    word = re.sub(r"(?:e|i|y)$", "", word)
    return re.sub(r"([b-df-hj-np-tv-z])\1$", r"\1", word)
