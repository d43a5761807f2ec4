"""Seeded spatial maps in the wording of SpatialEval, with exact answers and worked solutions.

Objects stand on a hidden grid, no two in line, and the map tells of each but the first where it
stands from one or two told of before. What follows is found by chains along each axis, which
shares nothing with the domain's verifier.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from agentflow.domains.spatialmap import problem as spatialmap
from agentflow.problem import Problem

OWNERS = (
    *("Badger", "Bison", "Crane", "Dormouse", "Egret", "Finch", "Gecko", "Heron", "Ibis"),
    *("Jackdaw", "Koala", "Lynx", "Magpie", "Newt", "Osprey", "Plover", "Raven", "Stoat", "Tapir"),
    "Wren",
)
TRADES = (
    *("Bakery", "Barber Shop", "Bicycles", "Books", "Candles", "Carpets", "Cheese Counter"),
    *("Clocks", "Dairy", "Flower Stall", "Hardware", "Kites", "Lamp Store", "Maps", "Noodle Bar"),
    "Opticians",
)
PLACES = ("City Library", "Ferry Pier", "Post Office", "Rose Garden", "Town Hall", "Water Tower")
CORNERS = ("Northeast", "Northwest", "Southeast", "Southwest")
KINDS = ("direction", "object", "count")
_OPENING = "Consider a map with multiple objects:"
_ASKING = "Please answer the following multiple-choice question based on the provided information."
_ATTEMPTS = 40


@dataclass(slots=True)
class Layout:
    """A map in the making; objects are numbers.

    Attributes:
        names: Of the objects.
        places: Of each, (x to the east, y to the north).
        told: Which pairs the map speaks of, in its order.
        chains: For each axis, which objects lie between a pair of which the map says, along a
            chain, that the second is further on that axis; empty where it says so itself.
    """

    names: list[str]
    places: list[tuple[int, int]]
    told: list[tuple[int, int]] = field(default_factory=list)
    chains: tuple[dict[tuple[int, int], list[int]], ...] = ()

    def corner(self, a: int, b: int) -> str:
        """Where ``a`` stands from ``b`` on the hidden grid."""
        (ax, ay), (bx, by) = self.places[a], self.places[b]
        return ("North" if ay > by else "South") + ("east" if ax > bx else "west")

    def sentence(self, a: int, b: int) -> str:
        return f"{self.names[a]} is to the {self.corner(a, b)} of {self.names[b]}"

    def known(self, a: int, b: int) -> list[bool]:
        """Whether the map decides how ``a`` and ``b`` lie east-west, and north-south."""
        return [(a, b) in axis or (b, a) in axis for axis in self.chains]

    def inside(self, a: int, direction: str, b: int) -> bool | None:
        """Whether ``a`` is in a direction of ``b``; None where the map leaves it open."""
        if direction not in CORNERS:
            return False
        corner = self.corner(a, b)
        agrees = (corner[5:] == direction[5:], corner[:5] == direction[:5])
        decided = [same for same, known in zip(agrees, self.known(a, b), strict=True) if known]
        if False in decided:
            return False
        return True if len(decided) == 2 else None

    def reasons(self, a: int, b: int) -> Iterator[str]:
        """The chains that decide how ``a`` and ``b`` lie, where there is anything to show."""
        axes = (("east-west", "to the east"), ("north-south", "to the north"))
        for (axis, words), chains in zip(axes, self.chains, strict=True):
            for low, high in ((a, b), (b, a)):
                if between := chains.get((low, high)):
                    way = " < ".join(self.names[one] for one in (low, *between, high))
                    yield f"  {axis}, further {words} being more: {way}"


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a layout.

    Attributes:
        kind: One of :data:`KINDS`.
        text: As it is asked.
        of: The object that others are compared with.
        direction: The one asked for, or the right answer.
        relevant: The objects whose place decides; the right answer first, where it is an object.
        options: What can be chosen.
        gold: The right option, by the hidden grid.
    """

    kind: str
    text: str
    of: int
    direction: str
    relevant: list[int]
    options: list[str]
    gold: str

    def decided(self, layout: Layout) -> bool:
        """Whether the map decides it."""
        if self.kind == "direction":
            return all(layout.known(self.relevant[0], self.of))
        return all(layout.inside(one, self.direction, self.of) is not None for one in self.relevant)


def generate(
    count: int, seed: int, *, objects: tuple[int, int] = (5, 7), decided: bool = True
) -> Iterator[Problem]:
    """Distinct problems; the same seed gives the same ones.

    Args:
        objects: Fewest and most, at least 5.
        decided: Whether the map decides every question. Else some are open, as in SpatialEval: the
            gold answer is that of the hidden grid.

    Yields:
        Problems with the answer as ``gold`` and, where the map decides them, a worked solution, a
        list of lines, in ``data["solution"]``.
    """
    rng, texts = random.Random(f"spatial maps {seed}"), set[str]()
    while len(texts) < count:
        kind = KINDS[len(texts) % 3]
        layout = _layout(rng, rng.randint(*objects))
        asked = (_question(rng, layout, kind) for _ in range(_ATTEMPTS))
        wanted = (one for one in asked if one and (one.decided(layout) or not decided))
        question = next(wanted, None)
        if question is None or (text := _text(layout, question)) in texts:
            continue
        texts.add(text)
        parsed = spatialmap.parse(text, f"spatialmap-{seed}-{len(texts)}")
        solution = _solution(layout, question) if question.decided(layout) else []
        data = parsed.data | {"solution": solution}
        yield Problem(parsed.text, parsed.domain, parsed.id, question.gold, data)


def _layout(rng: random.Random, size: int) -> Layout:
    names = [f"{owner}'s {rng.choice(TRADES)}" for owner in rng.sample(OWNERS, size)]
    names[rng.randrange(size)] = rng.choice(PLACES)
    grid = [rng.sample(range(size), size) for _ in "xy"]
    layout = Layout(names, list(zip(*grid, strict=True)))
    for number in range(1, size):
        earlier = rng.sample(range(number), min(2, number))
        layout.told += [(number, other) for other in earlier]
    layout.chains = tuple(_chains(layout, axis) for axis in (0, 1))
    return layout


def _chains(layout: Layout, axis: int) -> dict[tuple[int, int], list[int]]:
    """Each pair of which the map decides that the second is further on an axis, with a shortest
    chain of what lies between."""

    def place(number: int) -> int:
        return layout.places[number][axis]

    steps = [tuple(sorted(pair, key=place)) for pair in layout.told]
    found: dict[tuple[int, int], list[int]] = {(low, high): [] for low, high in steps}
    longest = list(found)
    while longest:
        longer: dict[tuple[int, int], list[int]] = {}
        for low, middle in longest:
            for start, high in steps:
                if start == middle and (low, high) not in found:
                    longer.setdefault((low, high), [*found[low, middle], middle])
        found |= longer
        longest = list(longer)
    return found


def _question(rng: random.Random, layout: Layout, kind: str) -> Question | None:
    """A question of a kind; None if there is none for what was drawn."""
    of = rng.randrange(len(layout.names))
    others = [number for number in range(len(layout.names)) if number != of]
    name, direction = layout.names[of], rng.choice(CORNERS)
    if kind == "direction":
        one = rng.choice(others)
        text = f"In which direction is {layout.names[one]} relative to {name}?"
        corner = layout.corner(one, of)
        return Question(kind, text, of, corner, [one], rng.sample(CORNERS, 4), corner)
    if kind == "count" and rng.random() < 0.15:
        direction = rng.choice(("North", "South", "East", "West"))  # none is in line
    there = [number for number in others if layout.corner(number, of) == direction]
    if kind == "count":
        gold = str(len(there))
        rest = [str(number) for number in range(len(others) + 1) if number != len(there)]
        options = rng.sample([gold, *rng.sample(rest, 3)], 4)
        text = f"How many objects are in the {direction} of {name}?"
        return Question(kind, text, of, direction, others, options, gold)
    elsewhere = [number for number in others if number not in there]
    if not there or len(elsewhere) < 3:
        return None
    relevant = [rng.choice(there), *rng.sample(elsewhere, 3)]
    options = [layout.names[number] for number in rng.sample(relevant, 4)]
    text = f"Which object is in the {direction} of {name}?"
    return Question(kind, text, of, direction, relevant, options, layout.names[relevant[0]])


def _text(layout: Layout, question: Question) -> str:
    told = ". ".join(layout.sentence(*pair) for pair in layout.told)
    listed = "\n".join(
        f"{letter}. {one}" for letter, one in zip("ABCD", question.options, strict=True)
    )
    return (
        f"{_OPENING}\n{layout.names[0]} is in the map. {told}.\n\n"
        f"{_ASKING} {question.text} Available options:\n{listed}."
    )


def _solution(layout: Layout, question: Question) -> list[str]:
    """The lines of a worked solution, in the format of the domain's prompt."""
    where = f"in the {question.direction} of {layout.names[question.of]}"
    lines = [
        ">>> STEP 1: PARSE RELATIONSHIPS",
        *(f"- {layout.sentence(*pair)}" for pair in layout.told),
        "",
        ">>> STEP 2: FIND THE RELATIONSHIPS ASKED FOR",
    ]
    if question.direction not in CORNERS:
        lines.append("The map puts no two objects in line.")
    else:
        for one in question.relevant:
            lines += _concluded(layout, one, question)
    answer = f"- {layout.sentence(question.relevant[0], question.of)}"
    if question.kind == "count":
        there = [n for n in question.relevant if layout.inside(n, question.direction, question.of)]
        listed = ", ".join(layout.names[number] for number in there) or "none"
        lines.append(f"- Objects {where}: {listed}")
        many = "is 1 object" if len(there) == 1 else f"are {len(there)} objects"
        answer = f"- There {many} {where}"
    letter = "ABCD"[question.options.index(question.gold)]
    lines += ["", ">>> STEP 3: ANSWER", answer, "", f">>> FINAL ANSWER: {question.gold}"]
    return [*lines, f"\\boxed{{{letter}}}"]


def _concluded(layout: Layout, one: int, question: Question) -> Iterator[str]:
    """What the map says of an object and the one it is compared with, and why."""
    yield from layout.reasons(one, question.of)
    if all(layout.known(one, question.of)):
        yield f"- {layout.sentence(one, question.of)}"
    else:
        there = f"the {question.direction} of {layout.names[question.of]}"
        yield f"- {layout.names[one]} is not to {there}"
