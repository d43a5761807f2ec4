"""What an expression is worth, as an exact fraction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb, factorial, isqrt, log, pi
from types import MappingProxyType

from agentflow.domains.math.expressions import Tree

MAX_BITS = 10_000
"""Longer values are not worked out: they could not be shown either."""


class _NoValue(Exception):
    """The value is not rational, undefined or too long."""


def value(tree: Tree, at: Mapping[str, Fraction] = MappingProxyType({})) -> Fraction | None:
    """The exact value of a reading; None where it is not rational, undefined or too long.

    Args:
        at: The values of variables.
    """
    try:
        return _value(tree, at)
    except _NoValue:
        return None


def _value(tree: Tree, at: Mapping[str, Fraction]) -> Fraction:
    if isinstance(tree, Fraction):
        return tree
    if isinstance(tree, str):
        if tree not in at:
            raise _NoValue
        return at[tree]
    if tree[0] not in _WORK_OUT:
        raise _NoValue
    result = _WORK_OUT[tree[0]](*(_value(part, at) for part in tree[1:]))
    if max(result.numerator.bit_length(), result.denominator.bit_length()) > MAX_BITS:
        raise _NoValue
    return result


def nearly(tree: Tree) -> float | None:
    """The value of a reading as a float, also where it is not rational; None where it is undefined,
    too long or of a variable."""
    if isinstance(tree, tuple) and value(tree) is None:
        parts = [nearly(part) for part in tree[1:]]
        if None in parts or tree[0] not in _NEARLY:
            return None
        try:
            return _NEARLY[tree[0]](*parts)
        except (ArithmeticError, ValueError):
            return None
    exact = pi if tree == "pi" else value(tree)
    try:
        return None if exact is None else float(exact)
    except OverflowError:
        return None


def _divided(a: Fraction, b: Fraction) -> Fraction:
    if b == 0:
        raise _NoValue
    return a / b


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 and exponent.denominator <= 10:
        return _power(_whole_degree(base, exponent.denominator), Fraction(exponent.numerator))
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if exponent.denominator != 1 or bits * abs(exponent) > MAX_BITS:
        raise _NoValue
    if base == 0 and exponent <= 0:
        raise _NoValue
    return Fraction(base ** int(exponent))


def _root(base: Fraction, degree: Fraction = Fraction(2)) -> Fraction:
    if degree != 2:
        raise _NoValue
    return _whole_degree(base, 2)


def _whole_degree(base: Fraction, degree: int) -> Fraction:
    """The root of a number that is a whole power of that degree."""
    if base < 0 or max(base.numerator.bit_length(), base.denominator.bit_length()) > 1000:
        raise _NoValue
    roots = []
    for number in (base.numerator, base.denominator):
        guess = isqrt(number) if degree == 2 else round(number ** (1 / degree))
        roots += [root for root in (guess, guess - 1, guess + 1) if root**degree == number][:1]
    if len(roots) != 2:
        raise _NoValue
    return Fraction(*map(abs, roots))


def _factorial(number: Fraction) -> Fraction:
    if number.denominator != 1 or not 0 <= number <= 1000:
        raise _NoValue
    return Fraction(factorial(int(number)))


def _binomial(n: Fraction, k: Fraction) -> Fraction:
    if n.denominator != 1 or k.denominator != 1 or not (0 <= n <= 1000 and 0 <= k <= 1000):
        raise _NoValue
    return Fraction(comb(int(n), int(k)))


_WORK_OUT: dict[str, Callable[..., Fraction]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divided,
    "neg": lambda a: -a,
    "degree": lambda a: a,
    "^": _power,
    "sqrt": _root,
    "root": _root,
    "!": _factorial,
    "binom": _binomial,
}
_NEARLY: dict[str, Callable[..., float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "neg": lambda a: -a,
    "^": lambda a, b: float("nan") if a < 0 else a**b,
    "sqrt": lambda a: float("nan") if a < 0 else a**0.5,
    "root": lambda a, n: float("nan") if a < 0 else a ** (1 / n),
    "ln": log,
    "log": log,
}
