"""Whether what a sentence says of whole numbers is so: divisors, multiples, primes.

The greatest common divisor of 6640 and 19420 is 40.     it is 20
36 is a common multiple of both numbers.                 of those of the question
119 is a prime number.                                   it is 7 * 17
"""

from __future__ import annotations

import math
import re

from agentflow.domains.gym.about import About

_LIST = r"\d+(?:(?:,|,? and|,? or|,? nor) (?:by )?\d+)*"
_ALL = r"(?:both|all|each|them|they|the)\b(?: (?:of|both|them|these|two|given|numbers))*"
_BE = (
    r"(?:is|are)(?P<not> not| no|n't)?(?: (?:an?|the|all|already|also|both|clearly|even|evenly"
    r"|exact|first|in fact|indeed|itself|common|least|prime|proper|smallest))*"
)
_NO_CLAIM = r"(?<!\bif )(?<!\bwhether )"
_NOT_MORE = r"(?![\w^]|\.\d| ?[-+*/(])"
_GCD = r"(?:greatest|highest|largest) common (?:divisor|factor)|gcd|gcf|hcf"
_LCM = r"(?:least|lowest|smallest) common multiple|lcm"
_ARE = re.compile(
    rf"{_NO_CLAIM}\b(?P<one>{_LIST}) {_BE} "
    r"(?P<what>(?:co-?|relatively )?prime|composite|even|odd)\b(?! factor)"
)
_DIVIDES = re.compile(
    rf"{_NO_CLAIM}\b(?P<one>{_LIST}|{_ALL}) "
    rf"(?:{_BE} (?P<what>multiple|divisor|factor|divisible)s? (?:of|by)"
    rf"|(?P<does>(?:does|do)(?: not|n't) )?(?:evenly )?divides?) (?P<other>{_LIST}|{_ALL})"
)
_COMES_TO = re.compile(
    rf"\b(?P<what>{_GCD}|{_LCM})\b"
    rf"(?: \(?(?:gcd|gcf|hcf|lcm)\)?)?"
    rf"(?P<args> ?\( ?{_LIST} ?\)| (?:of|for|between) (?:{_LIST}|{_ALL}))?"
    r"(?: is| =|:| equals?| comes to| must be| has to be)"
    rf"(?: (?:just|exactly|therefore|only|is))? (?P<n>\d+){_NOT_MORE}"
)


def hold(said: str, about: About) -> bool:
    """Whether what a sentence, in small letters and plain signs, says of whole numbers is so."""
    readers = (
        (_ARE, _are),
        (_DIVIDES, _divide),
        (_COMES_TO, _come_to),
    )
    return all(is_so(found, about) for form, is_so in readers for found in form.finditer(said))


def without_divisors(said: str) -> str:
    """A sentence without the numbers by which it says that others can be divided, or not."""
    divisible = ("divisible", "multiple")
    return _DIVIDES.sub(lambda one: one["one"] if one["what"] in divisible else one[0], said)


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
    asks = about.task in ("gcd", "lcm", "fraction_simplification")
    if len(numbers) < 2 or not (asks or re.search(r"\d", found["args"] or "")):
        return True
    right = (math.lcm if re.match(_LCM, found["what"]) else math.gcd)(*numbers)
    about.learn((right,))
    return said == right
