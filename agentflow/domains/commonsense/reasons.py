"""Whether what is said behind a yes or a no goes with it: ``Yes, it fell after the press.``

Only what sets two things in order is understood: ``before`` and ``after``, ``larger`` and
``smaller``, two years. A reason that says anything else is not looked at.
"""

from __future__ import annotations

import re

from agentflow.domains.spelling import word_set
from agentflow.tools.search.words import content_words

_PAIRS = """
before after, earlier later, more less, more fewer, larger smaller, bigger smaller, greater smaller,
taller shorter, longer shorter, older younger, heavier lighter, faster slower, higher lower,
closer farther, hotter colder, warmer colder, cheaper pricier, above below, north south, east west
"""
_OPPOSITES: dict[str, set[str]] = {}
for _one, _other in (pair.split() for pair in _PAIRS.split(",")):
    _OPPOSITES.setdefault(_one, set()).add(_other)
    _OPPOSITES.setdefault(_other, set()).add(_one)
_IN_TIME = {"before": True, "earlier": True, "after": False, "later": False}
_FIRST = word_set("first earlier prior already")
_YEARS = re.compile(r"(?<![\d,.])\d{3,4}(?!\d|,\d)")
_ANCIENT = re.compile(r"\b(?:bce?|b\.c)\b")
_DENIES = re.compile(r"\b(?:not|never|no|nor|neither|none)\b|n't\b")
_STEM = 4
_DOES = re.compile(r"\b(?:can|could|did|does|do|will|would)\b")
_LIMITS = re.compile(
    rf"{_DENIES.pattern}|\b(?:cannot|unable|without|only|hardly|barely|rarely|seldom|few|little|but"
    r"|instead|rather|except|unless|whether|if|suppose\w*|assum\w+|imagin\w+|myth|false|wrong"
    r"|consider|check|determine|asks?|question|claim\w*|believ\w+|think|impossible|lack\w*|fail\w*"
    r"|too|nobody|nothing|however|although|though|while)\b|\?"
)
"""What keeps a sentence from saying that something is so."""
_ADDED = word_set("very well easily indeed certainly really actually surely far")


def tells(reason: str) -> bool:
    """Whether a reason may say something of an order."""
    words = set(re.findall(r"[a-z]+", reason.lower()))
    order = not words.isdisjoint(_OPPOSITES.keys() | _FIRST) or len(_YEARS.findall(reason)) == 2
    return order or _DOES.search(re.split(r"[.;]", reason.lower())[0]) is not None


def at_odds(question: str, said: str, reason: str) -> bool:
    """Whether a reason says, of what a question asks, the opposite of ``said`` (``yes``, ``no``):
    the two things in the other order, the opposite relation; or, behind a no, the question itself
    with no word that denies."""
    question, reason, yes = question.lower(), reason.lower(), said == "yes"
    asked = [word for word in re.findall(r"[a-z]+", question) if word in _OPPOSITES]
    if len(set(asked)) != 1:
        stated = _stems(re.split(r"[.;]", reason)[0])
        words = _stems(question)
        again = bool(words) and words <= stated and len(stated) > 2
        again = again and _DENIES.search(reason) is None
        return not yes and (again or affirms(question, re.split(r"[.;]", reason)[0]))
    relation = asked[0]
    left, right = (_stems(part) for part in re.split(rf"\b{relation}\b", question, maxsplit=1))
    left, right = left - right, right - left
    for sentence in re.split(r"[.;](?:\s|$)", reason):
        for word in _OPPOSITES[relation] | {relation} | _than(relation):
            before, found, behind = sentence.partition(f" {word} ")
            if not found and not sentence.rstrip(" .").endswith(f" {word}"):
                continue
            same = _order(before, behind, left, right)
            if _DENIES.search(before) is None and (_alike(word, relation) == same) != yes:
                return True
        if relation in _IN_TIME and _turned(sentence, left, right, _IN_TIME[relation]) is yes:
            return True
    return False


def affirms(question: str, sentence: str) -> bool:
    """Whether a sentence says, with ``can``, ``did`` and the like, what a question asks, of it or
    of a part of it, and adds nothing: ``A penguin could fly``."""
    sentence = sentence.lower()
    if not (_DOES.search(sentence) and _DOES.match(question.lower())) or _LIMITS.search(sentence):
        return False
    stated = {one for one in content_words(sentence) if one not in _ADDED and not _DOES.match(one)}
    stems = {one[:_STEM] for one in stated if one.isalpha()}
    return bool(stems) and stems <= _stems(question)


def _than(relation: str) -> set[str]:
    """What else may say that one thing was before, or after, another one."""
    return {"earlier than", "later than"} if relation in _IN_TIME else set()


def _alike(word: str, relation: str) -> bool:
    """Whether a word says the same of two things as a relation of a question."""
    if word.endswith(" than"):
        return _IN_TIME[word.removesuffix(" than")] == _IN_TIME[relation]
    return word == relation


def _order(before: str, behind: str, left: set[str], right: set[str]) -> bool:
    """Whether two things are spoken of in the order of the question; so, too, where it is open."""
    swapped = _stems(before) & right or _stems(behind) & left
    return not swapped or bool(_stems(before) & left or _stems(behind) & right)


def _turned(sentence: str, left: set[str], right: set[str], earlier: bool) -> bool | None:
    """Whether the years of a sentence, or what came first in it, say the opposite of the question;
    None if they say nothing."""
    words = sentence.split()
    if not _FIRST.isdisjoint(word.strip(".,") for word in words):
        subject = _stems(sentence)
        if bool(subject & left) != bool(subject & right):
            return bool(subject & left) != earlier
    years = list(_YEARS.finditer(sentence))
    if len(years) != 2 or _ANCIENT.search(sentence):
        return None
    one = _stems(sentence[: years[0].start()])
    if not one & left or one & right:
        return None
    return (int(years[0][0]) < int(years[1][0])) != earlier


def _stems(text: str) -> set[str]:
    """How the words that say what a text is about begin."""
    return {word[:_STEM] for word in content_words(text) if word.isalpha()}
