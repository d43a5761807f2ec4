"""Whether what a reply says of a calculation is right, beside the answer: every sentence of it.

    What is 17 * 24 - 3?
    We multiply 17 by 24 and then subtract 3.     held: the calculation does that
    Recap: we multiplied 17 by 24 and added 3.    is not: nothing here adds 3
    The numbers are 17, 42 and 3.                 is not: they are others
    The answer is an odd number.                  is not: ``odd`` is not understood

An equation that holds is right wherever it stands, and what it works out may be spoken of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from agentflow.domains import arithmetic, narration
from agentflow.domains.arithmetic import Expression
from agentflow.domains.math import question, spoken
from agentflow.domains.math.spoken import Part, Said

TELLS = "tells: "
"""What marks, among the grounds of an answer, what its reply says; alone it is not understood."""
_MAX_LINES = 40
"""Longer replies are looked at from their last but one paragraph on."""
_OF_ALL = frozenset({"answer", "expression", "problem", "question", "final", "original"})
"""Words of a sentence whose formulas are worth as much as the whole calculation."""
_OF_PROBLEM = frozenset({"expression", "problem", "question", "original", "want", "wanted"})
"""Words of a sentence whose equation begins with what is asked for."""
_OF_NUMBERS = frozenset({"given", "numbers"})
_OF_CALCULATION = _OF_PROBLEM | _OF_NUMBERS | {"leftright"}
_OF_CHECK = frozenset({"check", "verify", "confirm", "verification", "verifying", "checking"})
"""Words of a sentence that works something out once more."""
_OF_TOTAL = frozenset({"total"})
_OF_ORDER = frozenset({"order", "pemdas", "bodmas", "bidmas", "precedence", "before"})
"""Words of a rule by which some operations go first."""
_FIRST = frozenset({"first", "start", "starting", "begin", "beginning"})
_LAST = frozenset({"last", "finally", "final"})
_BROKEN_OFF = re.compile(r"\.\.|…|\d['\"]")
"""Marks of a text that does not end in a plain number: ``14...``, ``14'``."""
_POWERS = re.compile(r"\^|\d!|[²³⁴-⁹]|\b(?:squared?|cubed?|power)\b")
_RANK = {"(": 0, "^": 1, "*": 2, "/": 2, "+": 3, "-": 3}

Step = tuple[str, Fraction | None, Fraction | None]
"""(sign, a number, a number)."""


def told(text: str, said: str) -> Iterator[str]:
    """What a reply says, to be held against the calculation that is asked for; nothing where it
    only works out, and says, its answer."""
    answer = question.said(said)
    if answer is not None and not said[-1:].isdigit():  # fourteen
        text = text.replace(said, str(answer))
    parts = list(dict.fromkeys(spoken.sentences(_near(text))))
    needs = False
    for one in parts:
        found = spoken.read(one)
        if found is None:
            yield TELLS
            return
        needs = needs or _needs_problem(found, answer)
    if needs:
        yield from (TELLS + one.replace(";", ",") for one in parts)


def ends_in(text: str) -> str | None:
    """The number that the last sentence of a reply gives, where all of it is understood and no
    other one stands alone in it."""
    if _BROKEN_OFF.search(text):
        return None
    read = list[Said]()
    for part in spoken.sentences(_near(text)):
        found = spoken.read(part)
        if found is None:
            return None
        read += [found] if found != Said() else []
    if not read or read[-1].asks or read[-1].formulas:
        return None
    called = [one for one in read if "answer" in one.words and one.numbers]
    works = [one for one in read if _OF_CHECK.isdisjoint(one.words)]
    if not works:
        return None
    last = called[-1] if called else works[-1]
    results = [arithmetic.value(one[-1]) for one in last.equations]
    ends = {*last.numbers, *(one.result for one in last.parts)} or {*results[-1:]}
    others = {number for one in read for number in one.numbers if one not in called[:-1]}
    others -= {arithmetic.value(side) for one in read for sides in one.equations for side in sides}
    others -= {arithmetic.value(one) for said in read for one in said.formulas}
    return str(*ends) if len(ends) == 1 and None not in ends and others <= ends else None


def _near(text: str) -> str:
    """A reply, or the end of a long one."""
    text = narration.own(text)
    if sum(not line.isspace() for line in text.splitlines()) <= _MAX_LINES:
        return text
    text = text.rstrip()
    return text[text.rfind("\n\n", 0, max(0, text.rfind("\n\n"))) + 1 :]


def _needs_problem(said: Said, answer: Fraction | None) -> bool:
    """Whether a sentence says more than equations, and the number of the answer."""
    alone = (said.formulas, said.parts, said.named, said.lacks, said.asks, said.goes_on)
    others = any(one != answer for one in said.numbers)
    return others or any(alone) or not said.words.isdisjoint(_OF_CALCULATION)


def goes_with(asked: str, grounds: Sequence[str]) -> bool:
    """Whether all that a reply tells goes with the calculation that is asked for.

    Args:
        grounds: What :func:`told` found, with other ones.
    """
    parts = [one.removeprefix(TELLS) for one in grounds if one.startswith(TELLS)]
    found = [spoken.read(one) for one in parts]
    tree = question.calculation(asked)
    exact = arithmetic.value(tree) if tree else None
    if tree is None or exact is None or "" in parts:
        return not parts
    worked = [side for one in found if one for sides in one.equations for side in sides]
    done = [step for side in worked for step in _steps(side)]
    problem = list(_steps(tree))
    powers = _POWERS.search(asked) is not None
    before = Fraction(0)
    for said in found:
        if said is None:
            return False
        if powers:  # they are products here: what is named of them is done
            said = said._replace(named=tuple(one for one in said.named if one != "^"))
        if not _goes(said, tree, exact, before, problem, done):
            return False
        ends = said.formulas[-1:] or [one[-1] for one in said.equations[-1:]]
        before = next(map(arithmetic.value, ends), None) or before
    return True


def _goes(
    said: Said,
    tree: Expression,
    exact: Fraction,
    before: Fraction,
    problem: list[Step],
    done: list[Step],
) -> bool:
    """Whether a sentence goes with a calculation.

    Args:
        tree: The calculation.
        exact: What it comes to.
        before: What the equation before the sentence comes to.
        problem: The steps of the calculation.
        done: Those of the equations of the reply.
    """
    known = {*problem, *done}
    whole = not said.words.isdisjoint(_OF_ALL)
    if said.asks and (said.formulas != (tree,) or said.equations or said.numbers):
        return False
    if said.goes_on and said.equations and arithmetic.value(said.equations[0][0]) != before:
        return False
    if not said.words.isdisjoint(_OF_PROBLEM):
        begun = (step for sides in said.equations[:1] for step in _steps(sides[0]))
        if not {*problem}.issuperset(begun):
            return False
    for formula in said.formulas:
        is_result = arithmetic.value(formula) == exact and len(list(_steps(formula))) == 1
        if not is_result and not known.issuperset(_steps(formula)):
            return False
        if whole and arithmetic.value(formula) != exact:
            return False
    named = [one for one in said.named if one in "+-*/"]
    results = {_worth(step) for step in known if step[0] in named}  # The product is 322.
    alone = named and not (said.equations or said.formulas or said.parts)
    if alone and said.numbers and _come_out(said, named, known, tree):
        return True
    if alone and not results.issuperset(said.numbers):
        return False
    if not all(_is_step(part, known) for part in said.parts):
        return False
    return _numbers_go(said, tree, exact, before, whole) and _named_go(said, tree, problem, done)


def _come_out(said: Said, named: list[str], known: set[Step], tree: Expression) -> bool:
    """Whether the operations that a sentence names come to its numbers, each to its own: ``The
    division gives 5.``, ``The sum in the brackets is 13.``"""
    if len(named) != len(said.numbers) or not said.words.isdisjoint(_OF_ALL | _OF_ORDER):
        return False
    pairs = zip(named, said.numbers, strict=True)
    come = all(number in {_worth(one) for one in known if one[0] == sign} for sign, number in pairs)
    return come and ("(" not in said.named or _has_brackets(tree))


def _numbers_go(
    said: Said, tree: Expression, exact: Fraction, before: Fraction, whole: bool
) -> bool:
    """Whether numbers that stand alone are all those of the calculation, its value, or what the
    equation before them comes to."""
    if {*said.numbers} == {exact} or not said.numbers:
        return not (said.numbers and "numbers" in said.words)
    inside = {*_bracketed(tree)}
    listed = whole or not said.words.isdisjoint(_OF_NUMBERS) or len(said.numbers) > 1
    if listed:
        return said.numbers == tuple(arithmetic.numbers(tree)) and "answer" not in said.words
    if not said.words.isdisjoint(_OF_TOTAL):
        return {*said.numbers} <= {before, *map(_worth, _steps(tree))}
    return said.numbers == (before,) or ("(" in said.named and {*said.numbers} <= inside)


def _named_go(said: Said, tree: Expression, problem: list[Step], done: list[Step]) -> bool:
    """Whether the operations that a sentence names are done, in the order in which it names them;
    those of a rule stand in the order of the rule."""
    brackets = _has_brackets(tree)
    if "both" in said.words and [one for one, *_ in problem].count(*said.named[:1] or "^") != 2:
        return False
    if ("(" in said.lacks and brackets) or not {*said.lacks} <= {"(", "^"}:
        return False
    if not said.words.isdisjoint(_OF_ORDER):
        ranks = [_RANK[one] for one in said.named]
        return ranks == sorted(ranks)
    named = [one for one in said.named if one != "("]
    if "^" in named or (len(named) < len(said.named) and not brackets):
        return False
    if "leftright" in said.words and not _from_left(tree):
        return False
    inside = [one for each in (*said.equations, said.formulas) for one in each]
    signs = [sign for one in inside for sign, *_ in _steps(one)]
    signs += [one.sign for one in said.parts]
    if signs:
        return {*named} <= {*signs}
    order = [sign for sign, *_ in done or problem]
    if named and not said.words.isdisjoint(_FIRST) and named[0] not in (order[0], problem[0][0]):
        return False
    if len(named) == 1 and not said.words.isdisjoint(_LAST) and named[0] != order[-1]:
        return False
    left = iter(order)
    return all(one in left for one in named)


def _is_step(part: Part, known: set[Step]) -> bool:
    """Whether an operation of which one number is named is one of the steps that are known."""
    for step in known:
        sign, *sides = step
        turned = sign in ("+", "*")
        at = sides if turned else sides[:1] if part.is_first else sides[1:]
        if sign == part.sign and part.number in at and part.result in (None, _worth(step)):
            return True
    return False


def _worth(step: Step) -> Fraction | None:
    sign, one, other = step
    return None if one is None or other is None else arithmetic.apply(sign, one, other)


def _steps(tree: Expression) -> Iterator[Step]:
    """The operations of a calculation, in the order in which they are worked out; the numbers of
    a sum and of a product in theirs."""
    if isinstance(tree, Fraction):
        return
    sign, left, right = tree
    yield from _steps(left)
    yield from _steps(right)
    sides = [arithmetic.value(left), arithmetic.value(right)]
    if sign in ("+", "*") and None not in sides:
        sides.sort(key=lambda one: one or 0)
    yield sign, sides[0], sides[1]


def _has_brackets(tree: Expression) -> bool:
    """Whether a calculation, as it is read, needs brackets."""
    if isinstance(tree, Fraction):
        return False
    sign, left, right = tree
    for side, is_right in ((left, False), (right, True)):
        if not isinstance(side, Fraction):
            if _RANK[side[0]] > _RANK[sign] or (is_right and _RANK[side[0]] == _RANK[sign]):
                return True
            if _has_brackets(side):
                return True
    return False


def _bracketed(tree: Expression) -> Iterator[Fraction | None]:
    """What the parts of a calculation come to that need brackets."""
    if isinstance(tree, Fraction):
        return
    sign, *sides = tree
    for number, side in enumerate(sides):
        if not isinstance(side, Fraction):
            if _RANK[side[0]] > _RANK[sign] or (number and _RANK[side[0]] == _RANK[sign]):
                yield arithmetic.value(side)
            yield from _bracketed(side)


def _from_left(tree: Expression) -> bool:
    """Whether a calculation is worked out from left to right: no right side is one itself."""
    if isinstance(tree, Fraction):
        return True
    return isinstance(tree[2], Fraction) and _from_left(tree[1]) and not _has_brackets(tree)
