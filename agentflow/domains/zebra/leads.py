"""What leads up to a grid, or gives the reasons for it: deductions in the grid's own words.

Those are the words of its values and columns. A sentence that names some of them, and has else only
words of clues and deductions, says nothing of the grid as such. One that names none, or speaks of
the grid, may deny it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentflow.domains import answers
from agentflow.domains.spelling import word_set
from agentflow.domains.zebra.claims import OF_CLUES
from agentflow.domains.zebra.puzzle import plain, stem
from agentflow.domains.zebra.surroundings import OF_ANSWERS, beside

MAX = 6_000
"""Longer leads and reasons are not read."""

_OF_DEDUCTIONS = word_set("""
    according already also anyone assigned assignment because birthday bouquet clue color
    combination conclude condition confirm constraint determine drink each eat enjoy establish
    everyone everything favorite genre gets goes he her him his however implies indicates keep
    know known leave leaving left level like liked live living love loved loving match mean
    model month mother must no occupied option order other own owned owner phone place play
    possibility prefer put remain remaining residing right same satisfies say she since smoke
    spot state still style taken them type unique use used vacation which
""")
"""No word that turns a grid round, takes it back, or makes it depend on something."""
_CONDITIONS = frozenset(("if", "unless"))
_WORDS = {stem(word) for word in (OF_ANSWERS | OF_CLUES | _OF_DEDUCTIONS) - _CONDITIONS}
_SUBJECTS = frozenset(("clue", "condition", "constraint", "house"))
_NAMED = word_set("answer arrangement grid result solution table")
_GRIDS = _NAMED | {
    stem(word) for word in ("above", "all", "below", "following", "here", "it", "these", "this")
}
_DENY = word_set("""
    anywhere but cannot different either neither no nor not or other right than
""")
"""Words of clues that in a sentence about the grid may deny it."""
_END = re.compile(r"(?<=[.!?;])(?:\s|\\n)+|\\n|\n")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_BUNCH = re.compile(r"(\w+) arrangement\b")
"""``a carnations arrangement`` is one of flowers."""
_SIGNS = re.compile(r"[A-Za-z0-9_\s.,:;'\"()\[\]*`=≠#/&?\\-]*")


def words(text: str) -> set[str]:
    """The words of a text in small letters, without plurals' endings; ``BookGenre`` is two."""
    said = re.sub(r"n't\b", " not", plain(text))
    return {stem(word.lower()) for word in _WORD.findall(said)}


def lead_up(text: str, cells: Iterable[list[str]]) -> bool:
    """Whether a paragraph above a grid, or the reasons beside it, say nothing against it.

    The last sentence must be understood, and so must any other that names nothing of the puzzle or
    that speaks of the grid.

    Args:
        cells: The column and the text of each cell.
    """
    if len(text) > MAX or not _SIGNS.fullmatch(plain(text)):
        return False
    own = words(" ".join(part for cell in cells for part in cell))
    text = _BUNCH.sub(lambda found: found[1] if words(found[1]) <= own else found[0], text)
    *before, last = list(_sentences(text)) or [""]
    return _understood(last, own) and all(
        _understood(one, own) or _of_the_puzzle(words(one), own) for one in before
    )


def ends(line: str) -> bool:
    """Whether a line ends a sentence, or is a step: the next one does not go on with it."""
    return line.rstrip(" \t\r\n*_`)\"'").endswith(".") or answers.step(line) is not None


def closed(line: str, then: str, *, apart: bool) -> bool:
    """Whether a line leads to nothing, and the one below, which announces, does not go on with it.

    Args:
        apart: Whether an empty line stands between them.
    """
    if ends(line):
        return True
    goes_on = then.lstrip(" \t#*_>•+-")[:1].islower()
    return apart and not goes_on and line.rstrip(" *_`")[-1:] not in (":", ",", ";", "-")


def _sentences(text: str) -> Iterator[str]:
    return (one for one in _END.split(text) if _WORD.search(one))


def _of_the_puzzle(said: set[str], own: set[str]) -> bool:
    return not said.isdisjoint(own | _SUBJECTS) and said.isdisjoint(_NAMED)


def _understood(sentence: str, own: set[str]) -> bool:
    said = words(answers.step(sentence) or sentence)
    if "?" in sentence:
        return False
    if said.isdisjoint(own - _SUBJECTS):
        return beside(sentence)
    numbers = {word for word in said if word.isdecimal()}
    if not said - own - numbers <= _WORDS:
        return False
    return said.isdisjoint(_GRIDS) or said.isdisjoint(_DENY - own)
