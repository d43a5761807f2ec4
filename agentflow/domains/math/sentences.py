"""The equations of a sentence: which of its tokens make expressions, and what these claim."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Container, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import islice, pairwise, takewhile

from agentflow.domains.math.claims import Claim
from agentflow.domains.math.doubt import doubted
from agentflow.domains.math.expressions import (
    Tree,
    is_operation,
    is_work,
    names,
    number,
    parse,
    readings,
)
from agentflow.domains.math.notation import (
    ENDS,
    Token,
    tokens,
    units,
)
from agentflow.domains.math.stated import is_asserted, is_judged, is_unit, may_stand, words_before
from agentflow.domains.math.units import FACTORS, MONEY_WORDS, SCALES, UNITS, family, scales
from agentflow.domains.math.values import value
from agentflow.domains.spelling import word_set
from agentflow.tools.quantities import singular, things

_BEFORE = word_set("""
add and average base between by ceil ceiling choose cos cube cubed difference divide divided
double floor from gcd half lcm less log max maximum mean median min minimum minus mod mode
modulo more multiplied multiply nor not of or over per plus point power product quarter quotient
ratio remainder root sin square subtract sum tan than third thirds times to triple twice until
versus vs
step room chapter question problem example case part figure fig table section row column page pages
item exercise level grade grades phase route bus gate eq lines ages scores problems chapters days
numbered numbers through
""")
"""Words before an expression that make it a part of something, or its first number a name."""
_HALVES = frozenset(("a", "an", "one", "half", "two", "three"))
"""Words behind ``and`` that make the number before it a mixed one."""
_SPACED = re.compile(r"[*+^%]|\\sqrt|\s[-/]\s")
_LABEL = re.compile(r"(?i)\b(?:no|nos|fig|eq|ch|sec|vol|pp?|art)\.\s*$")
_DELIMITERS = frozenset({"word", "stop", "bad", "relation", "comparison", "end"})
_SIGNS = frozenset({"+", "-", "*", "/", "^", "!", "%"})
_UNKNOWN = frozenset({"name", "bad"})
_BEGINNINGS = frozenset({"number", "-", "(", "{", "function"})
_ENDING = _DELIMITERS | {"(", "{", ")", "}"}
_SCALED = (SCALES | {"gross", "pair", "pairs", "quarter", "quarters"}) - {"dollar", "dollars"}
_ALL_PERCENT = re.compile(r"(?<![\d.])100\s?\\?%")
"""A hundred percent as a factor, which may only say that the result is a number of percents."""
_REMARK = re.compile(r"[\d)]\s*\([^()]*[a-z]{3,}[^()]*\)\s*$")
"""``4 (15 minutes)``: no product."""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Tokens between two delimiters: the places ``start`` to ``end``."""

    start: int
    end: int


class Sentence:
    """The tokens of a sentence, and the stretches of them that may be expressions.

    Args:
        text: The line.
        low: The line in small letters.
        start: Where the sentence begins.
        end: Where it ends.
        dollars: Whether a dollar sign stood there, which is left out of the text.
    """

    def __init__(self, text: str, low: str, start: int, end: int, *, dollars: bool = False) -> None:
        self.text, self.low, self.span, self.dollars = text, low, (start, end), dollars
        begin = len(text[:start].rstrip().rstrip(".?;!")) if start else 0  # with the stop before
        self.tokens = tokens(text, begin, end)
        self.kinds = [token.kind for token in self.tokens]
        self.left_of: dict[int, _Stretch] = {}
        self.right_of: dict[int, _Stretch] = {}
        self.units = list(units(self.tokens))
        unit = {n for start, end in self.units for n in range(start, end)}
        open_brackets: list[int] = []
        ends = [-1]
        for place, kind in enumerate([*self.kinds, "end"]):
            if kind not in _ENDING:
                continue
            if kind in ("(", "{"):
                open_brackets.append(place)
            elif kind in (")", "}") and open_brackets:
                open_brackets.pop()
            elif place not in unit:
                ends += [*open_brackets, place]
                open_brackets = []
        for start, end in pairwise(ends):
            if end > start + 1:
                self.left_of[end] = self.right_of[start] = _Stretch(start + 1, end)

    @cached_property
    def results(self) -> set[int]:
        """Where right sides end."""
        return {
            stretch.end - 1
            for place, stretch in self.right_of.items()
            if self.kind(place) == "relation"
        }

    def claims(self) -> Iterator[tuple[int, Claim]]:
        """The claims, each with the place of its equality sign."""
        for place, kind in enumerate(self.kinds):
            if kind == "relation" and place in self.left_of and place in self.right_of:
                left, right = self.left_of[place], self.right_of[place]
                whole = self.begins_well(left) and self.ends_well(right)
                if whole and (claim := self.claim(left, self.tokens[place], right)):
                    yield place, claim

    def forgets(self, claimed: Container[int], results: Container[Fraction | None]) -> bool:
        """Whether a sign between numbers is none of those of claims.

        Args:
            claimed: The places of the equality signs of claims.
            results: What calculators said: a sign before one of them is theirs.
        """
        start = 0
        for place, kind in enumerate(self.kinds):
            if kind not in ("relation", "comparison", "stop"):
                continue
            part, start = self.kinds[start:place], place + 1
            if place in claimed or kind == "stop" or self.kind(place + 1) not in _BEGINNINGS:
                continue
            if "number" not in part or not _UNKNOWN.isdisjoint(part) or self.word(place) == "is":
                continue
            worked = part.count("number") > 1 or not _SIGNS.isdisjoint(part)
            counts = part[-1] in ENDS if kind == "comparison" else worked
            if counts and self.number_at(place + 1) not in results:
                return True
        return False

    def refuses(self, claimed: Container[int], results: Container[Fraction | None]) -> bool:
        """Whether a calculation has a result and is no claim all the same.

        Args:
            claimed: As for :meth:`forgets`.
            results: As for :meth:`forgets`.
        """
        for place, left in self.left_of.items():
            right = self.right_of.get(place)
            if self.kind(place) != "relation" or place in claimed or right is None:
                continue
            if self.number_at(place + 1) in results:
                continue
            if self.word(place) != "is" and not self.names(left) | self.names(right):
                tree, result = parse(self.written(left), last=False), parse(self.written(right))
                if tree is not None and is_operation(tree) and result is not None:
                    return self.begins_well(left)
        return False

    def number_at(self, place: int) -> Fraction | None:
        """The number that begins at a place, with its sign."""
        sign = -1 if self.kind(place) == "-" else 1
        place += sign < 0
        return sign * number(self.word(place)) if self.kind(place) == "number" else None

    def ending(self) -> str:
        """The expression that the line ends in."""
        end = len(self.tokens)
        while end and self.tokens[end - 1].kind == "stop":
            end -= 1
        stretch = self.left_of.get(end)
        return self.written(stretch) if stretch and self.begins_well(stretch) else ""

    def written(self, stretch: _Stretch) -> str:
        return self.text[self.tokens[stretch.start].start : self.tokens[stretch.end - 1].end]

    def kind(self, place: int) -> str:
        return self.kinds[place] if 0 <= place < len(self.kinds) else "end"

    def word(self, place: int) -> str:
        return self.tokens[place].text.lower() if 0 <= place < len(self.tokens) else ""

    def begins_well(self, stretch: _Stretch) -> bool:
        """Whether nothing in front of the stretch belongs to its expression."""
        place = stretch.start - 1
        kind = self.kind(place)
        first = self.tokens[stretch.start]
        if kind == "relation":
            return True
        if first.kind == "-" and (kind == "word" or self.text[first.end : first.end + 1] == " "):
            return False  # a dash, a bullet, or the rest of a difference
        if kind == "word":
            called = first.kind == "(" and first.start == self.tokens[place].end
            while self.kind(place - 1) == "word":
                place -= 1
            part = self.kind(place - 1) in ("+", "-", "*", "/", "^")  # 25 + his 1 + 1
            last = self.word(stretch.start - 1)
            if last == "and" and place < stretch.start - 1 and place - 1 in self.results:
                last = ""  # 2 + 2 = 4 apples and 3 + 3 = 6
            return last not in _BEFORE and not called and not part
        if kind in ("(", "{"):
            touching = place > 0 and self.tokens[place - 1].end == self.tokens[place].start
            return self.kind(place - 1) in ("end", "word", "stop", "relation") and not touching
        if kind == "stop" and self.word(place) in (",", ":"):
            return self.kind(place - 1) in ("word", "end") or place - 1 in self.results
        if kind == "stop" and self.word(place) == ".":
            stop = self.tokens[place]
            if self.kind(place - 1) == "number" and stop.end == first.start:  # 0.(3)
                return False
            return _LABEL.search(self.text, max(0, stop.end - 8), stop.end) is None  # No. 3
        return kind in ("end", "stop", "comparison")

    def ends_well(self, stretch: _Stretch) -> bool:
        """Whether nothing behind the stretch belongs to its expression."""
        place = stretch.end
        kind = self.kind(place)
        if kind == "word":
            if self.word(place) == "and":  # 7 and a half, 3 and -3
                return self.kind(place + 1) == "word" and self.word(place + 1) not in _HALVES
            words = self.words_at(place)
            if self.goes_on(place + len(words)):  # 120 apples in boxes + 67 loose ones
                return False
            return is_unit(words) and not is_judged(self.tokens, place)
        if kind == "stop" and is_judged(self.tokens, place + 1):
            return False
        if kind == "stop" and self.word(place) in (",", ":"):  # a list, a ratio
            following = self.right_of.get(place)
            return following is None or self.kind(following.end) == "relation"
        if kind == "(":  # 4(0.30103...)
            return self.tokens[place - 1].end < self.tokens[place].start
        return kind in ("end", "stop", "relation", "comparison", ")", "}")

    def goes_on(self, place: int) -> bool:
        """Whether an operator with a number stands at a place."""
        return self.kind(place) in ("+", "-", "*", "/") and self.kind(place + 1) == "number"

    def words_at(self, place: int) -> list[Token]:
        """The words that begin at a place."""
        end = place
        while self.kind(end) == "word":
            end += 1
        return self.tokens[place:end]

    def claim(self, left: _Stretch, relation: Token, right: _Stretch) -> Claim | None:
        variables = self.names(left)
        if variables != self.names(right) or (variables and relation.text != "="):
            return None
        written = self.with_unit(left, right)
        one, other = self.written(left), self.written(written)
        runs = self.units_in(left, right)
        if not all(is_unit(self.tokens[a:b], inside=b < left.end) for a, b in runs):
            return None
        tree, against = parse(one, last=False), parse(other)
        if tree is None or against is None or _remarks(one) or _remarks(other):
            return None
        in_words = relation.text in ("is", "equals")
        units = self.words(left), self.words(right)
        if variables:
            if not _may_be_identity(tree, against):
                return None
        elif not is_operation(tree):
            named = self.kind(left.start - 1) == "word"  # Day 5 = 3 + 2
            counted = units[0] - _SCALED  # 1 Blinket = 7/3
            chained = self.are_whole(left, right) and relation.text == "="
            if not chained and (named or counted or not is_operation(against) or in_words):
                return None
        elif in_words and (is_work(against) or not _SPACED.search(one)):
            return None  # 24/7 is 5, 555-1234 is 3
        lead, clause = words_before(self.tokens, left.start)
        behind = [token.text.lower() for token in self.words_at(right.end)]
        counts = bool(runs) or things(behind) > 0
        label = self.kind(left.start - 1) == "stop" and self.word(left.start - 1) == ":"
        if not may_stand(clause, label=label, counts=counts):
            return None
        doubtful = (
            _converted(units[0] | units[1], tree, against)
            or not is_asserted(lead, clause, named=counts or (label and self.is_single(right)))
            or self.doubtful(left, relation, right, against, units)
        )
        return Claim(one, "~" if relation.text == "~" else "=", other, doubtful)

    def are_whole(self, left: _Stretch, right: _Stretch) -> bool:
        """Whether a chain of equations goes on from one whole number to another, with nothing else
        in between: ``3 + 4 = 7 = 8``."""
        kinds = self.kinds
        single = kinds[left.start : left.end] == kinds[right.start : right.end] == ["number"]
        plain = self.word(left.start).isdigit() and self.word(right.start).isdigit()
        return single and plain and self.kind(left.start - 1) == "relation"

    def with_unit(self, left: _Stretch, right: _Stretch) -> _Stretch:
        """A right side with the unit behind it, where it may not be that of the left side; without
        cents that can be nothing else, as nothing is in dollars."""
        last = self.word(right.end - 1)
        money = not MONEY_WORDS.isdisjoint(self.words(left)) or self.dollars
        if scales(last) and last in MONEY_WORDS and not money:
            return _Stretch(right.start, right.end - 1)
        unit = self.word(right.end) if self.kind(right.end) == "word" else ""
        if unit in MONEY_WORDS and not money:
            return right
        if scales(unit):
            return _Stretch(right.start, right.end + 1)
        words = [token.text.lower() for token in self.words_at(right.end)]
        named, on_left = things(words), self.words(left)
        known = unit in UNITS and not UNITS.keys().isdisjoint(on_left)
        if not known and {*map(singular, words[:named])}.isdisjoint(map(singular, on_left)):
            return right
        end = right.end + max(named, 1)
        rate = self.word(end) in ("per", "/") and self.kind(end + 1) == "word"
        return _Stretch(right.start, end + 2 if rate else end)

    def is_single(self, right: _Stretch) -> bool:
        """Whether no other equation follows behind a stop: a label names one result, else it is of
        a list (``Pattern: 2 + 3 = 10, 7 + 2 = 63``)."""
        rest = self.kinds[right.end :]
        return "stop" not in rest or "relation" not in rest[rest.index("stop") :]

    def units_in(self, left: _Stretch, right: _Stretch) -> list[tuple[int, int]]:
        """The units in the two sides of an equation."""
        first = bisect(self.units, (left.start, 0))
        return list(takewhile(lambda run: run[0] < right.end, islice(self.units, first, None)))

    def names(self, stretch: _Stretch) -> set[str]:
        """The variables in a stretch."""
        part = self.tokens[stretch.start : stretch.end]
        return {token.text for token in part if token.kind == "name" and token.text != "pi"}

    def words(self, stretch: _Stretch) -> set[str]:
        """The words and letters in a stretch, and the word behind it."""
        part = self.tokens[stretch.start : stretch.end + 1]
        return {token.text.lower() for token in part if token.kind in ("word", "name")}

    def doubtful(
        self,
        left: _Stretch,
        relation: Token,
        right: _Stretch,
        against: Tree,
        units: tuple[set[str], set[str]],
    ) -> bool:
        """Whether the author may not claim what stands there, or mean something else."""
        start, end = self.tokens[left.start].start, self.tokens[right.end - 1].end
        if doubted(self.low, self.span, start, end):
            return True
        if _ALL_PERCENT.search(self.written(left)):  # 17/50 * 100% = 34
            return True
        if relation.text == "is":
            return self.kind(right.end) not in ("end", "stop") or self.word(right.end) in (",", ":")
        if self.kinds[left.start : left.end] == ["number", "-", "number"]:
            one, dash, other = self.tokens[left.start : left.end]  # 3-4 hours; 10 - 20 are 11
            tight = one.end == dash.start and dash.end == other.start
            low, high = number(one.text), number(other.text)
            return low < high and (tight or value(against) == high - low + 1)
        alike = any(a[:3] == b[:3] for a in units[0] for b in units[1])
        return bool(units[0] and units[1]) and not alike


def _remarks(written: str) -> bool:
    return written.endswith(")") and _REMARK.search(written) is not None


def _converted(words: set[str], tree: Tree, against: Tree) -> bool:
    """Whether units may have been converted on the way."""
    known = [kind for kind in map(family, words) if kind]
    if len(known) > len(set(known)) or words & _SCALED:
        return True
    if not known:
        return False
    left, right = value(readings(tree)[0]), value(readings(against)[0])
    if not left or not right:
        return False
    return any(max(left / right, right / left) in FACTORS[kind] for kind in known)


@lru_cache(maxsize=10_000)
def _may_be_identity(left: Tree, right: Tree) -> bool:
    """Whether two expressions with variables are equal at a few points, as far as can be told."""
    if not (is_operation(left) and is_operation(right)) or names(left) != names(right):
        return False
    meant, also = readings(left), readings(right)
    if len(meant) > 1 or len(also) > 1:
        return False
    variables = sorted(names(left))
    for shift in range(1, 4):
        at = {name: Fraction(31 * n + 7 * shift, 11) for n, name in enumerate(variables, 1)}
        one, other = value(meant[0], at), value(also[0], at)
        if one is not None and other is not None and one != other:
            return False
    return True
