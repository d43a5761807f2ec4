"""Expressions as people and models write them, read without ``eval``.

What is written is not always one thing: ``-3^2`` is written for two, ``5%`` may be 5 of something.
A tree keeps such readings side by side (``either``: by the rules comes first; ``unclear``: no rule
tells) and :func:`readings` gives them all, so that nothing is called wrong that is right in one of
them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product
from typing import TypeAlias

from agentflow.domains.math.notation import Token, tokens, units

MAX_TOKENS = 120
MAX_READINGS = 16
_MAX_DEPTH = 24

Tree: TypeAlias = "Fraction | str | tuple[str, *tuple[Tree, ...]]"
"""A number, a name (a variable or ``pi``), or (operation, arguments...)."""


_NUMBER = re.compile(r"\d{1,60}(?:\.\d{1,9})?")


class _Unreadable(Exception):
    """The tokens are no expression."""


@lru_cache(maxsize=10_000)
def parse(
    text: str, *, last: bool = True, factor: Callable[[Sequence[Token]], Fraction] | None = None
) -> Tree | None:
    """The expression that is the whole of ``text`` (already :func:`spelled`), else None.

    Units are left out; a letter is a variable.

    Args:
        last: Whether it may end a sentence, with an exclamation mark.
        factor: What a unit multiplies the number before it by, where units are to be converted.
    """
    if len(text) > 10 * MAX_TOKENS:
        return None
    if _NUMBER.fullmatch(text):  # most are
        return number(text)
    found = tokens(text)
    for start, end in reversed(list(units(found))):
        by = factor(found[start:end]) if factor else Fraction(1)
        found[start:end] = [] if by == 1 else [Token("unit", str(by), found[start].start, 0)]
    if not found or len(found) > MAX_TOKENS:
        return None
    try:
        return _Parser(found, last=last).whole()
    except _Unreadable:
        return None


def number(text: str) -> Fraction:
    """The number that digits are, with a point or without."""
    return Fraction(int(text)) if text.isdecimal() else Fraction(text)  # of a text it is slow


class _Parser:
    """Recursive descent over the tokens of one expression."""

    def __init__(self, found: Sequence[Token], *, last: bool) -> None:
        self.tokens = found
        self.kinds = [*(token.kind for token in found), "end"]
        self.last = last
        self.place = 0
        self.depth = 0

    @property
    def kind(self) -> str:
        return self.kinds[self.place]

    def next(self) -> Token:
        if self.place == len(self.tokens):
            raise _Unreadable
        self.place += 1
        return self.tokens[self.place - 1]

    def expect(self, kind: str) -> None:
        if self.next().kind != kind:
            raise _Unreadable

    def whole(self) -> Tree:
        tree = self.sum()
        if self.kind != "end":
            raise _Unreadable
        return tree

    def sum(self) -> Tree:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise _Unreadable
        tree = self.product()
        while self.kind in ("+", "-"):
            operator = self.next().kind
            right = self.product()
            plain: Tree = (operator, tree, right)
            if _is_percent(right) and not _is_percent(tree):  # 50 + 10% = 55
                plain = ("either", ("*", tree, (operator, Fraction(1), right)), plain)
            tree = plain
        self.depth -= 1
        return tree

    def product(self) -> Tree:
        tree = self.signed()
        while True:
            if self.kind in ("*", "/"):
                sign = self.next()
                operator = sign.kind
                fraction = self.is_fraction(sign)
                right = self.signed()
                if fraction:  # 3 / 1/2: over a half
                    self.next()
                    bottom = self.postfix()
                    apart: Tree = ("/", (operator, tree, right), bottom)
                    tree = ("either", (operator, tree, ("/", right, bottom)), apart)
                elif operator == "/" and self.juxtaposed():  # 1/2(3): over 2, or over 2(3)
                    factor = self.power()
                    left: Tree = ("*", (operator, tree, right), factor)
                    tree = ("unclear", left, (operator, tree, ("*", right, factor)))
                else:
                    tree = (operator, tree, right)
            elif self.juxtaposed():
                tree = ("*", tree, self.power())
            else:
                return tree

    def is_fraction(self, sign: Token) -> bool:
        """Whether a fraction written without spaces stands behind a division sign with them."""
        ahead = self.tokens[self.place : self.place + 3]
        if sign.kind != "/" or [token.kind for token in ahead] != ["number", "/", "number"]:
            return False
        tight = ahead[0].end == ahead[1].start and ahead[1].end == ahead[2].start
        return tight and sign.end < ahead[0].start

    def juxtaposed(self) -> bool:
        return self.kind in ("(", "name", "function")

    def signed(self) -> Tree:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise _Unreadable
        if self.kind == "-":
            self.next()
            inner = self.signed()
            tree: Tree = ("neg", inner)
            match inner:
                case ("^", base, exponent):  # -3^2 is written for both
                    tree = ("either", tree, ("^", ("neg", base), exponent))
        else:
            tree = self.power()
        self.depth -= 1
        return tree

    def power(self) -> Tree:
        base = self.postfix()
        if self.kind != "^":
            return base
        self.next()
        negative = self.kind == "-"
        if negative:
            self.next()
        exponent = self.postfix()
        if self.kind == "^":
            raise _Unreadable
        return ("^", base, ("neg", exponent) if negative else exponent)

    def postfix(self) -> Tree:
        tree = self.primary()
        while self.kind in ("!", "%", "degree", "unit"):
            operation = self.next().kind
            if operation == "unit":
                tree = ("*", tree, Fraction(self.tokens[self.place - 1].text))
                continue
            if operation == self.kind == "!":  # n!! is no factorial twice
                raise _Unreadable
            after: Tree = (operation, tree)
            called = self.last and operation == "!" and self.kind == "end"  # 2 + 3 = 5!
            tree = ("either", tree, after) if called else after
        return tree

    def primary(self) -> Tree:
        token = self.next()
        if token.kind == "number":
            return self.mixed(number(token.text))
        if token.kind == "name":
            return token.text
        if token.kind in ("(", "{"):
            tree = self.sum()
            self.expect(")" if token.kind == "(" else "}")
            return tree
        if token.kind == "function":
            return self.function(token.text)
        raise _Unreadable

    def mixed(self, whole: Fraction) -> Tree:
        """A number, or with what follows a mixed one: ``2 1/2``, ``2\\frac{1}{2}``."""
        if self.kind == "function" and self.tokens[self.place].text == "frac":
            self.next()
            part = self.function("frac")
            mixed = whole.denominator == 1 and _is_part(part) and self.kind != "^"
            return ("+" if mixed else "*", whole, part)
        ahead = self.tokens[self.place : self.place + 3]
        if [token.kind for token in ahead] != ["number", "/", "number"]:
            return whole
        self.place += 3
        top, bottom = Fraction(ahead[0].text), Fraction(ahead[2].text)
        if whole.denominator != 1 or not 0 < top < bottom:
            raise _Unreadable
        return ("+", whole, ("/", top, bottom))

    def group(self) -> Tree:
        self.expect("{")
        tree = self.sum()
        self.expect("}")
        return tree

    def function(self, name: str) -> Tree:
        if name == "frac":
            return ("/", self.group(), self.group())
        if name == "binom":
            return ("binom", self.group(), self.group())
        if name == "sqrt" and self.is_root():
            return self.root()
        exponent: Tree | None = None
        if self.kind == "^":
            self.next()
            exponent = self.postfix()
            if not (isinstance(exponent, Fraction) and exponent > 0):
                raise _Unreadable
        argument = self.postfix()
        if self.kind in ("(", "{", "name", "function", "^"):  # sin 2x, ln x^2: nobody can tell
            raise _Unreadable
        if name == "sqrt":
            tree: Tree = ("sqrt", argument)
        elif name.startswith("log "):
            tree = ("log", argument, Fraction(name[4:]))
        elif name == "log":
            tree = ("either", ("log", argument, Fraction(10)), ("ln", argument))
        elif name == "lg":
            tree = ("log", argument, Fraction(10))
        else:
            tree = (name, argument)
        return tree if exponent is None else ("^", tree, exponent)

    def is_root(self) -> bool:
        """Whether ``[3]{8}`` stands here."""
        ahead = [token.kind for token in self.tokens[self.place : self.place + 4]]
        return ahead == ["(", "number", ")", "{"]

    def root(self) -> Tree:
        self.next()
        degree = Fraction(self.next().text)
        self.next()
        return ("root", self.group(), degree)


def _is_percent(tree: Tree) -> bool:
    return isinstance(tree, tuple) and tree[0] == "%"


def _is_part(tree: Tree) -> bool:
    """Whether the tree is a fraction between nought and one, as it is in a mixed number."""
    match tree:
        case ("/", Fraction() as top, Fraction() as bottom):
            return top.denominator == bottom.denominator == 1 and 0 < top < bottom
    return False


def is_operation(tree: Tree) -> bool:
    """Whether the tree works something out: it is more than a number or name with its sign."""
    match tree:
        case ("neg" | "%" | "degree", part):
            return is_operation(part)
    return isinstance(tree, tuple)


def is_work(tree: Tree) -> bool:
    """Whether the tree is an operation, and more than a number over a number."""
    match tree:
        case ("neg", part):
            return is_work(part)
        case ("/", top, bottom):
            return is_operation(top) or is_operation(bottom)
    return is_operation(tree)


def names(tree: Tree) -> frozenset[str]:
    """The variables of the tree."""
    if isinstance(tree, tuple):
        return frozenset[str]().union(*map(names, tree[1:]))
    return frozenset({tree} - {"pi"}) if isinstance(tree, str) else frozenset()


def contains(tree: Tree, *operations: str) -> bool:
    """Whether one of the operations stands in the tree."""
    return isinstance(tree, tuple) and (
        tree[0] in operations or any(contains(part, *operations) for part in tree[1:])
    )


def numbers(tree: Tree) -> Iterator[Fraction]:
    """The numbers in the tree, left to right."""
    if isinstance(tree, Fraction):
        yield tree
    elif isinstance(tree, tuple):
        for part in tree[1:]:
            yield from numbers(part)


def readings(tree: Tree, *, percent: bool = True) -> list[Tree]:
    """What the tree may mean, at most :data:`MAX_READINGS`, without ``either``, ``unclear`` and
    ``%``; first what it says by the rules.

    Args:
        percent: Whether a percent sign divides by 100; else it is only a unit.
    """
    return list(islice(_readings(tree, percent), MAX_READINGS))


def _readings(tree: Tree, percent: bool) -> Iterator[Tree]:
    match tree:
        case ("either" | "unclear", *parts):
            for part in parts:
                yield from _readings(part, percent)
        case ("%", number):
            for part in _readings(number, percent):
                yield ("/", part, Fraction(100)) if percent else part
        case (str() as operation, *parts):
            arguments = (readings(part, percent=percent) for part in parts)
            for chosen in product(*arguments):
                yield (operation, *chosen)
        case _:
            yield tree
