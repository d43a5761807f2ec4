"""Whether what is said beside a yes or a no sets two things in the order that is asked for.

Did it fall before the press was built?     Yes, it fell after the press.      at odds
Is a lynx larger than a lion?               No, a lion is larger.              goes with it

Only pairs like ``before`` and ``after``, ``larger`` and ``smaller``, and two years are understood.
"""

from __future__ import annotations

import re

from agentflow.domains.spelling import word_set
from agentflow.tools.search.words import content_words

_PAIRS = """
before after, earlier later, more less, more fewer, larger smaller, bigger smaller, greater smaller,
taller shorter, longer shorter, older younger, heavier lighter, faster slower, higher lower,
wider narrower, deeper shallower,
closer farther, hotter colder, warmer colder, cheaper pricier, above below, north south, east west
"""
OPPOSITES: dict[str, set[str]] = {}
for _one, _other in (pair.split() for pair in _PAIRS.split(",")):
    OPPOSITES.setdefault(_one, set()).add(_other)
    OPPOSITES.setdefault(_other, set()).add(_one)
_IN_TIME = {"before": True, "earlier": True, "after": False, "later": False}
_FIRST = word_set("first earlier prior already")
_YEARS = re.compile(r"(?<![\d,.])\d{3,4}(?!\d|,\d)")
_ANCIENT = re.compile(r"\b(?:bce?|b\.c)\b")
_DENIES = re.compile(r"\b(?:not|never|no|nor|neither|none)\b|n't\b")
_CLAUSE = re.compile(r"[,:]\s| that ")
_STEM = 4


def at_odds(question: str, said: str, reason: str) -> bool:
    """Whether a reason says, of what a question asks, the opposite of ``said`` (``yes``, ``no``):
    the two things in the other order, or the opposite relation."""
    question, reason, yes = question.lower(), reason.lower(), said == "yes"
    order = relation(question)
    if order is None:
        return False
    left, right = sides(question, order)
    than = {f"{one} than": _IN_TIME[one] for one in ("earlier", "later") if order in _IN_TIME}
    for sentence in re.split(r"[.;](?:\s|$)", reason):
        for word in OPPOSITES[order] | {order} | than.keys():
            alike = than[word] == _IN_TIME[order] if word in than else word == order
            for found in re.finditer(rf" {word}(?: |[ .]*\Z)", sentence):
                before = _CLAUSE.split(sentence[: found.start()])
                behind = _CLAUSE.split(sentence[found.end() :])[0]
                clause = before[-1] if stems(before[-1]) else sentence[: found.start()]
                same = _same_order(clause, behind, left, right)
                if same is not None and (alike == same) != yes:
                    return True
        if order in _IN_TIME and _turned(sentence, left, right, _IN_TIME[order]) is yes:
            return True
    return False


def relation(question: str) -> str | None:
    """The one word of a question, in small letters, that sets two things in an order; None for
    none."""
    asked = {word for word in re.findall(r"[a-z]+", question) if word in OPPOSITES}
    if len(asked) != 1:
        return None
    (order,) = asked
    of_place = order in ("north", "south", "east", "west")
    return None if of_place and f"{order} of" not in question else order  # the West Coast


def sides(question: str, order: str) -> tuple[set[str], set[str]]:
    """How the words begin that only one of the two sides of an order has."""
    left, right = (stems(part) for part in re.split(rf"\b{order}\b", question, maxsplit=1))
    return left - right, right - left


def _turned(sentence: str, left: set[str], right: set[str], earlier: bool) -> bool | None:
    """Whether the years of a sentence, or what came first in it, say the opposite of the question;
    None if they say nothing."""
    if not _FIRST.isdisjoint(word.strip(".,") for word in sentence.split()):
        subject = stems(sentence)
        if bool(subject & left) != bool(subject & right):
            return bool(subject & left) != earlier
    years = list(_YEARS.finditer(sentence))
    if len(years) != 2 or _ANCIENT.search(sentence):
        return None
    one = stems(sentence[: years[0].start()])
    if not one & left or one & right:
        return None
    return (int(years[0][0]) < int(years[1][0])) != earlier


def _same_order(before: str, behind: str, left: set[str], right: set[str]) -> bool | None:
    """Whether a clause has what stands around a relation in the order of the question, in which it
    is said of ``left`` and ``right``; None where it says nothing of them, or denies it."""
    one, other = stems(before), stems(behind)
    numbers, *asked = ({each for each in some if each.isdigit()} for some in (one, left, right))
    of_others = bool(numbers) and all(asked) and numbers.isdisjoint(asked[0] | asked[1])
    called = before.endswith(" the") and not (left | right) & (one | other)  # the larger one
    if of_others or called or _DENIES.search(before):
        return None
    return not (one & right or other & left) or bool(one & left or other & right)


def stems(text: str) -> set[str]:
    """How the words that say what a text is about begin."""
    words = content_words(text)
    return {word if word.isdigit() else word[:_STEM] for word in words if word.isalnum()}
