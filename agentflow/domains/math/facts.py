"""What a sentence says of numbers that it names, true of them whatever is asked.

    97 is a prime number.                            nothing remains of it
    8 and 12 have a least common multiple of 24.     nothing
    Dividing by 3/4 is dividing by 4/3.              stays: it has no form that is known
    81 is an even number.                            None: it is false

What remains is read by :mod:`.spoken`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import gcd, isqrt, lcm

from agentflow.domains.math import calculation
from agentflow.domains.math.values import value

_Found = re.Match[str]
_N = r"(?<![\d/)^*] )(?<![\d./^*(-])\d{1,9}(?!\.?\d)(?! ?[-+*/=^×÷(%!] ?[\d(])"
"""A whole number that is no part of a calculation."""
_Q = r"\(?-?\d+(?:\.\d+)?(?:/\d+)?\)?(?!\.?\d)"
_LISTED = rf"{_N}(?:(?:, | and |, and ){_N})*"
_GAP = r"(?:(?:also|itself|actually|indeed|already|both|all|in fact|even|again|two|three),? )*"
_PARTS = {"half": "1/2", "one": "1", "two": "2"}


def _is_prime(one: int) -> bool:
    return 1 < one < 10**6 and all(one % low for low in range(2, isqrt(one) + 1))


_KINDS: dict[str, Callable[[int], bool]] = {
    "prime": _is_prime,
    "even": lambda one: one % 2 == 0,
    "odd": lambda one: one % 2 == 1,
    "perfect square": lambda one: isqrt(one) ** 2 == one,
}


def _numbers(listed: str) -> list[int]:
    return [int(one) for one in re.findall(r"\d+", listed)]


def _of_kind(found: _Found) -> bool:
    """Whether numbers are all, or none, of a kind."""
    holds = _KINDS[found["kind"].lower()]
    return all(holds(one) == (found["no"] is None) for one in _numbers(found["items"]))


def _in_common(found: _Found) -> bool:
    """Whether numbers have such a common multiple, or divisor."""
    numbers = _numbers(found["items"])
    of = lcm if re.search("(?i)mult|denom|lc", found["what"]) else gcd
    return len(numbers) > 1 and of(*numbers) == int(found["n"])


def _divided(found: _Found) -> bool:
    """Whether a number divides others, or none of them."""
    by = int(found["n"])
    return by > 0 and all((one % by != 0) == bool(found["no"]) for one in _numbers(found["items"]))


def _compared(found: _Found) -> bool:
    """Whether a number is above, or below, another; a little is no more than a seventh of it."""
    written = found["one"], _PARTS.get(found["other"].lower().split()[-1], found["other"])
    trees = [calculation.read(one.strip()) for one in written]
    one, other = (tree and value(tree) for tree in trees)
    if not isinstance(one, Fraction) or not isinstance(other, Fraction) or one == other:
        return False
    more = found["way"].lower() in ("more", "greater", "larger", "over", "above")
    return more == (one > other) and (not found["little"] or 7 * abs(one - other) <= abs(other))


_COMMON = (
    r"(?P<what>(?:(?:least|lowest|smallest) )?common (?:multiple|denominator)|lc[md]|(?:greatest"
    r"|highest|largest) common (?:divisor|factor)|gc[df]|hcf)(?: \((?:lc[md]|gc[df])\))?"
)
_SUBJECT = r"(?:the )?(?:(?:denominators?|numerators?|numbers?) )?"
_FORMS: list[tuple[re.Pattern[str], Callable[[_Found], bool]]] = [
    (re.compile(rf"(?i){form}"), holds)
    for form, holds in (
        (rf"(?P<n>{_N}) (?P<no>does (?:not|n't) |doesn't |is not )?(?:(?:evenly )?divides?"
         rf"(?: evenly into)?|(?:is )?a (?:factor|divisor) of) (?:both )?(?P<items>{_LISTED})",
         _divided),
        (rf"\b(?P<items>{_LISTED})(?:(?P<beside>,? (?:- |another |which (?:is|are|happens? to be)"
         rf" {_GAP})|, (?=an? ))| (?:is|are|happens? to be) {_GAP})(?P<no>not )?(?:an? )?"
         rf"(?P<kind>{'|'.join(_KINDS)})(?: (?:number|integer)s?|s)?(?![\w-])", _of_kind),
        (rf"(?:{_SUBJECT}(?P<items>{_LISTED}) (?:have|share) (?:an? |the )?{_COMMON}"
         rf" (?:of|equal to) (?P<n>{_N}))", _in_common),
        (rf"(?:the )?{_COMMON} (?:of|for|between) {_SUBJECT}(?P<items>{_N}(?:(?:, (?!and)"
         rf"|,? and ){_N})+) (?:is|=|equals|will be) (?P<n>{_N})", _in_common),
        (rf"(?P<items>{_LISTED}),? (?:which )?(?:is|are) (?P<no>not )?{_GAP}(?:(?:evenly )?"
         rf"divisible by|a multiple of|multiples of) (?P<n>{_N})", _divided),
        (rf"(?<!/)(?P<one>{_Q}) ?,? (?:\(?(?:which )?is |that's )?(?P<little>(?:just|a (?:little"
         r"|bit|tad|touch)|slightly|barely) )?(?P<way>(?:more|greater|larger|less|smaller)"
         rf"(?= than)|over|above|under|below) (?:than )?(?P<other>one[- ]half|(?:a |one )?half|one"
         rf"|two|{_Q})(?! ?[-+*/=])", _compared),
    )
]  # fmt: skip
_BASE = re.compile(rf"% of (?P<of>{_Q})")
_OF_BASE = re.compile(r"(?<=\d)% (?=(?:is|=|equals|gives) (?!0\.))")


def with_base(text: str) -> str:
    """A text that says of what its percents are, where they are all of one number."""
    bases = {one["of"] for one in _BASE.finditer(text)}
    return _OF_BASE.sub(f"% of {bases.pop()} ", text) if len(bases) == 1 else text


def without(sentence: str) -> str | None:
    """What a sentence says besides; None where something of this is false."""
    for pattern, holds in _FORMS:
        if not all(map(holds, pattern.finditer(sentence))):
            return None
        sentence = pattern.sub(_left, sentence)
    return sentence


def _left(found: _Found) -> str:
    named = found.groupdict()
    kept = named.get("one") or (named.get("beside") and named["items"])
    return f"{kept} " if kept else " "
