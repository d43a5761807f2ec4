"""The solver's labelled solutions as examples: balanced, and held-out problems apart."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path

from agentflow.problem import Problem
from training import game24
from training.cases import facts
from training.cases.case import is_held_out
from training.flawed import TURNS
from training.here import domain
from training.judging.label import Labelled, read
from training.mistakes import Example
from training.texts import by_turns

DOMAINS = tuple(dict.fromkeys(TURNS))


def held_out(name: str, text: str) -> bool:
    """Whether a problem is one of those that are never trained on."""
    if name == "game24":
        return tuple(sorted(map(int, text.split()))) in _puzzles()
    if name == "commonsense":  # what somebody's work was is asked of everybody in training
        named = (one.name for one in facts.people() if one.name in text)
        return not text.startswith("What was") and any(map(is_held_out, named))
    return is_held_out(text)


@cache
def _puzzles() -> frozenset[game24.Numbers]:
    return frozenset(game24.puzzles()[True])


@lru_cache(maxsize=4)
def rows(path: str, *, of_held_out: bool) -> tuple[Labelled, ...]:
    """The rows of a file that are of held-out problems, or those that are not."""
    every = read(Path(path))
    return tuple(one for one in every if held_out(one.domain, one.text) == of_held_out)


Kinds = dict[str, dict[str, list[Labelled]]]
"""Rows by their domain and the kind of their mistake."""


def kinds(given: Iterable[Labelled]) -> Kinds:
    """Rows by domain and kind."""
    found: Kinds = defaultdict(lambda: defaultdict(list))
    for one in given:
        found[one.domain][one.kind].append(one)
    return found


@lru_cache(maxsize=8)
def kinds_in(path: str, *, of_held_out: bool, right: bool = False) -> Kinds:
    """The rows of a file, as :func:`rows` has them; with ``right`` only those without a mistake."""
    return kinds(one for one in rows(path, of_held_out=of_held_out) if not (right and one.kind))


def balanced(rng: random.Random, found: Kinds) -> Iterator[Labelled]:
    """Endless rows: the domains by turns, half of them right; of the others each kind of mistake by
    the root of how often it comes.

    Raises:
        ValueError: If there are none.
    """
    if not found:
        raise ValueError("no labelled solutions")
    for name in by_turns(rng, sorted(found)):
        right, wrong = found[name].get("", []), sorted(kind for kind in found[name] if kind)
        if not wrong or (right and rng.random() < 0.5):
            yield rng.choice(right)
        else:
            (kind,) = rng.choices(wrong, [len(found[name][kind]) ** 0.5 for kind in wrong])
            yield rng.choice(found[name][kind])


@lru_cache(maxsize=200_000)
def problem(name: str, text: str) -> Problem:
    """A problem, parsed by its domain."""
    return domain(name).parse(text)


def example(one: Labelled) -> Example:
    """A row as what checks a solution gets it."""
    return Example(problem(one.domain, one.text), one.steps, one.wrong, one.reason, one.line)
