"""What searches are written on: who expands a path, who scores it, what a path is worth."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from math import fsum, isqrt, prod
from typing import Literal, Protocol

from agentflow.problem import Problem
from agentflow.search.path import Path

Aggregate = Literal["mean", "min", "last", "product"]
"""How the scores of a path's steps become its reward."""


class Stepper(Protocol):
    """Goes on from a path by one step.

    A path that comes back with no new step and not done cannot go on: a budget is spent.
    """

    async def expand(self, path: Path, n: int, *place: str | int) -> list[Path]:
        """``n`` continuations by one step each, independent of each other.

        Args:
            place: Where in the search; it takes part in the seeds of requests.
        """


class Expander(Stepper, Protocol):
    """Goes on from a path by one step, or to its end."""

    async def finish(self, path: Path, *place: str | int, steps: int | None = None) -> Path:
        """The path continued to its end, or by so many steps."""


class Scorer(Protocol):
    """Says how valid each step of a path is.

    One that asks a model may have the attribute ``unscored``: a set that holds the steps up to each
    one of which the model said nothing that can be read.

    Attributes:
        name: Who says so, for people.
    """

    @property
    def name(self) -> str: ...

    async def score(self, problem: Problem, paths: Sequence[Path]) -> list[Path]:
        """The same paths, every step scored; a score that a path has already is kept.

        Deterministic: the same steps get the same scores.
        """


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to.

    Attributes:
        best: The path it chose.
        paths: All that were left to choose from, the best one among them.
        notes: What went wrong with scores on the way, in words.
    """

    best: Path
    paths: tuple[Path, ...]
    notes: tuple[str, ...] = ()


_AGGREGATES: dict[Aggregate, Callable[[Sequence[float]], float]] = {
    "mean": lambda scores: fsum(scores) / len(scores),
    "min": min,
    "last": lambda scores: scores[-1],
    "product": prod,
}


def reward(path: Path, aggregate: Aggregate = "mean") -> float:
    """R of a path (adaptive compute, equation 1, for the mean); 0 for one without scored steps."""
    return _AGGREGATES[aggregate](path.scores) if path.scores else 0.0


def grown(path: Path, continuations: Sequence[Path]) -> list[Path]:
    """Those that went on from ``path``: they have another step, or ended."""
    return [one for one in continuations if one.done or len(one.steps) > len(path.steps)]


async def step_by_step(
    path: Path, grow: Callable[[Path], Awaitable[Path]], steps: int | None
) -> Path:
    """The path continued to its end, or by so many steps, each by itself; as far as it can go on.

    Args:
        grow: The path with one step more, or as it is.
    """
    end = None if steps is None else len(path.steps) + steps
    while not path.done and len(path.steps) != end:
        longer = await grow(path)
        if len(longer.steps) == len(path.steps):
            return longer
        path = longer
    return path


def shares(total: int, places: int) -> list[int]:
    """``total`` cut into so many parts, as even as can be; the first ones are the larger."""
    return [total // places + (i < total % places) for i in range(places)]


def ways(param: int) -> int:
    """Into how many a search's parameter is cut: so many candidates behind each of as many
    prefixes, or so many roll-outs of as many steps. It is the square root, rounded up.

    The search's parameter is what it generates at each step, in steps, whatever the strategy: in
    adaptive compute's tables 5 and 6 best of n, beam and lookahead cost the same at the same
    parameter, and ten times what they cost at one.
    """
    return isqrt(param - 1) + 1 if param > 1 else 1
