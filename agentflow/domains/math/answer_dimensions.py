"""Whether the unit of an answer has the dimension that a question asks for.

``12 cm`` are no area in cm^2, ``12 m`` no speed in m/s, ``7 degrees`` not 7 radians, and ``7 (mod
10)`` is no number.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import takewhile

from agentflow.domains.math.answer_units import MAX_ASKED, SENTENCE, kind_of
from agentflow.domains.math.measures import POWERS
from agentflow.domains.spelling import word_set
from agentflow.tools.quantities import read_number
from agentflow.tools.spelling import spelled

Dimension = Counter[str]
"""What a unit measures -> its power: a speed is ``{"length": 1, "time": -1}``."""

_IN = re.compile(r"\bin (?=(?P<unit>(?:\S+ ?){1,4}))|\bhow many (?=(?P<many>(?:\S+ ?){1,4}))")
_ASKED = r"\b(?:what(?: is|['’]s)|find|calculate|compute|determine|give|state) (?:\w+ ){0,3}?"
_BY_NAME = {
    2: re.compile(rf"{_ASKED}area\b"),
    3: re.compile(rf"{_ASKED}volume\b"),
    1: re.compile(rf"{_ASKED}(?:perimeter|circumference|length|width|height|radius|diameter)\b"),
}
"""The power that a length has in what a question asks for -> how it does."""
_NO_UNIT = word_set("in did do does is are was were will would can all total altogether")
"""Words behind a unit that are none of it: ``miles in all``, no inches."""
_RATE = re.compile(r" per (\w+)\Z")
_MODULO = re.compile(r"\bp?mod(?:ulo)?\b")
_OF_MODULO = re.compile(r"\bp?mod(?:ulo)?\W{0,4}(\d+)")
_OF_RESIDUES = re.compile(r"\b(?:p?mod\w*|remainder|residue|congruen\w+|divided|digits?|clock)\b")
_ANGLES = frozenset({"degree", "radian"})
_KINDS = _ANGLES | {"length", "time", "weight", "money"}


def are_others(question: str, answer: str) -> bool:
    """Whether an answer has a unit of another dimension than what a question asks for, as far as
    it tells; or is said modulo a number that it does not speak of."""
    question = question[-MAX_ASKED:].lower()
    if _MODULO.search(answer):
        modulus = _OF_MODULO.search(answer)
        if not _OF_RESIDUES.search(question) or (
            modulus and not re.search(rf"\b{modulus[1]}\b", question)
        ):
            return True
    number = read_number(spelled(answer))
    unit = number.unit if number else ""
    said, rate = _dimension(unit), _RATE.search(unit)
    if not said or not said.keys() <= _KINDS:
        return False
    sentences = [one for one in SENTENCE.split(question) if one]
    also = said
    if rate and re.search(rf"\b(?:per|every|each|an?) {rate[1]}\b", "".join(sentences[-1:])):
        also = _dimension(unit[: rate.start()])  # 18 dollars per day, of what is made every day
    for sentence in reversed(sentences):
        for found in _IN.finditer(sentence):
            dimension = _named(found["unit"] or found["many"])
            if dimension:
                return dimension not in (said, also)
    last = sentences[-1] if sentences else ""
    powers = [power for power, asks in _BY_NAME.items() if asks.search(last)]
    return len(powers) == 1 and set(said) == {"length"} and said["length"] != powers[0]


def _named(words: str) -> Dimension:
    """The dimension of the longest unit that words begin with, as far as it is known; empty for
    none."""
    parts = list(takewhile(lambda word: word.strip("?.,;:)") not in _NO_UNIT, words.split()))
    for end in range(len(parts), 0, -1):
        number = read_number(spelled(f"7 {' '.join(parts[:end]).rstrip('?.,;:)')}"))
        dimension = _dimension(number.unit) if number and number.unit else Dimension()
        if dimension and dimension.keys() <= _KINDS:
            return dimension
    return Dimension()


def _dimension(unit: str) -> Dimension:
    """The dimension of a unit in the spelling of :mod:`agentflow.tools.quantities`."""
    dimension, sign, power = Dimension(), 1, 1
    for word in unit.split():
        base, _, raised = word.partition("^")
        if base in POWERS:
            power = POWERS[base]
            continue
        if base == "per":
            sign = -1
            continue
        kind = base if base in _ANGLES else kind_of(base) or base
        kind, times = ("length", 3) if kind == "volume" else (kind, 1)
        dimension[kind] += sign * power * times * int(raised.strip("{}") or 1)
        power = 1
    return dimension
