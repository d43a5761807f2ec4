"""Whether what a sentence says of whole numbers is so: divisors, multiples, primes.

The greatest common divisor of 6640 and 19420 is 40.     it is 20
36 is a common multiple of both numbers.                 of those of the question
pi(9115) = 1130                                          how many primes there are
"""

from __future__ import annotations

import math
import re
from functools import cache

from agentflow.domains.gym.about import About

_LIST = r"\d+(?:(?:,|,? and|,? or|,? nor) (?:by )?\d+)*"
_ALL = r"(?:both|all|each|them|they|the)\b(?: (?:of|both|them|these|two|given|numbers))*"
_BE = (
    r"(?:is|are)(?P<not> not| no|n't)?(?: (?:an?|the|all|already|also|both|clearly|even|evenly"
    r"|exact|first|in fact|indeed|itself|common|least|prime|proper|smallest))*"
)
_NOT_MORE = r"(?![\w^]|\.\d| ?[-+*/(])"
_GCD = r"(?:greatest|highest|largest) common (?:divisor|factor)|gcd|gcf|hcf"
_LCM = r"(?:least|lowest|smallest) common multiple|lcm"
_ARE = re.compile(
    rf"\b(?P<one>{_LIST}) {_BE} (?P<what>(?:co-?|relatively )?prime|composite|even|odd)\b"
    r"(?! factor)"
)
_DIVIDES = re.compile(
    rf"\b(?P<one>{_LIST}|{_ALL}) (?:{_BE} (?P<what>multiple|divisor|factor|divisible)s? (?:of|by)"
    rf"|(?P<does>(?:does|do)(?: not|n't) )?(?:evenly )?divides?) (?P<other>{_LIST}|{_ALL})"
)
_COMES_TO = re.compile(
    rf"\b(?P<what>{_GCD}|{_LCM}|digit(?:al)? sum|sum of (?:its|the) digits|digits)\b"
    rf"(?: \(?(?:gcd|gcf|hcf|lcm)\)?)?"
    rf"(?P<args> ?\( ?{_LIST} ?\)| (?:of|for|between) (?:{_LIST}|{_ALL}))?"
    r"(?: is| =|:| equals?| comes to| must be| has to be| (?:add|sum)(?: up)? to)"
    rf"(?: (?:just|exactly|therefore|only|is))? (?P<n>\d+){_NOT_MORE}"
)
_LISTED = re.compile(
    r"\b(?P<what>multiple|divisor|factor|prime)s?(?: numbers?)?"
    r"(?: (?:are|between|found|from|here|in|include|interval|is|of|range|that|the|there|this|to|up"
    r"|and|\d+))*:? (?P<list>\d+(?:(?:,|,? and) \d+)+)"
)
_COUNTS = re.compile(
    rf"(?:\bpi|π) ?\((?P<top>\d+)\) ?(?:=|is) ?(?P<n>\d+){_NOT_MORE}"
    r"|\b(?P<count>\d+) (?:of (?:them|these|those)|primes?(?: numbers?)?)(?: (?:there|which))?"
    r"(?: are)? (?P<how>up to|below|(?:less|smaller) than|not exceeding|at most|until|under|[<≤]=?)"
    r"(?: and including| or equal to)? (?P<limit>\d+)"
)
_MOST = 2_000_000


def hold(said: str, about: About) -> bool:
    """Whether what a sentence, in small letters and plain signs, says of whole numbers is so."""
    readers = (
        (_ARE, _are),
        (_DIVIDES, _divide),
        (_COMES_TO, _come_to),
        (_LISTED, _belong),
        (_COUNTS, _are_as_many),
    )
    return all(is_so(found, about) for form, is_so in readers for found in form.finditer(said))


def _numbers(text: str | None, about: About) -> list[int]:
    """The numbers that a text names, or those of the question: ``both``."""
    named = [int(one) for one in re.findall(r"\d+", text or "")]
    return named or [int(one) for one in about.asked if one.denominator == 1]


def _prime(number: int) -> bool:
    if number < 2 or number > 10**12:
        return False
    return all(number % one for one in range(2, math.isqrt(number) + 1))


def _are(found: re.Match[str], about: About) -> bool:
    numbers, what = _numbers(found["one"], about), found["what"]
    if what.startswith(("co", "rel")) and what != "composite":
        return (math.gcd(*numbers) == 1) != bool(found["not"])
    if what in ("even", "odd"):
        return all((one % 2 == (what == "odd")) != bool(found["not"]) for one in numbers)
    return all((_prime(one) == (what == "prime")) != bool(found["not"]) for one in numbers)


def _divide(found: re.Match[str], about: About) -> bool:
    """Whether each of some numbers divides each of others, or, if that is denied, none does."""
    ones, others = _numbers(found["one"], about), _numbers(found["other"], about)
    if found["what"] in ("multiple", "divisible"):
        ones, others = others, ones
    divide = [one != 0 and other % one == 0 for one in ones for other in others]
    denied = found["not"] or found["does"] or "neither" in found.string[: found.start()]
    return not any(divide) if denied else all(divide)


def _come_to(found: re.Match[str], about: About) -> bool:
    """Of numbers that are not named, it is of those of the question, where it asks of two."""
    numbers, said = _numbers(found["args"], about), int(found["n"])
    if "digit" in found["what"]:
        sums = [sum(map(int, str(abs(one)))) for one in numbers]
        about.learn(sums)
        return not sums or said in sums
    asks = about.task in ("gcd", "lcm", "fraction_simplification")
    if len(numbers) < 2 or not (asks or re.search(r"\d", found["args"] or "")):
        return True
    return said == (math.lcm if re.match(_LCM, found["what"]) else math.gcd)(*numbers)


def _belong(found: re.Match[str], about: About) -> bool:
    """Whether a list has only what it is said to have; of all primes that are counted, all."""
    listed = _numbers(found["list"], about)
    if found["what"] == "prime":
        if len(listed) < 3:
            return True
        about.learn(listed)
        counted = about.task == "count_primes" and len(listed) > 4 and "..." not in found.string
        return all(map(_prime, listed)) and (not counted or len(listed) == about.value)
    if (of := re.search(r"of (\d+)", found[0])) is None:
        return True
    about.learn(listed)
    number = int(of[1])
    if found["what"] == "multiple":
        return number > 0 and not any(one % number for one in listed)
    return all(one and number % one == 0 for one in listed)


@cache
def _sieve(top: int) -> bytes:
    marks = bytearray([0, 0] + [1] * (top - 1))
    for one in range(2, math.isqrt(top) + 1):
        if marks[one]:
            marks[one * one :: one] = bytes(len(range(one * one, top + 1, one)))
    return bytes(marks)


def _are_as_many(found: re.Match[str], about: About) -> bool:
    top, count = int(found["top"] or found["limit"]), int(found["n"] or found["count"])
    if not 2 <= top <= _MOST:
        return False
    below = found["how"] in ("below", "less than", "smaller than", "under", "<")
    about.learn((top, count))
    return sum(_sieve(top)[: top + (not below)]) == count
