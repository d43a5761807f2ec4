"""What headings say, and how people are called after a value: the wordings that are understood.

A heading that is none of these, and a phrase that is none of its attribute's, say nothing: what a
verb that is not listed means (``detests``, ``ran out of``) is not guessed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from agentflow.domains.spelling import word_set

_READ = tomllib.loads(Path(__file__).with_name("wordings.toml").read_text("utf-8"))
_PIECES: dict[str, str] = _READ["pieces"]


@dataclass(frozen=True)
class Attribute:
    """What an attribute is.

    Attributes:
        noun: What it is called, as a pattern.
        heading: The whole heading, as a pattern.
        phrases: What may stand for a person, as patterns in which ``#`` is the value.
        columns: What a column of an answer may be called, as patterns without spaces.
        proper: Whether its values are names of people, which have no plural.
    """

    noun: str
    heading: str
    phrases: tuple[str, ...]
    columns: tuple[str, ...] = ()
    proper: bool = False

    @cached_property
    def phrase(self) -> re.Pattern[str]:
        return re.compile("|".join(self.phrases))

    @cached_property
    def column(self) -> re.Pattern[str]:
        """All names of a column: lower case, without spaces."""
        named = [re.sub(r"[ ]", "", self.noun), *self.columns]
        return re.compile(rf"(?:the|their|person)?(?:favou?rite)?(?:{'|'.join(named)})s?")


def _kind(
    noun: str,
    heading: str = "",
    phrases: Sequence[str] = (),
    columns: Sequence[str] = (),
    *,
    favorite: bool = False,
    verbs: str = "",
    tail: str = "",
    of: str = "",
    proper: bool = False,
) -> Attribute:
    """A kind as ``wordings.toml`` has it.

    Args:
        heading: By default that people have it; in it, ``<liked>`` is that they like it.
        phrases: Besides the usual ones of what is liked.
        favorite: Whether it is liked: by more ``verbs``, with a ``tail`` behind the value, and
            with ``of`` in front of the noun.
    """
    has, liked = (
        "<subject> (?:has|have) <a>(?:<noun>)s?",
        "<subject> (?:(?:has|have) <a><favorite>|(?:prefer|like|love|enjoy)s? <a>(?:<favorite>)?)"
        "<of>(?:<noun>)s?",
    )
    behind = f"(?: (?:{tail}))?" if tail else ""
    more = {"noun": noun, "of": of, "verbs": f"|{verbs}" if verbs else "", "behind": behind}
    heading = (heading or (liked if favorite else has)).replace("<liked>", liked)
    usual = _READ["favorites"] if favorite else ()
    filled = tuple(_filled(one, more) for one in (*usual, *phrases))
    return Attribute(noun, _filled(heading, more), filled, tuple(columns), proper)


def _filled(pattern: str, more: Mapping[str, str]) -> str:
    pieces = {**_PIECES, **more}
    return re.sub(r"<(\w+)>", lambda name: pieces[name[1]], pattern)


KINDS = tuple(_kind(**one) for one in _READ["kind"])
NAME = KINDS[0]
"""The attribute that is the people's own name."""

_ANY = re.compile(
    "{subject} (?:has|have) {a}(?P<favorite>{favorite})?(?P<noun>[a-z]{{3,}})".format(**_PIECES)
)
_LIKEABLE = word_set("""
    activity band berry bird board book cake candy car card cheese city clothing country cuisine
    dance day dessert dish film fish food fruit furniture game ice instrument juice king letter meal
    metal month movie number pasta pastime pet pizza planet plant season shape shoe snack song soup
    spice subject superhero tea team toy tree vegetable weekday wine
""")
"""What is liked where it is a favorite. Of other words (``a favorite enemy``) that is not said."""
_DESCRIBED = ("least", "most", "favorite", "favourite", "unique", "different", "distinct")


def kind(heading: str) -> Attribute | None:
    """What an attribute is by its heading, in lower case; None if that is not understood.

    Besides the known ones: what people have that is called by one word (``a favorite fruit``).
    """
    for one in KINDS:
        if re.fullmatch(one.heading, heading):
            return one
    found = _ANY.fullmatch(heading)
    if found is None or found["noun"] in _DESCRIBED:
        return None
    noun = found["noun"]
    single = noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun
    if found["favorite"] and single in _LIKEABLE:
        return _kind(single, favorite=True)
    liked = "<favorite>" if found["favorite"] else ""
    return _kind(single, heading, [f"<whose> {liked}{single} is <an>#"])
