"""What scorers that ask a model share: nothing is asked about twice."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from agentflow.search.path import Path

UNSURE = 0.5
"""A score that says neither right nor wrong (adaptive, appendix B.6)."""

K = TypeVar("K")


async def scored(
    paths: Sequence[Path],
    keys: Callable[[Path], Sequence[K]],
    known: Mapping[K, float | None],
    ask: Callable[[Sequence[K]], Awaitable[None]],
    unscored: set[tuple[str, ...]] | None = None,
) -> list[Path]:
    """The paths with every step scored.

    Args:
        keys: What each step of a path is asked about by, in order.
        known: The scores so far; None where nothing was said that can be read.
        ask: Puts the scores of keys that are not known there; not called where there are none.
        unscored: Gets the steps up to each one whose score is None; it counts as :data:`UNSURE`.
    """

    def left(path: Path) -> Iterable[K]:
        return keys(path)[len(path.scores) :]

    new = dict.fromkeys(key for path in paths for key in left(path) if key not in known)
    if new:
        await ask(list(new))
    return [_with(path, [known[key] for key in left(path)], unscored) for path in paths]


def _with(path: Path, given: Sequence[float | None], unscored: set[tuple[str, ...]] | None) -> Path:
    for end, score in enumerate(given, len(path.scores) + 1):
        if score is None and unscored is not None:
            unscored.add(path.steps[:end])
    scores = (UNSURE if score is None else score for score in given)
    return replace(path, scores=(*path.scores, *scores))
