"""What a sentence says of numbers alone, which is reckoned.

``since 9 is divisible by 3``   holds, and needs no more words
``because 9 is divisible by 2`` does not
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from fractions import Fraction
from math import factorial, isqrt

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
    rf"`?(?P<one>{_N})`? (?:is|was)(?P<not> not|n't)? "
    rf"(?:(?P<how>{'|'.join(_TWO)}) `?(?P<other>{_N})`?|(?P<kind>{'|'.join(_ONE)})(?!\w))"
)
_DIVIDES = re.compile(rf"`?(?P<one>{_N})`?(?: evenly)? divides `?(?P<other>{_N})`?")
_TERM = r"\({0,3}-?\d{1,9}(?:\.\d{1,9}|!)?\){0,3}"
_SIDE = rf"{_TERM}(?: ?(?:[-+*%/^]|//|\*\*) ?{_TERM}){{0,12}}"
_EQUAL = re.compile(
    rf"(?<![-+*/%^(=] )(?<![\w.^*/+%(=-]){_SIDE}(?: ={{1,2}} {_SIDE}){{1,4}}"
    r"(?![\w(]|\.\d| ?[-*/+%^=])"
)
_FACTORIAL = re.compile(r"(?<![\d.])(\d{1,2})!")
_IS = re.compile(rf"(?<![\w.])({_TERM} ?(?:[-+*%/]|//|\*\*) ?{_TERM}) is (?={_TERM})")
"""An equation in which a verb stands."""
_SIGNS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction | int | float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_PLAIN = str.maketrans({"·": "*", "×": "*", "÷": "/", "−": "-", "`": None})


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

    def equal(found: re.Match[str]) -> str:
        nonlocal held
        written = found[0]
        if written.startswith("(") and written.count("(") == written.count(")"):
            first, _, last = written.partition("=")
            if first.count("(") > first.count(")"):  # the brackets are around the equation
                written = f"{first[1:]}={last.removesuffix(')')}"
        sides = [_value(one) for one in re.split(r" ={1,2} ", written)]
        held = held and None not in sides and all(one == sides[0] for one in sides)
        return "it"

    sentence = _EQUAL.sub(equal, _IS.sub(r"\1 = ", sentence.translate(_PLAIN)))
    rest = _DIVIDES.sub(divides, _FACT.sub(fact, sentence))
    return held, rest


def _value(side: str) -> Fraction | None:
    """What a side of an equation is; None where it is nothing."""
    side = _FACTORIAL.sub(lambda one: str(factorial(int(one[1]))), side.replace("^", "**"))
    try:
        return _worth(ast.parse(side.strip(), mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, KeyError, OverflowError):
        return None


def _worth(node: ast.expr) -> Fraction:
    match node:
        case ast.Constant(value=int() | float() as value):
            return Fraction(str(value))
        case ast.UnaryOp(ast.USub(), inner):
            return -_worth(inner)
        case ast.BinOp(left, sign, right):
            one, other = _worth(left), _worth(right)
            if isinstance(sign, ast.Pow) and abs(other) > 30:
                raise OverflowError
            return Fraction(_SIGNS[type(sign)](one, other))
    raise ValueError(ast.dump(node))


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % one for one in range(2, isqrt(number) + 1))
