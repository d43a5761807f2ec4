"""Whether the number of a clause counts, or measures, what a question asks for.

How many oranges are left?       17 good oranges, 17 oranges
How much soda did they drink?    5 bottles of soda, where the question counts bottles
How many will each friend get?   3 wings, where the question counts wings
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentflow.domains.math.endings import Ending
from agentflow.domains.math.naming_words import FREE, WORD, Asked, names_in
from agentflow.domains.math.units import UNITS
from agentflow.domains.spelling import word_set
from agentflow.tools.quantities import singular

_COUNTED = re.compile(
    r"(?i)(?:\d[\d,./]*%?[ -]|\b(?:enough|some|several|many|number of) )"
    r"(?:(?:more|other|of|an?|the|her|his|their) )?"
)
"""What stands in front of things that a question counts."""
_NO_THING = {
    *FREE,
    *["more", "less", "fewer", "than", "each", "per", "from", "other", "others", "times"],
}
_PER_ONE = re.compile(r"(?i)\b(?:each|every|per|an?) ([a-z]+)")
_PEOPLE = word_set("""
    friend person people child student kid boy girl man woman men women member player neighbor
    neighbour sister brother classmate guest worker teacher parent pupil employee customer adult
""")
_NO_KIND = word_set("""
    more less fewer other another extra additional first second third last next new old not no half
""")
_PLAIN = _NO_THING | word_set("many much all both any no some only enough such what which")
_MOST = 3
"""Words of a thing at most."""


def _one(word: str) -> str:
    """A thing in the singular: of cookies and boxes, too."""
    return re.sub(r"ie\Z", "y", re.sub(r"(?<=[xosz])e\Z", "", singular(word)))


def behind_thing(question: str, asked: Asked, found: Ending) -> str | None:
    """What stands behind the number and the thing that is asked for; None for another thing."""
    words = WORD.findall(found.tail.lower())
    unit = UNITS.get(words[0]) if words else None
    money = "$" in found.number or (unit is not None and unit.kind == "money")
    if asked.how == "much" or asked.things[:1] == ["dollars"]:
        return _behind_amount(question, asked, found, words, money=money)
    is_counted = bool(words) and _one(words[0]) in map(_one, asked.things)  # 20 dimes
    if (money and not is_counted) or "%" in found.number:
        return None
    if asked.how in ("far", "long", "old"):
        kinds = ("length", "imperial") if asked.how == "far" else ("time", "calendar")
        spoken = WORD.findall(asked.sentence.lower())
        units = {singular(one) for one in spoken if one in UNITS and UNITS[one].kind in kinds}
        known = unit is not None and unit.kind in kinds
        return " ".join(words[1:]) if known and {singular(words[0])} >= units else None
    head = asked.things[: asked.things.index("of")] if "of" in asked.things else asked.things
    if head[:1] in (["dollar"], ["cent"]) and words[:1] != head[:1]:  # 6 dollar toys
        head = head[1:]
    if not head and (end := _counted_there(question, asked, words)):
        return " ".join(words[end:])
    for place in range(3 if head else 0):  # 17 good oranges
        if end := _same(words, place, head):
            known = _is_kind(question, words[:end]) if place else True  # 24 water balloons
            return " ".join(([] if known else words[:place]) + words[end:])
    label = found.lead.rstrip().endswith((":", "have", "has", "had"))
    bare = not words or words[0] in (*FREE, "left", "now", "remaining")
    return " ".join(words) if label and bare else None


def _same(words: Sequence[str], place: int, head: Sequence[str]) -> int | None:
    """Where the words end that name a thing, spelled in one word or in two; None for another."""
    name = "".join(map(_one, head))
    for end in range(place + 1, place + len(head) + 2):
        if "".join([*words[place : end - 1], *map(_one, words[end - 1 : end])]) == name:
            return end
        if [*map(_one, words[place:end])] == [*map(_one, head)]:
            return end
    return None


def _behind_amount(
    question: str, asked: Asked, found: Ending, words: list[str], *, money: bool
) -> str | None:
    """The same, where it is asked how much: money, or some stuff."""
    unit = UNITS.get(words[0]) if words else None
    named = [one for one in asked.things if one not in ("money", "dollars", "more", "in")]
    if not {*named} <= {*words, *WORD.findall(found.lead.lower())}:
        return None
    if (named or "more" in asked.things) and unit and unit.kind not in ("money", "count"):
        return _behind_measure(question, words)
    if named and not money and words and _one(words[0]) in _measures(question):
        return " ".join(words[1:])
    if not words and asked.things in ([], ["money"]) and "%" not in found.number:
        return ""
    units = {"dollar", "dollars", *WORD.findall(asked.sentence.lower())}
    if not money or not ("$" in found.number or words[0] in units):  # 36 cents
        return None
    if "more" in asked.things and not {"more", "still"} & {*words, *found.lead.split()}:
        return None
    return " ".join(words if "$" in found.number else words[1:])


def _behind_measure(question: str, words: list[str]) -> str | None:
    """What stands behind a measure of some stuff, in the only unit of its kind that a question
    speaks of: ``15 tons of sand in all``."""
    kind = UNITS[words[0]].kind
    units = {singular(one) for one in WORD.findall(question.lower()) if one in UNITS}
    if {one for one in units if UNITS[one].kind == kind} != {singular(words[0])}:
        return None
    return " ".join(words[1:])


def _behind_numbers(question: str) -> list[list[str]]:
    """The words behind each number of a question."""
    behind = (question[one.end() : one.end() + 60] for one in _COUNTED.finditer(question))
    return [[*map(_one, WORD.findall(re.split(r"[.,;?!]", one)[0].lower()))] for one in behind]


def _measures(question: str) -> set[str]:
    """The one word, in the singular, for what a question counts of some stuff: the bottles of ``2
    bottles of cola and 3 bottles of lemonade``; nothing where there are several."""
    of_one = {_one(one.lower()) for one in _PER_ONE.findall(question)}
    found = {words[0] for words in _behind_numbers(question) if words} - of_one
    return found if len(found) == 1 else set()


def _counted_there(question: str, asked: Asked, words: Sequence[str]) -> int | None:
    """Where the words end behind a number that name what a question counts, and does not name again
    where it asks how many."""
    asks = {_one(one) for one in WORD.findall(asked.rest.lower())}
    counted = [one[:_MOST] for one in _behind_numbers(question)]
    several = f" {' '.join(map(_one, WORD.findall(question.lower())))} "
    for end in range(min(_MOST, len(words)), 0, -1):
        name = [*map(_one, words[:end])]
        if name[-1] in asks | _NO_THING | _PEOPLE or f" {' '.join(name)} " not in several:
            continue
        if any(name[-1] in one for one in counted):
            return end
    return None


def _is_kind(question: str, words: list[str]) -> bool:
    """Whether a question speaks of things by just these words, of which none is a name, and of no
    other kind of them."""
    told, thing = [*map(_one, words)], _one(words[-1])
    every = [*map(_one, WORD.findall(question.lower()))]
    if f" {' '.join(told)} " not in f" {' '.join(every)} " or not _NO_KIND.isdisjoint(words):
        return False
    kinds = {every[at - 1] for at, one in enumerate(every) if at and one == thing}
    names = {one.lower() for one in names_in(question)}
    return kinds - _PLAIN - names <= {*told} and names.isdisjoint(words)
