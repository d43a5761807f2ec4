"""Exact arithmetic expressions: parse without ``eval``, evaluate, compare."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from agentflow.domains import spelling

MAX_LENGTH = 200
"""Longer expressions are refused: the parser's cost stays bounded whatever a model writes."""

_SPELLINGS = str.maketrans(
    {"×": "*", "·": "*", "∗": "*", "⋅": "*", "÷": "/", "∕": "/", "⁄": "/"}
    | {"[": "(", "]": ")"}
    | spelling.ARROWS
    | spelling.DASHES
    | spelling.FULL_WIDTH
)
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_MAX_FRACTIONS = 4
"""Fractions within fractions that are read."""
_LATEX = (
    (re.compile(r"\\(?:times|cdot|ast)(?![a-zA-Z])"), "*"),
    (re.compile(r"\\div(?![a-zA-Z])"), "/"),
    (re.compile(r"\\(?:left|right|,|;|!|\s)"), ""),
    (re.compile(r"(?<=[\d)\s])(?<!\b0)[xX](?=[\d(\s])"), "*"),
    (re.compile(r"[$`]"), ""),
)
_CHARACTERS = re.compile(r"[0-9+\-*/(). ]*")
_OPERATORS: dict[type[ast.operator], tuple[str, Callable[[Fraction, Fraction], Fraction]]] = {
    ast.Add: ("+", lambda a, b: a + b),
    ast.Sub: ("-", lambda a, b: a - b),
    ast.Mult: ("*", lambda a, b: a * b),
    ast.Div: ("/", lambda a, b: a / b),
}

Expression = Fraction | tuple[str, "Expression", "Expression"]
"""A number, or (operator, left, right)."""


def plain(text: str) -> str:
    """The text with Unicode and LaTeX operators spelled in ASCII."""
    if "[" in text or "]" in text or not text.isascii():
        text = text.translate(_SPELLINGS)
    if "\\" in text or "x" in text or "X" in text or "$" in text or "`" in text:
        for _ in range(_MAX_FRACTIONS if "frac" in text else 0):  # from the inside out
            inner, text = text, _FRACTION.sub(r"((\1)/(\2))", text)
            if text == inner:
                break
        for pattern, replacement in _LATEX:
            text = pattern.sub(replacement, text)
    return text


@lru_cache(maxsize=10_000)
def parse(text: str) -> Expression | None:
    """The expression written in ``text`` (already :func:`plain`), or None if it is none.

    Numbers are exact: ``1.5`` is 3/2. Only ``+ - * /``, parentheses and signs are known. Results
    are remembered: a trace states the same few expressions again and again.
    """
    if len(text) > MAX_LENGTH:
        return None
    text = " ".join(text.split())
    if not _CHARACTERS.fullmatch(text):
        return None
    try:
        return _convert(ast.parse(text, mode="eval").body, text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def _convert(node: ast.expr, text: str) -> Expression:
    match node:
        case ast.Constant(value=int() | float()):
            return Fraction(text[node.col_offset : node.end_col_offset])  # as written, unrounded
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float()) as operand):
            return -Fraction(text[operand.col_offset : operand.end_col_offset])
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
            return (_OPERATORS[type(operator)][0], _convert(left, text), _convert(right, text))
    raise ValueError(f"not an arithmetic expression: {ast.dump(node)[:80]}")


_APPLY = dict(_OPERATORS.values())


def apply(operator: str, a: Fraction, b: Fraction) -> Fraction | None:
    """``a operator b``, or None on division by zero."""
    return None if operator == "/" and b == 0 else _APPLY[operator](a, b)


def value(expression: Expression) -> Fraction | None:
    """The expression's exact value, or None where it divides by zero."""
    if isinstance(expression, Fraction):
        return expression
    operator, left, right = expression
    a, b = value(left), value(right)
    return None if a is None or b is None else apply(operator, a, b)


@lru_cache(maxsize=10_000)
def number(written: str) -> Fraction | None:
    """The number as written, None for n/0; the same few are written again and again."""
    try:
        return Fraction(written)
    except ZeroDivisionError:
        return None


def agrees(written: str, exact: Fraction) -> bool:
    """Whether a written number stands for ``exact``; decimals may be rounded or truncated."""
    stated = number(written)
    if stated is None or "." not in written or stated == exact:
        return stated == exact
    unit = Fraction(1, 10 ** len(written.split(".")[1]))
    short = exact - stated if exact > 0 else stated - exact
    return -unit / 2 <= short < unit


def numbers(expression: Expression) -> Iterator[Fraction]:
    """The numbers of the expression, left to right."""
    if isinstance(expression, Fraction):
        yield expression
    else:
        yield from numbers(expression[1])
        yield from numbers(expression[2])


def show(expression: Expression, *, outer: bool = True) -> str:
    """The expression as spaced text, fully parenthesised below the top operator."""
    if isinstance(expression, Fraction):
        whole = outer or expression.denominator == 1
        return str(expression) if whole else f"( {expression} )"
    operator, left, right = expression
    text = f"{show(left, outer=False)} {operator} {show(right, outer=False)}"
    return text if outer else f"( {text} )"


def normal_form(expression: Expression) -> str:
    """A text equal for expressions that differ only in order and grouping of ``+ -`` or ``* /``."""
    if isinstance(expression, Fraction):
        return str(expression)
    inverse = {"+": "-", "*": "/"}
    direct = "+" if expression[0] in "+-" else "*"
    terms: list[str] = []

    def collect(part: Expression, sign: str) -> None:
        if not isinstance(part, Fraction) and part[0] in (direct, inverse[direct]):
            collect(part[1], sign)
            flipped = inverse[direct] if sign == direct else direct
            collect(part[2], flipped if part[0] == inverse[direct] else sign)
        else:
            terms.append(f"{sign} {normal_form(part)}")

    collect(expression, direct)
    return "(" + " ".join(sorted(terms)) + ")"


def reaching(target: Fraction, given: Sequence[Fraction]) -> Iterator[Expression]:
    """Every expression over the given numbers, each used once, whose value is ``target``."""
    yield from _reaching(target, [(Fraction(one), Fraction(one)) for one in given])


def _reaching(target: Fraction, items: list[tuple[Fraction, Expression]]) -> Iterator[Expression]:
    """``items`` are values with the expressions that have them."""
    if len(items) == 1:
        if items[0][0] == target:
            yield items[0][1]
        return
    for i, (a, left) in enumerate(items):
        for j, (b, right) in enumerate(items):
            if i == j:
                continue
            rest = [item for k, item in enumerate(items) if k not in (i, j)]
            for operator in "+-*/":
                if operator in "+*" and j < i:
                    continue
                result = apply(operator, a, b)
                if result is not None:
                    yield from _reaching(target, [*rest, (result, (operator, left, right))])
