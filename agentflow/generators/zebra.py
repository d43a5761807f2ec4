"""Seeded logic grids in the wording of ZebraLogic, with their one arrangement and the way to it.

The way is found by narrowing down the houses of every value, clue by clue, without trying anything
out; a puzzle that needs more is not given. That shares nothing with the domain's reader or Z3.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agentflow.domains import zebra
from agentflow.problem import Problem

Cell = tuple[int, int]
"""The numbers of an attribute and of one of its values."""

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
MAX_HOUSES = len(ORDINALS)


@dataclass(frozen=True, slots=True)
class Attribute:
    """One characteristic.

    Attributes:
        column: What answers call it.
        heading: How the puzzle introduces it.
        phrases: Value -> who has it.
    """

    column: str
    heading: str
    phrases: dict[str, str]


NAME, *ATTRIBUTES = (
    Attribute(**one)
    for one in tomllib.loads(Path(__file__).with_name("zebra.toml").read_text("utf-8"))["attribute"]
)

SENTENCES = {
    "at": "{a} is in the {k} house.",
    "not_at": "{a} is not in the {k} house.",
    "same": "{a} is {b}.",
    "directly_left": "{a} is directly left of {b}.",
    "left": "{a} is somewhere to the left of {b}.",
    "right": "{a} is somewhere to the right of {b}.",
    "beside": "{a} and {b} are next to each other.",
    "one_between": "There is one house between {a} and {b}.",
    "two_between": "There are two houses between {a} and {b}.",
}
"""Kind of clue -> its sentence."""


@dataclass(frozen=True, slots=True)
class Clue:
    """``kind`` of :data:`SENTENCES`, about ``one`` and ``other``, or about ``one`` and a house."""

    kind: str
    one: Cell
    other: Cell | None = None
    house: int = 0

    def apart(self, houses: int) -> set[int]:
        """What the house of ``other`` may be more than that of ``one``."""
        far = range(1, houses)
        return {
            "same": {0},
            "directly_left": {1},
            "left": set(far),
            "right": {-steps for steps in far},
            "beside": {1, -1},
            "one_between": {2, -2},
            "two_between": {3, -3},
        }[self.kind]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle in the making.

    Attributes:
        attributes: The first is the name.
        values: Of each attribute, in the order the puzzle lists them.
        places: The hidden arrangement: the house of every value, from 1.
    """

    attributes: tuple[Attribute, ...]
    values: tuple[tuple[str, ...], ...]
    places: dict[Cell, int]

    @property
    def houses(self) -> int:
        return len(self.values[0])

    def sentence(self, clue: Clue) -> str:
        text = SENTENCES[clue.kind].format(
            a=self._phrase(clue.one),
            b=self._phrase(clue.other) if clue.other else "",
            k=ORDINALS[clue.house - 1],
        )
        return text[0].upper() + text[1:]

    def _phrase(self, cell: Cell) -> str:
        return self.attributes[cell[0]].phrases[self.values[cell[0]][cell[1]]]

    def text(self, clues: Sequence[Clue]) -> str:
        lines = [
            f"There are {self.houses} houses, numbered 1 to {self.houses} from left to right, as "
            "seen from across the street. Each house is occupied by a different person. Each house "
            "has a unique attribute for each of the following characteristics:"
        ]
        for attribute, values in zip(self.attributes, self.values, strict=True):
            listed = ", ".join(f"`{value}`" for value in values)
            lines.append(f" - {attribute.heading}: {listed}")
        lines += ["", "## Clues:"]
        lines += [f"{n}. {self.sentence(clue)}" for n, clue in enumerate(clues, 1)]
        return "\n".join(lines)

    def stands(self, cell: Cell) -> str:
        """``House 2: Drink = tea``."""
        column, value = self.attributes[cell[0]].column, self.values[cell[0]][cell[1]]
        return f"House {self.places[cell]}: {column} = {value}"

    def answer(self) -> list[str]:
        """The arrangement, a line a house."""
        lines: list[list[str]] = [[] for _ in range(self.houses)]
        for cell in sorted(self.places):
            lines[self.places[cell] - 1].append(self.stands(cell).partition(": ")[2])
        return [f"House {n}: {', '.join(items)}" for n, items in enumerate(lines, 1)]


@dataclass(slots=True)
class Narrowing:
    """The houses that are left for every value, and the clues that ruled the others out.

    Attributes:
        left: Value -> houses, as the bits of a number; bit 0 is house 1.
        why: Value -> numbers of clues.
        found: The values in the order in which one house was left for them.
    """

    left: dict[Cell, int]
    why: dict[Cell, set[int]]
    found: list[Cell] = field(default_factory=list)

    def narrow(self, cell: Cell, houses: int, why: set[int]) -> bool:
        """Leave only ``houses`` to a value; whether that rules anything out."""
        before = self.left[cell]
        self.left[cell] &= houses
        if self.left[cell] == before:
            return False
        self.why[cell] |= why
        if self.left[cell].bit_count() == 1:
            self.found.append(cell)
        return True


def solve(puzzle: Puzzle, clues: Sequence[Clue]) -> Narrowing:
    """What the clues of a true puzzle leave, as far as each alone and the rest can tell."""
    houses = puzzle.houses
    everywhere = (1 << houses) - 1
    state = Narrowing(dict.fromkeys(puzzle.places, everywhere), {c: set() for c in puzzle.places})
    moved = True
    while moved and len(state.found) < len(puzzle.places):
        moved = False
        for number, clue in enumerate(clues, 1):
            moved |= _apply(state, clue, number, houses)
        for attribute in range(len(puzzle.values)):
            moved |= _each_once(state, [(attribute, n) for n in range(houses)], houses)
    return state


def _apply(state: Narrowing, clue: Clue, number: int, houses: int) -> bool:
    everywhere = (1 << houses) - 1
    one, other = clue.one, clue.other
    if other is None:
        here = 1 << clue.house - 1
        return state.narrow(one, here if clue.kind == "at" else everywhere ^ here, {number})
    apart = clue.apart(houses)
    there = _moved(state.left[other], {-n for n in apart})
    moved = state.narrow(one, there, {number, *state.why[other]})
    there = _moved(state.left[one], apart) & everywhere
    return state.narrow(other, there, {number, *state.why[one]}) or moved


def _moved(houses: int, steps: set[int]) -> int:
    result = 0
    for step in steps:
        result |= houses << step if step > 0 else houses >> -step
    return result


def _each_once(state: Narrowing, cells: Sequence[Cell], houses: int) -> bool:
    """No two values of an attribute stand in one house, and every house has one of them."""
    moved = False
    for cell in cells:
        others = [other for other in cells if other != cell]
        if state.left[cell].bit_count() == 1:
            for other in others:
                moved |= state.narrow(other, ~state.left[cell], state.why[cell])
        for house in range(houses):
            if not any(state.left[other] >> house & 1 for other in others):
                why = set[int]().union(*(state.why[other] for other in others))
                moved |= state.narrow(cell, 1 << house, why)
    return moved


def generate(
    count: int, seed: int, *, houses: tuple[int, int] = (3, 5), attributes: tuple[int, int] = (2, 4)
) -> Iterator[Problem]:
    """Distinct puzzles; a longer run begins with a shorter one of the same seed.

    Args:
        houses: Fewest and most, 2 to 6.
        attributes: Fewest and most, with the name.

    Yields:
        Problems whose ``gold`` is a line a house; ``data["solution"]`` has the lines of the way to
        it and the answer, as the domain reads them.
    """
    rng, seen = random.Random(f"zebra {seed}"), set[str]()
    while len(seen) < count:
        puzzle = _arranged(rng, rng.randint(*houses), rng.randint(*attributes))
        clues = _clues(rng, puzzle)
        text = puzzle.text(clues)
        if text in seen:
            continue
        seen.add(text)
        answer = puzzle.answer()
        state = solve(puzzle, clues)
        steps = [
            f"From {', '.join(map(str, sorted(state.why[cell])))}: {puzzle.stands(cell)}"
            for cell in state.found
        ]
        parsed = zebra.Zebra().parse(text, f"zebra-{seed}-{len(seen)}")
        data = parsed.data | {"solution": [*steps, "", "Answer:", *answer]}
        yield Problem(parsed.text, parsed.domain, parsed.id, "\n".join(answer), data)


def _arranged(rng: random.Random, houses: int, attributes: int) -> Puzzle:
    chosen = (NAME, *rng.sample(ATTRIBUTES, attributes - 1))
    values = tuple(tuple(rng.sample(list(one.phrases), houses)) for one in chosen)
    places: dict[Cell, int] = {}
    for attribute in range(attributes):
        for number, house in enumerate(rng.sample(range(1, houses + 1), houses)):
            places[attribute, number] = house
    return Puzzle(chosen, values, places)


def _clues(rng: random.Random, puzzle: Puzzle) -> list[Clue]:
    """True clues that lead to the arrangement, none of which can be left out."""
    clues: list[Clue] = []
    while len(solve(puzzle, clues).found) < len(puzzle.places):
        clue = _clue(rng, puzzle)
        if clue and clue not in clues:
            clues.append(clue)
    for clue in list(clues):
        fewer = [one for one in clues if one != clue]
        if len(solve(puzzle, fewer).found) == len(puzzle.places):
            clues = fewer
    rng.shuffle(clues)
    return clues


def _clue(rng: random.Random, puzzle: Puzzle) -> Clue | None:
    """A clue about two values, or rarely about one and a house; None if it is not true."""
    one, other = rng.sample(sorted(puzzle.places), 2)
    kind = rng.choice(list(SENTENCES))
    house = puzzle.places[one]
    if kind == "at":
        return Clue(kind, one, house=house) if rng.random() < 0.3 else None
    if kind == "not_at":
        others = [n for n in range(1, puzzle.houses + 1) if n != house]
        return Clue(kind, one, house=rng.choice(others))
    clue = Clue(kind, one, other)
    return clue if puzzle.places[other] - house in clue.apart(puzzle.houses) else None
