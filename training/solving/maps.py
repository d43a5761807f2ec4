"""Maps of five objects: what follows for those asked about; and small ones, to look it up in."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from agentflow.generators import spatial_maps
from agentflow.generators.spatial_maps import CORNERS, OWNERS, TRADES, Layout
from agentflow.problem import Problem
from training.cases.case import is_held_out
from training.here import domain
from training.solving.trace import Worked

OBJECTS = (5, 5)
_MANY = 1_000_000
_RELATION = re.compile(r"(?P<one>.+?) is (?:not )?to the \w+ of (?P<other>.+)")
EASY = 0.4
"""Share of the maps that are small and say themselves what is asked; none held out is."""


def worked(
    rng: random.Random,
    *,
    held_out: bool = False,
    objects: tuple[int, int] = OBJECTS,
    easy: float = EASY,
) -> Iterator[Worked]:
    """Endless maps; the lines are those behind the map's own sentences."""
    for problem in spatial_maps.generate(_MANY, rng.getrandbits(32), objects=objects):
        if is_held_out(problem.text) == held_out:
            solution = problem.data["solution"]
            behind = solution[solution.index(">>> STEP 2: FIND THE RELATIONSHIPS ASKED FOR") :]
            said = [one for one in behind if one and not one.startswith((">>>", "\\boxed"))]
            lines = tuple(dict.fromkeys(_cited(problem, said)))
            yield Worked(problem, lines, str(problem.gold), (CORNERS, problem.data["objects"]))
        if not held_out and rng.random() < easy:
            small = _small(rng)
            if not is_held_out(small.problem.text):
                yield small


def _cited(problem: Problem, lines: Sequence[str]) -> Iterator[str]:
    """The lines, those on one object in front of those on the next as the options have them, and in
    front of each the map's sentences that it rests on: so no line takes more than one look."""
    sentences = {frozenset(_pair(one)): one for one in problem.data["sentences"]}
    groups, group = list[tuple[int, list[str]]](), list[str]()
    options = list(problem.data["letters"].values())
    for line in lines:
        group.append(line)
        if line.startswith("- "):
            about = _pair(line.removeprefix("- "))[0]
            last = len(groups) + len(options)
            groups.append((options.index(about) if about in options else last, group))
            group = []
    for _, group in sorted(groups, key=lambda one: one[0]):
        for line in group:
            between = line.partition("being more: ")[2].split(" < ")
            pairs = [*pairwise(between)] if len(between) > 1 else [_pair(line.removeprefix("- "))]
            yield from (f"- {sentences[one]}" for one in map(frozenset, pairs) if one in sentences)
            yield line


def _pair(line: str) -> tuple[str, str]:
    """The two objects that a relation is about; twice the line where it is none."""
    found = _RELATION.fullmatch(line)
    return (found["one"], found["other"]) if found else (line, line)


def _small(rng: random.Random) -> Worked:
    """A few objects, and in which direction one is of another that the map compares it with."""
    names = [f"{owner}'s {rng.choice(TRADES)}" for owner in rng.sample(OWNERS, rng.randint(2, 3))]
    size = len(names)
    places = zip(*(rng.sample(range(size), size) for _ in "xy"), strict=True)
    layout = Layout(names, list(places))
    told = [(number, rng.randrange(number)) for number in range(1, size)]
    one, of = rng.choice(told)
    if rng.random() < 0.5:
        one, of = of, one
    options = rng.sample(CORNERS, len(CORNERS))
    listed = "\n".join(f"{letter}. {said}" for letter, said in zip("ABCD", options, strict=True))
    text = (
        f"Consider a map with multiple objects:\n{names[0]} is in the map. "
        f"{'. '.join(layout.sentence(*pair) for pair in told)}.\n\n"
        "Please answer the following multiple-choice question based on the provided information. "
        f"In which direction is {names[one]} relative to {names[of]}? Available options:\n{listed}."
    )
    problem = domain("spatialmap").parse(text)
    lines = tuple(dict.fromkeys(_cited(problem, [f"- {layout.sentence(one, of)}"])))
    return Worked(problem, lines, layout.corner(one, of), (CORNERS, tuple(names)))
