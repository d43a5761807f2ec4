"""First-order logic as FOLIO writes it: a parser and a printer.

    ∀x (Kind(x) ∧ ¬Shy(x) → ∃y Likes(x, y))        forall x. (Kind(x) & ~Shy(x) -> exists y. ...)

``¬`` binds tightest, then ``∧``, ``∨``, ``⊕`` (exclusive), ``→`` (to the right), ``↔``. A
quantifier binds like ``¬``: what it governs stands in brackets, or behind a dot, which reaches as
far as it can. Names are Unicode words; a name in front of a bracket is a predicate or a function, a
name alone where a formula is wanted a proposition, any other a constant. A number stands for its
value, however it is spelled (``1``, ``01`` and ``1.0``): two numbers are never equal, two constants
may be.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

MAX_LENGTH, MAX_DEPTH = 4_000, 40
"""Characters of a formula; brackets, negations and quantifiers inside each other."""


class FormulaError(ValueError):
    """The text is no formula; says what is wrong and at which character, from 1."""


@dataclass(frozen=True, slots=True)
class Term:
    """A variable, constant or number (no arguments), or a function of terms."""

    name: str
    arguments: tuple[Term, ...] = ()
    kind: Literal["variable", "constant", "number", "function"] = "constant"


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate of terms, a proposition (no arguments), or ``=`` of two terms."""

    name: str
    arguments: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Not:
    body: Formula


@dataclass(frozen=True, slots=True)
class Compound:
    """Two or more formulas under one connective; ``→`` groups to the right."""

    connective: Literal["∧", "∨", "⊕", "→", "↔"]
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Quantified:
    quantifier: Literal["∀", "∃"]
    variable: str
    body: Formula


Formula = Atom | Not | Compound | Quantified

CONNECTIVES: tuple[Literal["↔", "→", "⊕", "∨", "∧"], ...] = ("↔", "→", "⊕", "∨", "∧")
"""From the loosest."""

_SPELLINGS = {
    "↔": ("⟷", "⇔", "<->", "<=>", "iff"),
    "→": ("⟶", "⇒", "->", "=>", "implies"),
    "⊕": ("⊻", "xor"),
    "∨": ("||", "|", "or"),
    "∧": ("&&", "&", "and"),
    "¬": ("~", "!", "-", "not"),
    "∀": ("forall",),
    "∃": ("exists",),
    "≠": ("!=",),
    "=": ("==",),
}
_STANDS_FOR = {spelling: sign for sign, all_ in _SPELLINGS.items() for spelling in (sign, *all_)}
_WORDS = {spelling for spelling in _STANDS_FOR if spelling.isalpha() and len(spelling) > 1}
_SIGNS = sorted(_STANDS_FOR.keys() - _WORDS, key=len, reverse=True)
# A name may hold what FOLIO's hold (mr.smith, o’brien, c++); behind a short one the dot is its own.
_TOKEN = re.compile(
    r"\s+|(?P<sign>" + "|".join(map(re.escape, _SIGNS)) + r")|(?P<punctuation>[()\[\],.])"
    r"|(?P<name>[a-z]\d?(?=\.(?!\d))|[^\W_](?:[\w'’+]|[-.](?=\w))*)"
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_THOUSANDS = re.compile(r"(?<![\w.])\d{1,3}(?:,\d{3})+(?![\w.])")
_FREE = re.compile(r"[u-zU-Z]\d?")
_NO_NAME = re.compile(
    r"(?i)(?:every|some|any|no)[_-]?(?:one|body|thing)|all|any|each|every|some|none|true|false|yes|no"
)
"""What is no constant: a quantifier, or a truth value, of which two differ."""
_MAY_VARY = re.compile(
    r"[f-tF-T]\d?|(?:element|entity|individual|item|object|people|person|thing|var|variable)\d?"
)
"""A constant that may yet be meant for a variable."""
_BRACKETS = {"(": ")", "[": "]"}


@dataclass(frozen=True, slots=True)
class _Token:
    kind: Literal["sign", "name", "punctuation", "end"]
    text: str
    place: int


def _tokens(text: str) -> Iterator[_Token]:
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise FormulaError(f"{text[place]!r} at character {place + 1} is not understood")
        if sign := found["sign"]:
            yield _Token("sign", _STANDS_FOR[sign], place)
        elif (name := found["name"]) and name.lower() in _WORDS:
            yield _Token("sign", _STANDS_FOR[name.lower()], place)
        elif name:
            yield _Token("name", name, place)
        elif found["punctuation"]:
            yield _Token("punctuation", found[0], place)
        place = found.end()
    yield _Token("end", "the end", place)


@lru_cache(maxsize=4_096)
def parse(text: str) -> Formula:
    """The formula in ``text``.

    Raises:
        FormulaError: If it is none, is longer than :data:`MAX_LENGTH` or nested deeper than
            :data:`MAX_DEPTH`, or uses a variable outside of its quantifier.
    """
    if len(text) > MAX_LENGTH:
        raise FormulaError(f"{len(text)} characters, more than {MAX_LENGTH}")
    if not text.strip():
        raise FormulaError("an empty formula")
    if found := _THOUSANDS.search(text):
        raise FormulaError(
            f"{found[0]!r} at character {found.start() + 1} can be one number or several; "
            "put spaces behind commas between several"
        )
    return _Parser(list(_tokens(text))).whole()


class _Parser:
    """Recursive descent, one token ahead; no token is read twice."""

    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens = tokens
        self.index = 0
        self.depth = 0
        self.bound: list[str] = []
        self.once_bound: set[str] = set()
        self.free: list[_Token] = []

    def whole(self) -> Formula:
        formula = self.formula()
        if self.token.kind != "end":
            raise self.unexpected("a connective or the end")
        for token in self.free:
            if token.text in self.once_bound or _FREE.fullmatch(token.text):
                raise FormulaError(
                    f"variable {token.text!r} at character {token.place + 1} stands outside of "
                    "its quantifier; put what the quantifier governs in brackets"
                )
        return formula

    @property
    def token(self) -> _Token:
        return self.tokens[self.index]

    def next(self) -> _Token:
        token = self.token
        self.index += 1
        return token

    def accept(self, *texts: str) -> bool:
        if self.token.kind in ("sign", "punctuation") and self.token.text in texts:
            self.index += 1
            return True
        return False

    def unexpected(self, wanted: str) -> FormulaError:
        token = self.token
        said = token.text if token.kind == "end" else repr(token.text)
        return FormulaError(f"{said} at character {token.place + 1}, where {wanted} is wanted")

    def formula(self, level: int = 0) -> Formula:
        if level == len(CONNECTIVES):
            return self.unary()
        parts = [self.formula(level + 1)]
        while self.accept(CONNECTIVES[level]):
            parts.append(self.formula(level + 1))
        return parts[0] if len(parts) == 1 else Compound(CONNECTIVES[level], tuple(parts))

    def unary(self) -> Formula:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise FormulaError(f"nested deeper than {MAX_DEPTH} at {self.token.place + 1}")
        try:
            if self.accept("¬"):
                return Not(self.unary())
            if self.token.text in ("∀", "∃") and self.token.kind == "sign":
                return self.quantified()
            if self.token.text in _BRACKETS:
                close = _BRACKETS[self.next().text]
                body = self.formula()
                if not self.accept(close):
                    raise self.unexpected(f"a connective or {close!r}")
                return body
            return self.atom()
        finally:
            self.depth -= 1

    def quantified(self) -> Formula:
        sign = self.next().text
        quantifier: Literal["∀", "∃"] = "∀" if sign == "∀" else "∃"
        variables = [self.variable()]
        while self.accept(",") or self.another_variable():
            variables.append(self.variable())
        self.bound += variables
        self.once_bound.update(variables)
        body = self.formula() if self.accept(".") else self.unary()
        del self.bound[-len(variables) :]
        for variable in reversed(variables):
            body = Quantified(quantifier, variable, body)
        return body

    def variable(self) -> str:
        if self.token.kind != "name" or _NUMBER.fullmatch(self.token.text):
            raise self.unexpected("a variable")
        if "." in self.token.text:  # ∀item.Kind(item): the dot may be the quantifier's
            raise self.unexpected("a variable without a dot")
        return self.next().text

    def another_variable(self) -> bool:
        """Whether the name ahead is one more variable (``∀x y (...)``), and not a formula."""
        if self.token.kind != "name":
            return False
        after = self.tokens[self.index + 1]
        touching = after.place == self.token.place + len(self.token.text)
        return after.text not in ("=", "≠") and not (after.text == "(" and touching)

    def atom(self) -> Formula:
        if self.token.kind != "name":
            raise self.unexpected("a formula")
        start = self.token
        left = self.term()
        if self.accept("="):
            return Atom("=", (left, self.term()))
        if self.accept("≠"):
            return Not(Atom("=", (left, self.term())))
        if left.kind in ("variable", "number"):
            raise FormulaError(f"{start.text!r} at character {start.place + 1} is no formula")
        if self.free and self.free[-1] is start:
            self.free.pop()  # a proposition is no variable
        return Atom(left.name, left.arguments)

    def term(self) -> Term:
        if self.token.kind != "name":
            raise self.unexpected("a name")
        token = self.next()
        if self.accept("("):
            if token.text in self.bound:
                raise FormulaError(f"variable {token.text!r} at {token.place + 1} has arguments")
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise FormulaError(f"nested deeper than {MAX_DEPTH} at {token.place + 1}")
            arguments = [self.term()]
            while self.accept(","):
                arguments.append(self.term())
            if not self.accept(")"):
                raise self.unexpected("',' or ')'")
            self.depth -= 1
            return Term(token.text, tuple(arguments), "function")
        if token.text in self.bound:
            return Term(token.text, (), "variable")
        if _NUMBER.fullmatch(token.text):
            return Term(_value(token.text), (), "number")
        if _NO_NAME.fullmatch(token.text):
            place = token.place + 1
            raise FormulaError(f"{token.text!r} at character {place} is no proposition and no name")
        self.free.append(token)
        return Term(token.text)


def _value(number: str) -> str:
    """The one spelling of a number's value."""
    whole, _, part = "".join(str(unicodedata.digit(one, one)) for one in number).partition(".")
    whole, part = whole.lstrip("0") or "0", part.rstrip("0")
    return f"{whole}.{part}" if part else whole


@dataclass(slots=True)
class Signature:
    """What the names of formulas stand for: predicate and function -> arity, constants, numbers."""

    predicates: dict[str, int] = field(default_factory=dict)
    functions: dict[str, int] = field(default_factory=dict)
    constants: set[str] = field(default_factory=set)
    numbers: set[str] = field(default_factory=set)

    def covers(self, other: Signature) -> bool:
        """Whether every name of ``other`` is one of these, with the same arity."""
        return (
            other.predicates.items() <= self.predicates.items()
            and other.functions.items() <= self.functions.items()
            and other.constants <= self.constants
            and other.numbers <= self.numbers
        )


def signature(formulas: Iterable[Formula]) -> Signature:
    """The names in ``formulas``.

    Raises:
        FormulaError: If a name has now more, now fewer arguments, is a predicate and a function, a
            proposition and a constant, or a variable and one with arguments.
    """
    found, variables = Signature(), set[str]()

    def note(kind: dict[str, int], name: str, arity: int) -> None:
        if kind.setdefault(name, arity) != arity:
            few, many = sorted((kind[name], arity))
            raise FormulaError(f"{name!r} is used with {few} and with {many} arguments")

    def term(one: Term) -> None:
        if one.kind == "function":
            note(found.functions, one.name, len(one.arguments))
            for argument in one.arguments:
                term(argument)
        elif one.kind != "variable":
            (found.numbers if one.kind == "number" else found.constants).add(one.name)

    def visit(formula: Formula) -> None:
        match formula:
            case Atom(name, arguments):
                if name != "=":
                    note(found.predicates, name, len(arguments))
                for argument in arguments:
                    term(argument)
            case Compound(_, parts):
                for part in parts:
                    visit(part)
            case Not(body):
                visit(body)
            case Quantified(_, variable, body):
                variables.add(variable)
                visit(body)

    for formula in formulas:
        visit(formula)
    if both := found.predicates.keys() & found.functions.keys():
        raise FormulaError(f"{min(both)!r} is used as a predicate and as a function")
    if both := variables & (found.predicates.keys() | found.functions.keys()):
        raise FormulaError(f"{min(both)!r} is used as a variable and as a predicate or a function")
    propositions = {name for name, arity in found.predicates.items() if not arity}
    if both := propositions & found.constants:
        raise FormulaError(f"{min(both)!r} is used as a proposition and as a name")
    return found


def unsure(formulas: Iterable[Formula]) -> str:
    """A constant that may be meant for a variable without its quantifier, as in ``P(n) → Q(n)``: no
    formula says something of it outright; empty if there is none."""
    named, told = set[str](), set[str]()
    for one in formulas:
        body = one.body if isinstance(one, Not) else one
        (told if isinstance(body, Atom) else named).update(signature([one]).constants)
    return min((one for one in named - told if _MAY_VARY.fullmatch(one)), default="")


def has_chain(formula: Formula) -> bool:
    """Whether more than two parts stand under one ``→``, ``↔`` or ``⊕``: ``A ⊕ B ⊕ C`` is "an odd
    number of them" by the rules here, and "exactly one of them" to many who write it."""
    match formula:
        case Compound(connective, parts):
            return (connective not in "∧∨" and len(parts) > 2) or any(map(has_chain, parts))
        case Not(body) | Quantified(_, _, body):
            return has_chain(body)
    return False


def show(formula: Formula) -> str:
    """The formula in Unicode, with all brackets; :func:`parse` reads it back."""
    match formula:
        case Atom("=", (left, right)):
            return f"{_term(left)} = {_term(right)}"
        case Atom(name, arguments):
            return _term(Term(name, arguments))
        case Not(body):
            equation = isinstance(body, Atom) and body.name == "="
            return f"¬({show(body)})" if equation else f"¬{_closed(body)}"
        case Compound(connective, parts):
            return f" {connective} ".join(map(_closed, parts))
        case Quantified(quantifier, variable, body):
            return f"{quantifier}{variable} ({show(body)})"


def _closed(formula: Formula) -> str:
    return f"({show(formula)})" if isinstance(formula, Compound) else show(formula)


def _term(term: Term) -> str:
    if not term.arguments:
        return term.name
    return f"{term.name}({', '.join(map(_term, term.arguments))})"
