"""Whether all that a reply tells beside its answer goes with it.

6*h + 66 = 456, and 6h = 390         adds up
There are 14 ones.                   must be as the question has it
So the conclusion follows.           must be what the answer says
I am not confident in this.          leaves it open

Tasks are many. Of those without readers of their own, every sentence has to be read
(:mod:`.seen`). In others, what nobody reads may say anything but what leaves the answer open
(:mod:`.doubt`), a claim that is read and wrong (:mod:`.sums`, :mod:`.integers`, :mod:`.dates`,
:mod:`.counts`, :mod:`.letters`, :mod:`.kin`, :mod:`.opposed`), or a number from nowhere.
"""

from __future__ import annotations

import re
from fractions import Fraction

from agentflow.domains import narration
from agentflow.domains.answers import conclusions
from agentflow.domains.answers.known_remarks import closes
from agentflow.domains.gym import (
    counts,
    dates,
    doubt,
    integers,
    kin,
    letters,
    opposed,
    reading,
    seen,
    sums,
)
from agentflow.domains.gym.about import About, numbers_in, spelt
from agentflow.domains.spelling import lowered, word_set

TELLS = "tells: "
_TAGGED = re.compile(r"(?m)<answer>.*?</answer>", re.DOTALL)
_EARLIER = re.compile(r"(?m)^.*<answer>[^\n]*?</answer>.*$(?=[\s\S]*<answer>)")
_SENTENCE = re.compile(r"(?<=[.!?])[*_\"')]*\s+(?=[^a-z\d]|\d+[^.)\d])|;\s|\n")
_CHAIN = re.compile(r"[*_ \t]*\n\s*(?=[=≈] )")
"""Where an equation goes on, on a line of its own."""
_NUMBERS = word_set("""
    gcd lcm leg_counting chain_sum basic_arithmetic countdown puzzle24 prime_factorization products
    simple_equations decimal_arithmetic decimal_chain_sum fraction_simplification count_primes
    number_sequence aiw gsm_symbolic simple_geometry
""")
"""Tasks in which every number comes from somewhere."""
_READERS = {
    "aiw": counts.things,
    "gsm_symbolic": counts.things,
    "zebra_puzzles": counts.things,
    "binary_alternation": counts.bits,
    "number_sequence": counts.sequence,
    "leg_counting": counts.legs,
    "base_conversion": letters.digits,
}
"""Task -> the reader of what sentences in small letters say of its question."""
_AS_WRITTEN = {
    "letter_counting": letters.counts,
    "isomorphic_strings": letters.mapped,
    "caesar_cipher": letters.deciphered,
    "spell_backward": letters.spelled,
    "family_relationships": kin.hold,
}
_READ = {*_NUMBERS, *_READERS, *_AS_WRITTEN} | word_set("""
    calendar_arithmetic knights_knaves syllogism time_intervals
""")
"""Tasks with readers of what is told there; of the others every sentence has to be read."""
_SMALL = 12
_APART = re.compile(
    r"\b(?:too|more|less|fewer|short|over|under|missing|still|differ\w*|remain\w*|left|apart|off)\b"
)
"""What says how far two numbers are apart."""
_PART = re.compile(r"(?<![\w./])(\d+/[1-9]\d*)(?= of\b)")
_ORDINAL = re.compile(r"\A[\s>#*_-]*(?:(?:step|case|option) )?\d{1,2}[.):]\s")


def grounded(said: str, text: str) -> str:
    """An answer with what its text tells beside it; :func:`parted` takes them apart."""
    sentences = [one.replace("; ", ", ") for one in _sentences(text, said)]
    return conclusions.grounded(said, [TELLS + "\n".join(sentences)] if sentences else [])


def parted(answer: str) -> tuple[str, list[str]]:
    """(an answer, the sentences that stand beside it)."""
    said, mark, told = answer.partition(f" (given: {TELLS}")
    return (said, told.removesuffix(")").split("\n")) if mark else (answer, [])


def _sentences(text: str, said: str) -> list[str]:
    """The sentences of a text that may claim something."""
    text = _CHAIN.sub(" ", narration.own(text))
    text = _TAGGED.sub("\n", _EARLIER.sub("", text)).replace("<answer>", "\n")
    text = re.sub(r"```\w*|</?answer>", "", text)
    if "\n" in said:
        text = text.replace(said, "\n")
    found = (one.strip() for one in _SENTENCE.split(text))
    return [one for one in found if one and not _silent(one, said)]


def _silent(sentence: str, said: str) -> bool:
    """Whether a sentence claims nothing, or nothing but the answer."""
    if closes(sentence) or reading.finds_right(sentence) or re.fullmatch(r"[\d\s.|]+", sentence):
        return True  # a grid, and what is said of it
    rest = re.sub(rf"(?<!\w){re.escape(said)}(?!\w)|\\boxed\b", " ", sentence)
    return not re.search(r"[\d\"]", rest) and narration.only(rest)


def goes_with(task: str, question: str, said: str, sentences: list[str]) -> bool:
    """Whether no sentence says what is wrong, or takes the answer back, or brings in numbers."""
    about = About(task, question, said)
    plainly = [spelt(one) for one in sentences]
    if any(doubt.opens(lowered(one)) for one in plainly):
        return False
    return all(_holds(one, about) for one in plainly) and not opposed.contradicted(plainly, about)


def _holds(sentence: str, about: About) -> bool:
    low = lowered(sentence)
    if about.task in _READERS and not _READERS[about.task](low, about):
        return False
    if about.task in _AS_WRITTEN and not _AS_WRITTEN[about.task](sentence, about):
        return False
    if not (integers.hold(low, about) and dates.hold(low, about)):
        return False
    if about.task not in _READ:
        return seen.is_told(sentence, about)
    right, rest = sums.adds_up(low, about)
    return right and (about.task not in _NUMBERS or _are_known(rest, about))


def _are_known(rest: str, about: About) -> bool:
    """Whether all numbers of a sentence are known from the question or were worked out; small ones
    may count anything."""
    rest = _ORDINAL.sub("", integers.without_divisors(rest))
    known = about.known | {-one for one in about.known}
    if about.task == "simple_geometry":  # the angles of a polygon
        known |= {Fraction(180), Fraction(180 * (len(about.asked) - 1))}
    if about.task == "count_primes":  # up to the number in front of the first
        known |= {one - 1 for one in known} | {one + 1 for one in known}
    if _APART.search(rest):
        known |= {one - other for one in known for other in known}
    parts = [Fraction(one) for one in _PART.findall(rest)]
    if any(one not in known and 1 - one not in known for one in parts):
        return False
    return all(abs(one) <= _SMALL or one in known for one in numbers_in(rest))
