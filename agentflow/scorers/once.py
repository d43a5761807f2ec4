"""What scorers that ask a model share: nothing is asked about twice."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from agentflow.search.path import Path

K = TypeVar("K")


async def scored(
    paths: Sequence[Path],
    keys: Callable[[Path], Sequence[K]],
    known: Mapping[K, float],
    ask: Callable[[Sequence[K]], Awaitable[None]],
) -> list[Path]:
    """The paths with every step scored.

    Args:
        keys: What each step of a path is asked about by, in order.
        known: The scores so far.
        ask: Puts the scores of keys that are not known there; not called where there are none.
    """

    def unscored(path: Path) -> Iterable[K]:
        return keys(path)[len(path.scores) :]

    new = dict.fromkeys(key for path in paths for key in unscored(path) if key not in known)
    if new:
        await ask(list(new))
    return [
        replace(path, scores=(*path.scores, *(known[key] for key in unscored(path))))
        for path in paths
    ]
