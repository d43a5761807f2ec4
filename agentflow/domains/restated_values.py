"""The value that a sentence gives which says its question again, in whatever words.

    How many apples does Ann have?       Ann has 7 apples in all.     7
    What is the area of the square?      The area is 3 * 4 = 12 cm².  12 cm²
    How many apples does Ann have?       Bob has 7 apples.            None

Its words are those of the question, or of grammar, but for one number and its unit.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from agentflow.domains import choices, spelling
from agentflow.domains.answers.remark_sums import adds_up, is_worth
from agentflow.domains.question_words import (
    GRAMMAR,
    LONGEST,
    PRONOUNS,
    WORD,
    Asked,
    abbreviated,
    asked_in,
    covers,
    key,
)
from agentflow.domains.restated import BY, LEADS, LONGEST_SENTENCE, NOT_SURE, SO
from agentflow.domains.spelling import lowered, word_set

_NUMERIC = r"-?\\?\$?-?(?:\d{1,3}(?:,\d{3})+|\d+|(?=\.\d))(?:\.\d+)?(?:/\d+)?(?:\s?\\?%)?"
_IRRATIONAL = r"(?<![\w.])-?(?:\d[\d.]*)?\s?(?:\\pi|π|\\sqrt\{[^{}]{1,20}\}|√\d+)(?![\w/^])"
_VALUES = re.compile(
    r"[(\[]\s*(?:-?\d[\d./]*|-?\\?infty|-?∞|[a-z])\s*(?:,\s*(?:-?\d[\d./]*|\\?infty|∞|[a-z])\s*)+[)\]]"
    rf"|-?\\[dt]?frac\{{[^{{}}]+\}}\{{[^{{}}]+\}}|{_IRRATIONAL}|(?<![\w.]){_NUMERIC}(?![\w/^]|\.\d)"
)
_TYPESET = re.compile(r"\\[()\[\]]|\*\*|__|\$\$|\$(?=\S)([^$\n]*?[\w)}\]])\$(?!\d)")
"""What only sets type; a dollar that stands for money has no partner."""
_ABOUT = re.compile(
    r"\s*(?:,?\s*(?:or|which is|that is)?\s*(?:about|approximately|roughly|around)\s"
    r"|≈|\\approx)\s*\\?\$?[\d.,]+\s?%?\s*\Z"
)
_UNITS = re.compile(r"(?<=[\d)}πi])\s+(?:(?:square|cubic) )?units?(?=\Z|[.,])")
"""What a number has that is of no measure."""
_THERE_ARE = re.compile(
    r"(?i)\Athere (?:are|is) (?:exactly )?(?P<n>\d[\d,]*) (?P<things>[a-z][^=\d]+)\Z"
)
_P_OF = re.compile(r"\AP\s?\([^()=\n]{1,60}\)\s*=\s*")
_SUPPOSING = re.compile(
    r"(?i)(?<=\w) if (?![^.?]*,)[^.?]*(?=[.?]?\s*\Z)"
    r"|(?:(?<=[.?!] )|\A)if [^.?]*, (?=(?:calculate|find|determine|what|how)\b[^.?,]*[.?]?\s*\Z)"
)
"""A condition that a question ends in, or that its last sentence begins with."""
_BECAUSE = re.compile(r",? (?:because|since|as) .*\Z")
_SOME = re.compile(
    r"(?i)\b(?:a )?(?:grand )?total of |\bexactly |\bin (?:all|total)\b|\baltogether\b"
)
_OF_VALUES = word_set(
    "value result solution set equivalent simplified expression form final overall"
)
_OF_ALL = frozenset({"tot", "numb", "amoun"})
"""The keys of words that only say that a number is asked for, in front of what it counts."""
_COMPARED = word_set("""
    more less fewer extra another taller older longer shorter younger heavier lighter farther
    further larger smaller greater higher lower faster slower
""")
_UNIT = re.compile(r"\s*(?P<unit>[a-z]+(?:/[a-z]+|²|³)?(?: per [a-z]+)?)")
_OR_SO = re.compile(
    r"(?P<one>-?\d[\d.]*(?:/\d+)?|\\[dt]?frac\{\d+\}\{\d+\})[\s)\\$]*"
    r"(?P<rest>,? (?:or|which is|i\.e\.,?) \W{0,3}(?P<two>\d[\d.]*) ?\\?%)\W*\Z"
)
_CALLED = {
    "int": "integral", "lim": "limit", "sum": "sum", "prod": "product", "frac": "fraction",
    "sqrt": "root", "log": "logarithm", "det": "determinant", "binom": "coefficient",
}  # fmt: skip


def value(question: str, sentence: str, units: Collection[str] = ()) -> str | None:
    """The number, the point, the interval or the fraction that a sentence says is what a question
    asks for, with its unit if that is a measure; None for any other sentence.

    Args:
        units: The words for measures.
    """
    asked = asked_in(_SUPPOSING.sub("", question) if len(question) < 2 * LONGEST else question)
    if asked is None or len(sentence) > LONGEST_SENTENCE or sentence.rstrip(" *_").endswith("?"):
        return None
    if letter := choices.matched(sentence, choices.listed(question)[1]):
        return letter
    told = _worked_out(_plainly(abbreviated(question, sentence)))
    found = told and _new_number(told, question, asked)
    if not told or not found:
        return None
    number = found[0]
    measure, end = _measure(told, found.end(), units)
    given = _given(question, asked)
    before, behind = told[: found.start()], told[end:]
    words = [word for word in WORD.findall(f"{before} {behind}") if word not in given]
    if _compares(told, words, asked) or not _is_of_it(told, words, before, asked):
        return None
    needed = _needed(asked, number, units)
    low = [lowered(word) for word in words]
    if needed:
        goes = covers(low + re.findall("[a-z]+", measure), asked._replace(told=needed))
    else:
        goes = {*low} <= _OF_VALUES | GRAMMAR | _typeset(asked.sentence)
    return f"{number} {measure}".strip() if goes else None


def _plainly(sentence: str) -> str:
    """A sentence without what leads to it, its type, its reasons and what it says besides."""
    told = LEADS.sub("", spelling.plain(sentence).strip().rstrip(".!"))
    told = _once(SO.split(_BECAUSE.sub("", BY.sub("", told)))[-1])
    told = _TYPESET.sub(lambda one: one[1] or "", told.replace("\\$", "¤")).replace("¤", "$")
    told = _THERE_ARE.sub(r"the number of \g<things> is \g<n>", _UNITS.sub("", told))
    return _P_OF.sub("the probability is ", _ABOUT.sub("", _SOME.sub("", told)).strip(" .!"))


def _worked_out(told: str) -> str | None:
    """A sentence with the value of its equation alone: ``the area is 3 * 4 = 12``; None where that
    is wrong, or has words in it."""
    *sides, last = told.split("=")
    if not sides:
        return told
    front = re.match(
        r"(?P<lead>.*[a-z]{2})\s+(?P<work>[^a-z]*)\Z",
        sides[0].replace("\\frac", "/").replace("\\times", "*"),
    )
    words = re.search(r"[a-z]{3}", "".join(sides[1:]).replace("\\frac", ""))
    if front is None or words or not adds_up(told):
        return None
    return f"{front['lead']} {last.strip()}"


def _given(question: str, asked: Asked) -> set[str]:
    """The numbers of what is asked; where it has none, those of the whole question."""
    numbers = [one[0] for one in _VALUES.finditer(abbreviated(question, question))]
    return {one for one in numbers if one in asked.sentence} or {*numbers}


def _new_number(told: str, question: str, asked: Asked) -> re.Match[str] | None:
    """The one number of a sentence that the question does not give; None where there are several,
    or it is of some of the given ones alone."""
    given, numbers = _given(question, asked), [*_VALUES.finditer(told)]
    found = [one for one in numbers if one[0] not in given]
    again = {one[0] for one in numbers} & given
    return found[0] if len(found) == 1 and (not again or again == given) else None


def _measure(told: str, start: int, units: Collection[str]) -> tuple[str, int]:
    """(the unit behind a number, if that is a measure; where it ends)."""
    unit = _UNIT.match(told, start)
    named = re.findall(r"[a-z]+", unit["unit"]) if unit else []
    if unit and all(word in units or word == "per" for word in named):
        return unit["unit"], unit.end()
    return "", start


def _compares(told: str, words: Sequence[str], asked: Asked) -> bool:
    """Whether a sentence compares, calculates or doubts, where the question does not."""
    low = {lowered(word) for word in words}
    compared = low & _COMPARED - {*WORD.findall(lowered(asked.sentence))}
    works = re.search(r"[<>≤≥≠+*^~]|\b(?:times|plus|minus|than)\b", told)
    return bool(compared or works or not NOT_SURE.isdisjoint(low - PRONOUNS))


def _is_of_it(told: str, words: Sequence[str], before: str, asked: Asked) -> bool:
    """Whether the words of a sentence are those of what is asked, but for the name of whom it asks
    about by a pronoun."""
    asks = WORD.findall(lowered(asked.sentence))
    again = {key(word) for word in asks} | {key(word) for word in _typeset(asked.sentence)}
    again |= {"old", "tall", "long"} & {*asks}
    extra = [word for word in words if not _goes(lowered(word), again)]
    if not all(key(lowered(word)) in asked.known for word in extra):
        return False
    rest = [word for word in extra if not re.search(rf"\bof (?:the )?{re.escape(word)}\b", told)]
    name = re.escape(" ".join(rest))
    first = re.match(rf"(?:the |an? )?{name}\b", before, re.I)
    named = (len(rest) == 1 and rest[0] in before) or first
    return not rest or bool(named and not PRONOUNS.isdisjoint(asks))


def _needed(asked: Asked, number: str, units: Collection[str]) -> tuple[tuple[str, bool], ...]:
    """The words that a sentence must have to be about what is asked: the unit may stand for
    itself."""
    unit_keys = {key(word) for word in units if len(word) > 2}
    money = {"mone", "dolla"} if "$" in number else set[str]()
    needed = tuple(
        each
        for each in asked.told
        if each[0] not in money and not (each[1] and each[0] in unit_keys)
    )
    while len(needed) > 1 and needed[0][0] in _OF_ALL:  # the total number of cars it towed
        needed = needed[1:]
    return needed


def _once(told: str) -> str:
    """A sentence without the percentage that its fraction comes to: ``is 1/2, or 50%``."""
    found = _OR_SO.search(told)
    one = re.sub(r"\\[dt]?frac\{(\d+)\}\{(\d+)\}", r"\1/\2", found["one"]) if found else ""
    same = found and is_worth(one, f"{found['two']}/100")
    return told[: found.start("rest")] if found and same else told


def _typeset(question: str) -> set[str]:
    """What the formulas of a question are called."""
    return {_CALLED[one] for one in re.findall(r"\\([a-z]+)", question) if one in _CALLED}


def _goes(word: str, asked: set[str]) -> bool:
    return word in GRAMMAR or word in _OF_VALUES or word in PRONOUNS or key(word) in asked
