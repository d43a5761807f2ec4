"""Adaptive branching: whether the next solution is a new one, and else which it refines.

A tree has solutions as its nodes; those below one refine it. At each node two arms are compared: a
new solution here (``GEN`` in the paper), judged by the scores of those that were drawn here, or one
below (``CONT``), judged by what refinements came to. Then the solutions here are compared, each by
its own score and those below it. What an arm is worth is drawn from a Beta distribution that its
scores make likely (Thompson sampling), with Jeffreys' prior. This is AB-MCTS-A (Inoue et al. 2025);
where several models solve, which one is next is drawn in the same way.

Or every solution refines the one whose upper confidence bound is highest, among those that were not
explored yet: Monte Carlo tree self-refine (MCTSr, Zhang et al. 2024).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

_PRIOR = 0.5


class Solution(NamedTuple):
    """A node of the tree.

    Attributes:
        parent: The solution that it refines; None for a new one.
        score: Between 0 and 1.
        refines: Whether others may refine it.
    """

    parent: int | None
    score: float
    refines: bool = True


def next_parent(tree: Sequence[Solution], chance: Random) -> int | None:
    """Which solution the next one refines; None for a new one."""
    here: int | None = None
    while True:
        drawn = [at for at, one in enumerate(tree) if one.parent == here]
        open_ones = [at for at in drawn if tree[at].refines]
        if not open_ones:
            return here
        below = {at: [tree[one].score for one in _below(tree, at)] for at in drawn}
        new = worth((tree[at].score for at in drawn), chance)
        if new >= worth((score for scores in below.values() for score in scores), chance):
            return here
        here = likeliest({at: [tree[at].score, *below[at]] for at in open_ones}, chance)


def most_promising(tree: Sequence[Solution], explore: float, width: int) -> int | None:
    """Which solution the next one refines, by upper confidence bounds (MCTSr, sections 3.2 to 3.4);
    None for a new one, where none may be refined.

    A solution is worth the mean of its own score and of what the best below it is worth. It is
    explored once it was refined ``width`` times, and one of these is better.

    Args:
        explore: Weight of looking where little was tried.
    """
    below: list[list[int]] = [[] for _ in tree]
    for child, one in enumerate(tree):
        if one.parent is not None:
            below[one.parent].append(child)
    values, visits = dict[int, float](), dict[int, int]()
    for at in reversed(range(len(tree))):
        best = max((values[child] for child in below[at]), default=tree[at].score)
        values[at] = (tree[at].score + best) / 2
        visits[at] = 1 + sum(visits[child] for child in below[at])

    def explored(at: int) -> bool:
        return len(below[at]) >= width and any(values[c] > values[at] for c in below[at])

    def bound(at: int) -> float:
        parent = tree[at].parent
        around = len(tree) if parent is None else visits[parent]
        return values[at] + explore * math.sqrt(math.log(around + 1) / visits[at])

    open_ones = [at for at, one in enumerate(tree) if one.refines and not explored(at)]
    return max(open_ones, key=bound, default=None)


def likeliest(arms: Mapping[int, Iterable[float]], chance: Random) -> int:
    """The arm whose worth, drawn by its scores, is highest."""
    drawn = {arm: worth(scores, chance) for arm, scores in arms.items()}
    return max(drawn, key=drawn.__getitem__)


def worth(scores: Iterable[float], chance: Random) -> float:
    """How good an arm may be that had these scores."""
    known = list(scores)
    gained = sum(known)
    return chance.betavariate(_PRIOR + gained, _PRIOR + len(known) - gained)


def _below(tree: Sequence[Solution], root: int) -> list[int]:
    """The solutions that refine one, or what refines it: each stands behind its parent."""
    found = {root}
    for at, one in enumerate(tree):
        if one.parent in found:
            found.add(at)
    return sorted(found - {root})
