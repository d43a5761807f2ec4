"""Whether what a sentence says of whole numbers is so: divisors, multiples, primes.

The greatest common divisor of 6640 and 19420 is 40.     it is 20
36 is a common multiple of both numbers.                 of those of the question
pi(9115) = 1130                                          how many primes there are
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import cache

from agentflow.domains.gym.about import About

_LIST = r"(?P<of>\d+(?:(?:,| and|, and|,? or) ?\d+)+)"
_IS = r"(?: is| =|:| equals| comes to| must be| has to be)(?: (?:just|exactly|therefore|only))?"
_GCD = (
    r"(?:greatest|highest|largest) common (?:divisor|factor)(?: \(?(?:gcd|gcf|hcf)\)?)?|gcd|gcf|hcf"
)
_LCM = r"(?:least|lowest|smallest) common multiple(?: \(?lcm\)?)?|lcm"
_COMMON = re.compile(
    rf"\b(?:(?P<gcd>{_GCD})|(?P<lcm>{_LCM}))(?P<args> ?\( ?{_LIST} ?\)| (?:of|for|between)"
    rf" {_LIST.replace('of>', 'two>')}"
    r"| (?:of|for) (?:these|those|the|both|them)(?: two| three| given)?(?: numbers)?)?"
    rf"(?:{_IS})?(?: is)? (?P<n>\d+)(?![\w^]|\.\d| ?[-+*/(])"
)
_RELATION = re.compile(
    r"\b(?:(?P<n>\d+)|(?P<all>both(?: numbers| of them)?|the (?:two )?numbers|they(?: both)?))"
    r" (?:is|are)(?P<not> not| no|n't)?(?: (?:a|an|both|the|also|even|indeed|itself|clearly"
    r"|evenly))*(?: (?P<common>common|first|smallest|least|proper|exact))*"
    r" (?P<what>multiple|divisor|factor|divisible|prime factor)s?"
    r" (?:of|by) (?P<of>\d+(?:(?:,| and|, and| or| nor|, or) (?:by )?\d+)*|both|all|each|them"
    r"|the (?:two|given) numbers)"
)
_DIVIDES = re.compile(
    r"\b(?P<n>\d+) (?P<not>does(?: not|n't) )?(?:evenly )?divides? (?P<of>\d+(?:(?:,? and|,| nor|"
    r" or) \d+)*|both)"
)
_PRIME = re.compile(
    r"\b(?P<of>\d+(?:(?:,? and|,) \d+)*) (?:is|are)(?P<not> not|n't)?"
    r"(?: (?:a|both|itself|all|also|indeed|already|in fact|clearly|the))* (?P<what>prime"
    r"|composite)\b(?! factor)"
)
_COPRIME = re.compile(
    r"\b(?P<a>\d+) and (?P<b>\d+) (?:are|is)(?P<not> not|n't)?(?: \w+){0,2}? (?:coprime"
    r"|relatively prime|co-prime)"
)
_COUNTS = (
    re.compile(r"\bpi\(?\s*\(?(?P<top>\d+)\)\s*(?:=|is) ?(?P<n>\d+)(?!\d| ?[-+*/])"),
    re.compile(r"(?<![-+] )π\((?P<top>\d+)\) ?(?:=|is) ?(?P<n>\d+)(?!\d| ?[-+*/])"),
    re.compile(
        r"\b(?P<n>\d+) (?:of (?:them|these|those)|primes?(?: numbers?)?)(?: (?:are|there are|which"
        r" are))? (?:up to|below|less than|smaller than|not exceeding|at most|until|under|<=|≤|<)"
        r"(?: and including| or equal to)? (?P<top>\d+)"
    ),
)
_PARITY = re.compile(
    r"\b(?P<of>\d+(?:,? and \d+)?) (?:is|are)(?P<not> not|n't)?(?: both| also)? (?P<what>even"
    r"|odd)\b"
)
_DIGITS = re.compile(
    r"\b(?:digit(?:al)? sum|sum of (?:its|the) digits)(?: of (?P<of>\d+))? (?:is|=|equals) "
    r"(?P<n>\d+)(?! ?[-+*/])"
    r"|\bdigits (?:of (?P<whose>\d+) )?(?:add up to|sum to|sum up to|add to) (?P<m>\d+)(?! ?[-+*/])"
)
_MULTIPLES = re.compile(
    r"\b(?P<what>multiple|divisor|factor)s of (?P<of>\d+)(?: are| include|:)?:? (?P<list>\d+(?:"
    r"(?:,| and|, and) \d+)+)"
)
_LEAST = re.compile(
    r"\b(?P<n>\d+) is (?:therefore |thus )?the (?P<what>gcd|lcm|greatest common divisor|least"
    r" common multiple)"
)
_PRIME_LIST = re.compile(
    r"\bprimes?(?: numbers?)?(?: (?:in|between|from|of|up|to|this|that|the|range|interval|are|is"
    r"|found|here|there|and|\d+))*:? (?P<list>\d+(?:(?:,| and|, and) \d+){2,})"
)
_MOST = 2_000_000


def hold(said: str, about: About) -> bool:
    """Whether what a sentence, in small letters and plain signs, says of whole numbers is so."""
    asked = [int(one) for one in about.asked if one.denominator == 1]
    return (
        all(_common(found, about, asked) for found in _COMMON.finditer(said))
        and all(_relates(found, asked) for found in _RELATION.finditer(said))
        and all(_divides(found, asked) for found in _DIVIDES.finditer(said))
        and all(_are(found) for found in _PRIME.finditer(said))
        and all(_coprime(found) for found in _COPRIME.finditer(said))
        and all(_parity(found) for found in _PARITY.finditer(said))
        and all(_digits(found, about, asked) for found in _DIGITS.finditer(said))
        and all(_listed(found, about) for found in _MULTIPLES.finditer(said))
        and all(_all_prime(found, about) for found in _PRIME_LIST.finditer(said))
        and all(_primes(found, about) for one in _COUNTS for found in one.finditer(said))
    )


def _ints(text: str) -> list[int]:
    return [int(one) for one in re.findall(r"\d+", text)]


def _common(found: re.Match[str], about: About, asked: list[int]) -> bool:
    """Of numbers that are not named, it is of those of the question, where it asks of two."""
    listed = _ints(found["args"] or "") or asked
    if len(listed) < 2 or any(one > 10**15 for one in listed):
        return True
    if not found["args"] and about.task not in ("gcd", "lcm", "fraction_simplification"):
        return True
    exact = math.gcd(*listed) if found["gcd"] else math.lcm(*listed)
    return int(found["n"]) == exact


def _relates(found: re.Match[str], asked: list[int]) -> bool:
    numbers, others = [int(found["n"])] if found["n"] else asked, _ints(found["of"]) or asked
    multiple = found["what"] in ("multiple", "divisible")
    pairs = [(n, one) if multiple else (one, n) for n in numbers for one in others]
    is_so = [bottom != 0 and top % bottom == 0 for top, bottom in pairs]
    return not any(is_so) if found["not"] else all(is_so)


def _divides(found: re.Match[str], asked: list[int]) -> bool:
    number, others = int(found["n"]), _ints(found["of"]) or asked
    is_so = [number != 0 and one % number == 0 for one in others]
    denied = found["not"] or "neither" in found.string[: found.start()]
    return not any(is_so) if denied else all(is_so)


def _prime(number: int) -> bool:
    if number < 2 or number > 10**12:
        return False
    return all(number % one for one in range(2, math.isqrt(number) + 1))


def _are(found: re.Match[str]) -> bool:
    wanted = (found["what"] == "prime") != bool(found["not"])
    return all(_prime(one) == wanted for one in _ints(found["of"]))


def _coprime(found: re.Match[str]) -> bool:
    return (math.gcd(int(found["a"]), int(found["b"])) == 1) != bool(found["not"])


def _parity(found: re.Match[str]) -> bool:
    wanted = (found["what"] == "odd") != bool(found["not"])
    return all(one % 2 == wanted for one in _ints(found["of"]))


def _digits(found: re.Match[str], about: About, asked: list[int]) -> bool:
    named = found["of"] or found["whose"]
    sums = [sum(map(int, str(one))) for one in ([int(named)] if named else asked)]
    about.learn(map(Fraction, sums))
    return not sums or int(found["n"] or found["m"]) in sums


def _listed(found: re.Match[str], about: About) -> bool:
    of, listed = int(found["of"]), _ints(found["list"])
    about.learn(map(Fraction, listed))
    if found["what"] == "multiple":
        return all(of and one % of == 0 for one in listed)
    return all(one and of % one == 0 for one in listed)


@cache
def _sieve(top: int) -> bytes:
    marks = bytearray([0, 0] + [1] * (top - 1))
    for one in range(2, math.isqrt(top) + 1):
        if marks[one]:
            marks[one * one :: one] = bytes(len(range(one * one, top + 1, one)))
    return bytes(marks)


def _primes(found: re.Match[str], about: About) -> bool:
    top = int(found["top"])
    if not 2 <= top <= _MOST:
        return False
    below = re.search(r"below|(?<!not )less than(?! or)|smaller|under|<(?!=)", found[0])
    if sum(_sieve(top)[: top if below else top + 1]) != int(found["n"]):
        return False
    about.learn((Fraction(top), Fraction(int(found["n"]))))
    return True


def _all_prime(found: re.Match[str], about: About) -> bool:
    """Whether all of a list are primes, and as many as the answer where that is their number."""
    listed = _ints(found["list"])
    about.learn(map(Fraction, listed))
    short = len(listed) > 4 and about.task == "count_primes" and len(listed) != about.value
    return all(map(_prime, listed)) and (not short or "..." in found.string)
