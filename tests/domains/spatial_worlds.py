"""A second opinion on spatial maps: every arrangement of the objects, by brute force.

Shares no code with the package. Objects have ranks on each axis; a map that puts no two objects in
line is met by orders without ties alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations, product

SIGNS = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
SIGNS |= {
    ns + ew: (SIGNS[ew][0], SIGNS[ns][1]) for ns in ("north", "south") for ew in ("east", "west")
}
Vector = tuple[int, ...]


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


@dataclass(frozen=True, slots=True)
class Worlds:
    """The ranks that a map allows: on x and on y, each independent of the other."""

    names: tuple[str, ...]
    told: tuple[tuple[str, str, str], ...]
    xs: tuple[Vector, ...]
    ys: tuple[Vector, ...]

    def always(self, holds: Callable[[Vector, Vector], bool], of: str) -> bool | None:
        """Whether something that depends on where others stand from one object holds in every
        arrangement (True), in none (False), or in some (None).

        Args:
            holds: Given, for each object, the signs of its differences from ``of`` on x and on y.
        """
        here = self.names.index(of)
        seen_x, seen_y = (
            {tuple(sign(rank - ranks[here]) for rank in ranks) for ranks in axis}
            for axis in (self.xs, self.ys)
        )
        found = {holds(x, y) for x, y in product(seen_x, seen_y)}
        return found.pop() if len(found) == 1 else None

    def inside(self, name: str, direction: str, of: str) -> bool | None:
        number = self.names.index(name)
        return self.always(lambda x, y: (x[number], y[number]) == SIGNS[direction], of)

    def among(self, names: Sequence[str], direction: str, of: str) -> bool | None:
        """Whether exactly these stand in a direction."""
        numbers = {self.names.index(name) for name in names}
        return self.always(lambda x, y: there(x, y, direction) == numbers, of)

    def count(self, number: int, direction: str, of: str) -> bool | None:
        return self.always(lambda x, y: len(there(x, y, direction)) == number, of)


def there(x: Vector, y: Vector, direction: str) -> set[int]:
    return {n for n, signs in enumerate(zip(x, y, strict=True)) if signs == SIGNS[direction]}


def worlds(text: str) -> Worlds:
    """All arrangements that a map's sentences allow; what follows an empty line is no map."""
    text = text.split("\n\n")[0].strip()
    only = [name.strip() for name in re.findall(r"([^.\n]+) is in the map\.", text)]
    said = re.findall(r"([^.\n]+) is to the (\w+) of ([^.\n]+)\.", text)
    told = [(a.strip(), direction.lower(), b) for a, direction, b in said]
    assert len(only) + len(told) == text.count(". ") + 1
    names = tuple(dict.fromkeys([*only, *(name for a, _, b in told for name in (a, b))]))
    in_line = any(0 in SIGNS[direction] for _, direction, _ in told)
    size = range(len(names))
    ranks = list(product(size, repeat=len(names)) if in_line else permutations(size))
    allowed = []
    for axis in (0, 1):
        wanted = [
            (names.index(a), names.index(b), SIGNS[direction][axis]) for a, direction, b in told
        ]
        allowed.append(tuple(r for r in ranks if all(sign(r[a] - r[b]) == s for a, b, s in wanted)))
    return Worlds(names, tuple(told), *allowed)
