"""Seeded problems for the logic domain: facts and rules in controlled English, exact answers.

The answer is found by a truth table over every ground atom (all assignments at once, as the bits of
one integer), which shares nothing with the parser, the formulas or Z3.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from operator import and_

from agentflow.domains import logic
from agentflow.problem import Problem

ANSWERS = ("True", "False", "Uncertain")
NAMES = ("Alex", "Bella", "Carl", "Dana", "Erik", "Fiona", "Gary", "Hanna")
PROPERTIES = (
    *("kind", "tall", "quiet", "clever", "brave", "happy", "rich", "young", "strong", "polite"),
    *("honest", "lazy", "hungry", "tired", "loud", "proud", "calm", "funny", "careful", "busy"),
)


@dataclass(frozen=True, slots=True)
class Literal:
    """A property, or its absence."""

    property: str
    holds: bool = True

    def __str__(self) -> str:
        return self.property if self.holds else f"not {self.property}"

    def opposite(self) -> Literal:
        return Literal(self.property, not self.holds)


@dataclass(frozen=True, slots=True)
class World:
    """The ground atoms of a problem: every property of every name, a bit of an assignment each."""

    names: tuple[str, ...]
    properties: tuple[str, ...]

    @property
    def everything(self) -> int:
        return (1 << (1 << len(self.names) * len(self.properties))) - 1

    def table(self, name: str, literal: Literal) -> int:
        """The assignments under which ``name`` has the property (or lacks it)."""
        atom = self.names.index(name) * len(self.properties)
        atom += self.properties.index(literal.property)
        column = _column(atom, len(self.names) * len(self.properties))
        return column if literal.holds else self.everything ^ column

    def rule(self, names: Sequence[str], given: Sequence[Literal], then: Literal) -> int:
        """The assignments under which every one of ``names`` obeys a rule."""
        tables = [
            (self.everything ^ reduce(and_, (self.table(name, one) for one in given)))
            | self.table(name, then)
            for name in names
        ]
        return reduce(and_, tables)


@cache
def _column(atom: int, atoms: int) -> int:
    """The truth-table column of an atom: bit ``i`` is set where assignment ``i`` makes it true."""
    half = 1 << atom
    column, length = ((1 << half) - 1) << half, 2 * half
    while length < 1 << atoms:
        column |= column << length
        length *= 2
    return column


def decided(premises: int, claim: int) -> str | None:
    """The answer by truth table; None where the premises contradict each other."""
    if not premises:
        return None
    if not premises & ~claim:
        return "True"
    return "Uncertain" if premises & claim else "False"


def generate(
    count: int, seed: int, *, depth: tuple[int, int] = (1, 5), distractors: int = 4
) -> Iterator[Problem]:
    """Distinct problems with ``gold``; a longer run begins with a shorter one of the same seed.

    Args:
        depth: Fewest and most rules on the way from a fact to the property that is asked about.
        distractors: Facts and rules beside them.
    """
    rng, seen = random.Random(f"propositional {seed}"), set[str]()
    while len(seen) < count:
        wanted = ANSWERS[len(seen) % 3]
        text, gold = _problem(rng, rng.randint(*depth), distractors)
        if gold != wanted or text in seen:
            continue
        seen.add(text)
        parsed = logic.parse(text, f"propositional-{seed}-{len(seen)}")
        yield Problem(parsed.text, parsed.domain, parsed.id, gold, parsed.data)


def _problem(rng: random.Random, depth: int, distractors: int) -> tuple[str, str | None]:
    properties = tuple(rng.sample(PROPERTIES, depth + 2))
    world = World(tuple(rng.sample(NAMES, 2)), properties)
    hero = world.names[0]
    chain = [Literal(name, rng.random() < 0.75) for name in properties[: depth + 1]]
    premises = [_fact(world, hero, chain[0])]
    premises += [_link(rng, world, hero, *pair) for pair in itertools.pairwise(chain)]
    premises += [_distractor(rng, world) for _ in range(distractors)]
    premises = list(dict.fromkeys(premises))  # none twice
    rng.shuffle(premises)
    asked = rng.choice([chain[-1], chain[-1].opposite(), Literal(properties[-1])])
    sentence, claim = _fact(world, hero, asked)
    holds = reduce(and_, (table for _, table in premises))
    text = "\n".join(["Premises:", *(said for said, _ in premises), f"Conclusion: {sentence}"])
    return text, decided(holds, claim)


def _fact(world: World, name: str, literal: Literal) -> tuple[str, int]:
    return f"{name} is {literal}.", world.table(name, literal)


def _link(
    rng: random.Random, world: World, hero: str, given: Literal, then: Literal
) -> tuple[str, int]:
    """A sentence by which ``then`` follows from ``given``, for the hero at least."""
    everyone = world.rule(world.names, [given], then)
    sentences = [
        (f"If someone is {given}, then they are {then}.", everyone),
        (f"Everyone who is {given} is {then}.", everyone),
        (f"If {hero} is {given}, then {hero} is {then}.", world.rule([hero], [given], then)),
    ]
    if given.holds:
        no = f"No {given} people are {then.property}."
        sentences.append((f"All {given} people are {then}." if then.holds else no, everyone))
    if given.holds != then.holds:
        one, other = (world.table(hero, Literal(at.property)) for at in (given, then))
        sentence = f"{hero} is either {given.property} or {then.property}, but not both."
        sentences.append((sentence, one ^ other))
    return rng.choice(sentences)


def _distractor(rng: random.Random, world: World) -> tuple[str, int]:
    """A fact, a choice or a rule of two conditions about anything."""
    name, other = rng.choice(world.names), world.names[1]
    first, second, third = (
        Literal(one, rng.random() < 0.75) for one in rng.sample(world.properties, 3)
    )
    kind = rng.randrange(4)
    if kind == 0:
        return _fact(world, other, first)
    if kind == 1:
        either = world.table(name, first) | world.table(name, second)
        if not first.holds and second.holds:
            first, second = second, first
        return f"{name} is {first} or {second}, or both.", either
    if kind == 2:
        return _link(rng, world, name, first, second)
    if not first.holds and second.holds:
        first, second = second, first
    table = world.rule(world.names, [first, second], third)
    return f"If someone is {first} and {second}, then they are {third}.", table
