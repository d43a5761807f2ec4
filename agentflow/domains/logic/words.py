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
_ANIMALS = {
    one.replace("-", " "): one.replace("-", "").capitalize() for one in _LISTS["animals"].split()
}
ANIMALS = frozenset(_ANIMALS.values())
"""Names of animals of which there is one each."""
_THE_ANIMAL = re.compile(rf"\bthe ({'|'.join(_ANIMALS)})\b", re.IGNORECASE)
VERBS = {f"{verb}s": verb for verb in _LISTS["verbs"].split()}
"""How a verb is said of one -> how it is said of several, or denied."""
FUNCTION = word_set(_LISTS["function"])
"""Words of grammar, a closed class: neither names nor properties, which are an open one."""

_TWO_PLURALS = frozenset(("person", "cactus", "octopus"))
_SUFFIXES = (
    *("", "s", "es", "ies", "er", "ers", "est", "ly", "ness", "ish", "ing", "ed", "y", "ful"),
    *("less", "al", "ic", "ics", "en", "ess", "esses", "ity", "ism", "ist", "able", "ous", "like"),
)
_PREFIXES = (
    *("un", "in", "im", "il", "ir", "non", "dis", "anti", "mis", "semi", "half", "super"),
    *("counter", "hyper", "pseudo", "quasi", "over", "ultra", "under"),
)
_RARE_PREFIXES, _FEWEST = ("a", "an", "ab", "ig", "ex", "mal", "sub"), 5
"""Those that many words begin with by chance, and the letters that stand behind one at least."""
_VARIANTS = (
    *(("our", "or"), ("oul", "ol"), ("ae|oe(?!t)", "e"), ("z", "s"), ("ph", "f"), ("ey", "ay")),
    *(("sce", "ske"), ("nce?$", "ns"), ("tre?$", "ter"), ("ogue?$", "og"), (r"([b-z])\1", r"\1")),
)
"""Two ways to spell a sound: ``colour`` and ``color``, ``cosy`` and ``cozy``."""
_FEWEST_SPELLED = 3
"""Letters of a word that may have two spellings; ``Z`` and ``S`` are two names."""
_CROWDS = word_set(_LISTS["crowds"])
_QUANTIFIERS = {
    how + what for how in ("every", "some", "any", "no") for what in ("one", "body", "thing")
}


def _plural(noun: str) -> str:
    if irregular := _LISTS["irregular"].get(noun):
        return str(irregular)
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return noun + ("es" if re.search(r"(?:[sxz]|ch|sh)$", noun) else "s")


def named(text: str) -> str:
    """A text with a name in the place of ``the bear``: ``Bear``."""
    return _THE_ANIMAL.sub(lambda found: _ANIMALS[found[1].lower()], text)


_APART = re.compile(
    r"\b([a-z-]{1,20}), (?=((?:[a-z-]{1,20},? ){1,3})(?:people|things|animals|ones)\b)",
    re.IGNORECASE,
)


def unsplit(text: str) -> str:
    """A text in which no comma stands between adjectives of a group: ``kind, tall people``."""

    def joined(found: re.Match[str]) -> str:
        group = re.findall(r"[a-z-]+", f"{found[1]} {found[2]}".lower())
        return f"{found[1]} " if ADJECTIVES.issuperset(group) else found[0]

    return _APART.sub(joined, text)


NOUNS = (PERSONS | _THINGS) - ADJECTIVES - NOUNS_TOO
"""Nouns that are no adjectives."""
_SINGULARS = {_plural(noun): noun for noun in (PERSONS | _THINGS) - _TWO_PLURALS}


def singular(word: str) -> str | None:
    """The noun that ``word`` surely is the plural of; None if it is none, or that is not sure."""
    if found := _SINGULARS.get(word):
        return found
    return word[:-2] if re.fullmatch(r"[a-z]{2,}uses", word) else None


def is_crowd(word: str) -> bool:
    """Whether a word in small letters speaks of many (``mankind``), or is a quantifier, perhaps
    misspelled (``everone``)."""
    return word in _CROWDS or any(_is_slip(word, one) for one in _QUANTIFIERS if len(one) > 5)


def _is_slip(word: str, meant: str) -> bool:
    """Whether a word is another but for one letter, which is missing, wrong or too many, or has
    changed places with the next."""
    if abs(len(word) - len(meant)) > 1:
        return False
    same = next((n for n in range(len(word)) if word[n] != meant[n : n + 1]), len(word))
    one, other = word[same:], meant[same:]
    swapped = one[:2] == other[1::-1] and one[2:] == other[2:]
    return swapped or one[1:] == other[1:] or one[1:] == other or one == other[1:]


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
        if _spelled(_key(one)) == _spelled(_key(other)) or (forms and _roots(one) & _roots(other)):
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
    parts = [part for part in word.split("-") if part != "well"]
    word = word.replace("-", "")
    words = [word, *(word.removeprefix(one) for one in _PREFIXES if word.startswith(one))]
    rare = [word.removeprefix(one) for one in _RARE_PREFIXES if word.startswith(one)]
    words += [one for one in rare if len(one) >= _FEWEST]
    stems = [
        one.removesuffix(suffix) for one in words for suffix in _SUFFIXES if one.endswith(suffix)
    ]
    stems += [f"{one[:-3]}f" for one in words if one.endswith("ves")]
    stems += [one[:-4] + end for one in words if one.endswith("ices") for end in ("ex", "ix")]
    roots = (_root(stem) for stem in stems if len(stem) >= 3)
    return frozenset(map(_spelled, (word, *parts, *roots)))


@lru_cache(maxsize=4_096)
def _spelled(word: str) -> str:
    """The same for two spellings of a word."""
    if len(word) < _FEWEST_SPELLED:
        return word
    for variant, spelling in _VARIANTS:
        word = re.sub(variant, spelling, word)
    return word


def _root(word: str) -> str:
    """``happi`` and ``happy``, ``wis`` and ``wise``, ``bigg`` and ``big`` have the same."""
    word = re.sub(r"(?:e|i|y)$", "", word)
    return re.sub(r"([b-df-hj-np-tv-z])\1$", r"\1", word)
