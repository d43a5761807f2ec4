"""Small trees with known scores, for tests of searches."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from agentflow.problem import Problem
from agentflow.search import Path, reward

PROBLEM = Problem("which leaf?", "trees", "tree")


@dataclass
class Tree:
    """A tree whose nodes have scores; leaves may lie at any depth. Expander and scorer in one.

    Attributes:
        width: Children of a node.
        values: Score of each node, by the steps that lead to it.
        leaves: What ends.
        expanded: (path, n, place) of every call.
        rolled: (path, place, steps) of every call.
        scored: The paths of every call.
    """

    width: int
    values: dict[tuple[str, ...], Any]
    leaves: set[tuple[str, ...]]
    expanded: list[tuple[Path, int, tuple[str | int, ...]]] = field(default_factory=list)
    rolled: list[tuple[Path, tuple[str | int, ...], int | None]] = field(default_factory=list)
    scored: list[list[Path]] = field(default_factory=list)
    name: str = "tree"

    def child(self, path: Path, i: int) -> Path:
        steps = (*path.steps, str(i))
        return replace(path, steps=steps, done=steps in self.leaves)

    async def expand(self, path: Path, n: int, *place: str | int) -> list[Path]:
        self.expanded.append((path, n, place))
        assert not path.done, "nothing comes behind an end"
        return [self.child(path, i % self.width) for i in range(n)]

    async def finish(self, path: Path, *place: str | int, steps: int | None = None) -> Path:
        self.rolled.append((path, place, steps))
        rng, taken = random.Random(repr(place)), 0
        while not path.done and (steps is None or taken < steps):
            path, taken = self.child(path, rng.randrange(self.width)), taken + 1
        return path

    async def score(self, problem: Problem, paths: Sequence[Path]) -> list[Path]:
        self.scored.append(list(paths))
        return [replace(path, scores=self.of(path)) for path in paths]

    def of(self, path: Path) -> tuple[Any, ...]:
        new = range(len(path.scores) + 1, len(path.steps) + 1)
        return (*path.scores, *(self.values[path.steps[:count]] for count in new))

    def best(self) -> float:
        """The highest mean of a leaf, by looking at them all."""
        return max(reward(self.at(leaf)) for leaf in self.leaves)

    def at(self, steps: tuple[str, ...]) -> Path:
        path = Path(steps, done=steps in self.leaves)
        return replace(path, scores=self.of(path))


def tree(width: int, depth: int, seed: int, *, early: float = 0.0) -> Tree:
    """A tree with random scores below 1, some leaves of which lie above ``depth``."""
    rng = random.Random(seed)
    names = [str(i) for i in range(width)]
    nodes = [steps for d in range(1, depth + 1) for steps in product(names, repeat=d)]
    values = {steps: round(rng.uniform(0, 0.99), 3) for steps in nodes}
    leaves = {s for s in nodes if len(s) == depth or rng.random() < early}
    reached = {
        leaf for leaf in leaves if not any(leaf[:count] in leaves for count in range(1, len(leaf)))
    }
    return Tree(width, values, reached)
