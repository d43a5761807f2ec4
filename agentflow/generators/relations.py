"""Seeded relation puzzles: orders and seatings, with an exact answer and programs for Z3.

In the manner of LogicalDeduction and AR-LSAT. The answer is found by trying every order, which
shares nothing with the programs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from agentflow.domains import logic
from agentflow.generators.propositional import ANSWERS
from agentflow.problem import Problem

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivan", "Jo")

Places = dict[str, int]


@dataclass(frozen=True, slots=True)
class Relation:
    """One kind of constraint on two names, or on a name and a place.

    Attributes:
        sentence: With the fields ``a`` and ``b`` (names), ``k`` and ``n`` (places, from 1).
        holds: Whether it does for the places of ``a`` and ``b``, a place, and how many there are.
        smtlib: The same as an SMT-LIB term.
        python: The same as a Python expression over Z3 integers.
    """

    sentence: str
    holds: Callable[[int, int, int, int], bool]
    smtlib: str
    python: str


@dataclass(frozen=True, slots=True)
class Layout:
    """A setting: what the names do there, and the relations that make sense."""

    opening: str
    relations: tuple[Relation, ...]


def _at(sentence: str) -> Relation:
    return Relation(sentence, lambda a, b, k, n: a == k, "(= {a} {k})", "{a} == {k}")


def _not_at(sentence: str) -> Relation:
    return Relation(sentence, lambda a, b, k, n: a != k, "(not (= {a} {k}))", "{a} != {k}")


def _before(sentence: str) -> Relation:
    return Relation(sentence, lambda a, b, k, n: a < b, "(< {a} {b})", "{a} < {b}")


def _directly(sentence: str) -> Relation:
    return Relation(sentence, lambda a, b, k, n: a + 1 == b, "(= (+ {a} 1) {b})", "{a} + 1 == {b}")


_AROUND = "(or (= (mod (- {a} {b}) {n}) 1) (= (mod (- {b} {a}) {n}) 1))"
_PYTHON_AROUND = "Or(({a} - {b}) % {n} == 1, ({b} - {a}) % {n} == 1)"


def _around(a: int, b: int, n: int) -> bool:
    return (a - b) % n in (1, n - 1)


LAYOUTS = (
    Layout(
        "{names} stand in a row of {n} places, numbered from left to right.",
        (
            _before("{a} stands somewhere to the left of {b}."),
            _directly("{a} stands directly to the left of {b}."),
            _at("{a} stands in place {k}."),
            _not_at("{a} does not stand in place {k}."),
            Relation(
                "{a} stands next to {b}.",
                lambda a, b, k, n: abs(a - b) == 1,
                "(or (= (- {a} {b}) 1) (= (- {b} {a}) 1))",
                "Or({a} - {b} == 1, {b} - {a} == 1)",
            ),
        ),
    ),
    Layout(
        "{names} run a race with {n} places and no ties.",
        (
            _before("{a} finishes before {b}."),
            _directly("{a} finishes directly before {b}."),
            _at("{a} finishes in place {k}."),
            _not_at("{a} does not finish in place {k}."),
            Relation(
                "{a} finishes before {b} or in place {k}, or both.",
                lambda a, b, k, n: a < b or a == k,
                "(or (< {a} {b}) (= {a} {k}))",
                "Or({a} < {b}, {a} == {k})",
            ),
        ),
    ),
    Layout(
        "{names} sit at a round table with {n} seats, numbered in a circle.",
        (
            Relation(
                "{a} sits next to {b}.",
                lambda a, b, k, n: _around(a, b, n),
                _AROUND,
                _PYTHON_AROUND,
            ),
            Relation(
                "{a} does not sit next to {b}.",
                lambda a, b, k, n: not _around(a, b, n),
                f"(not {_AROUND})",
                f"Not({_PYTHON_AROUND})",
            ),
            _at("{a} sits in seat {k}."),
            _not_at("{a} does not sit in seat {k}."),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Constraint:
    relation: Relation
    a: str
    b: str
    k: int
    n: int

    def holds(self, places: Places) -> bool:
        return self.relation.holds(places[self.a], places[self.b], self.k, self.n)

    def sentence(self) -> str:
        return self.relation.sentence.format(a=self.a, b=self.b, k=self.k, n=self.n)

    def smtlib(self) -> str:
        return self._filled(self.relation.smtlib)

    def python(self) -> str:
        return self._filled(self.relation.python)

    def _filled(self, text: str) -> str:
        return text.format(a=self.a.lower(), b=self.b.lower(), k=self.k, n=self.n)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle in three languages.

    Attributes:
        problem: For people and models; ``gold`` says whether the conclusion is True, False or
            Uncertain. The logic domain does not read its English.
        smtlib: The constraints, for the Z3 tool; ``claim`` is the conclusion as a term.
        python: A program of VerifiAgent's shape: it returns Agree, Contradict or Uncertain.
    """

    problem: Problem
    smtlib: str
    claim: str
    python: str


def generate(count: int, seed: int, *, size: tuple[int, int] = (3, 7)) -> Iterator[Puzzle]:
    """Distinct puzzles; a longer run begins with a shorter one of the same seed.

    Args:
        size: Fewest and most names.
    """
    rng, seen = random.Random(f"relations {seed}"), set[str]()
    while len(seen) < count:
        wanted = ANSWERS[len(seen) % 3]
        names = rng.sample(NAMES, rng.randint(*size))
        layout = rng.choice(LAYOUTS)
        constraints, claim, gold = _puzzle(rng, layout, names)
        opening = layout.opening.format(names=_listed(names), n=len(names))
        said = " ".join([opening, *(one.sentence() for one in constraints)])
        text = f"{said}\nConclusion: {claim.sentence()}"
        if gold != wanted or text in seen:
            continue
        seen.add(text)
        parsed = logic.parse(text, f"relations-{seed}-{len(seen)}")
        yield Puzzle(
            Problem(parsed.text, parsed.domain, parsed.id, gold, parsed.data),
            _smtlib(names, constraints),
            claim.smtlib(),
            _python(names, constraints, claim),
        )


def _puzzle(
    rng: random.Random, layout: Layout, names: Sequence[str]
) -> tuple[list[Constraint], Constraint, str]:
    """Constraints that some order meets, a claim, and what every order that meets them says."""
    orders: list[Places] = [
        dict(zip(names, order, strict=True)) for order in permutations(range(1, len(names) + 1))
    ]
    hidden = rng.choice(orders)
    constraints: list[Constraint] = []
    for _ in range(4 * len(names)):
        one = _constraint(rng, layout, names)
        left = [places for places in orders if one.holds(places)]
        if one.holds(hidden) and len(left) < len(orders):  # true, and it says something new
            constraints.append(one)
            orders = left
        if len(orders) == 1 or len(constraints) > len(names):
            break
    claim = _constraint(rng, layout, names)
    found = {claim.holds(places) for places in orders}
    return constraints, claim, "Uncertain" if len(found) == 2 else str(found.pop())


def _constraint(rng: random.Random, layout: Layout, names: Sequence[str]) -> Constraint:
    a, b = rng.sample(list(names), 2)
    place = rng.randint(1, len(names))
    return Constraint(rng.choice(layout.relations), a, b, place, len(names))


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _smtlib(names: Sequence[str], constraints: Sequence[Constraint]) -> str:
    variables = [name.lower() for name in names]
    return "\n".join(
        [
            *(f"(declare-const {one} Int)" for one in variables),
            *(f"(assert (<= 1 {one} {len(names)}))" for one in variables),
            f"(assert (distinct {' '.join(variables)}))",
            *(f"(assert {one.smtlib()})" for one in constraints),
        ]
    )


def _python(names: Sequence[str], constraints: Sequence[Constraint], claim: Constraint) -> str:
    variables = ", ".join(name.lower() for name in names)
    lines = "\n".join(f"    # {one.sentence()}\n    s.add({one.python()})" for one in constraints)
    return f"""from z3 import *

def main():
    s = Solver()
    {variables} = Ints("{variables.replace(",", "")}")
    for one in ({variables}):
        s.add(1 <= one, one <= {len(names)})
    s.add(Distinct({variables}))
{lines}
    # {claim.sentence()}
    claim = {claim.python()}
    agrees, contradicts = s.check(claim), s.check(Not(claim))
    if unknown in (agrees, contradicts):
        return "unsolvable"
    if contradicts == unsat:
        return "Agree" if agrees == sat else "unsolvable"
    return "Contradict" if agrees == unsat else "Uncertain"

ans = main()
"""
