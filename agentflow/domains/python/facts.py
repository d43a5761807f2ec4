"""What a sentence says of numbers alone, which is reckoned.

``since 9 is divisible by 3``   holds, and needs no more words
``because 9 is divisible by 2`` does not
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from math import isqrt

_N = r"(?<![-^*/+%] )(?<![\w.^*/+%-])-?\d{1,12}(?![\w(]|\.\d| ?[*/+%^])"
_TWO: dict[str, Callable[[int, int], bool]] = {
    r"(?:evenly )?divisible by|a multiple of": lambda a, b: b != 0 and a % b == 0,
    "an? (?:divisor|factor) of": lambda a, b: a != 0 and b % a == 0,
    r"(?:greater|larger|bigger|more|higher) than|above": operator.gt,
    r"(?:less|smaller|fewer|lower) than|below": operator.lt,
    "equal to|the same as": operator.eq,
    "at least": operator.ge,
    "at most": operator.le,
}
_ONE: dict[str, Callable[[int], bool]] = {
    "an? (?:even|odd)? ?composite(?: number)?": lambda a: a > 3 and not _is_prime(a),
    "(?:an? )?even(?: number)?": lambda a: a % 2 == 0,
    "(?:an? )?odd(?: number)?": lambda a: a % 2 == 1,
    "(?:an? )?(?:odd )?prime(?: number)?": lambda a: _is_prime(a),
    "positive": lambda a: a > 0,
    "negative": lambda a: a < 0,
}
_FACT = re.compile(
    rf"`?(?P<one>{_N})`? (?:is|are|was)(?P<not> not|n't)? "
    rf"(?:(?P<how>{'|'.join(_TWO)}) `?(?P<other>{_N})`?|(?P<kind>{'|'.join(_ONE)})(?!\w))"
)
_DIVIDES = re.compile(rf"`?(?P<one>{_N})`?(?: evenly)? divides `?(?P<other>{_N})`?")
_SIGNS: dict[str, Callable[[int, int], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "/": operator.truediv,
    "%": operator.mod,
}
_SUM = re.compile(
    r"(?<![-^*/+%(] )(?<![\w.^*/+%(-])(?P<one>-?\d{1,9}) ?(?P<sign>[-+*%]|//?) ?"
    r"(?P<other>\d{1,9}) ?={1,2} ?(?P<value>-?\d{1,18}(?:\.\d+)?)(?![\w(]|\.\d| ?[-*/+%^])"
)


def read(sentence: str) -> tuple[bool, str]:
    """Whether all that a sentence, in small letters, says of numbers alone holds; and the sentence
    without that."""
    held = True

    def fact(found: re.Match[str]) -> str:
        nonlocal held
        one = int(found["one"])
        if found["how"]:
            true = next(does for how, does in _TWO.items() if re.fullmatch(how, found["how"]))(
                one, int(found["other"])
            )
        else:
            true = next(does for how, does in _ONE.items() if re.fullmatch(how, found["kind"]))(one)
        held = held and true is not bool(found["not"])
        return "it"

    def divides(found: re.Match[str]) -> str:
        nonlocal held
        held = held and int(found["one"]) != 0 and int(found["other"]) % int(found["one"]) == 0
        return "it"

    def total(found: re.Match[str]) -> str:
        nonlocal held
        try:
            value = _SIGNS[found["sign"]](int(found["one"]), int(found["other"]))
        except ZeroDivisionError:
            held = False
        else:
            held = held and abs(value - float(found["value"])) < 1e-6
        return "it"

    rest = _SUM.sub(total, _DIVIDES.sub(divides, _FACT.sub(fact, sentence)))
    return held, rest


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % one for one in range(2, isqrt(number) + 1))
