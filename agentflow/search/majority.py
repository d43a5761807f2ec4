"""Majority vote: the answer that most trajectories give, whatever their steps."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from agentflow.search.path import Path
from agentflow.search.protocol import Expander, Found
from agentflow.search.together import together

T = TypeVar("T")


async def majority(
    expander: Expander,
    n: int,
    answer: Callable[[Path], str | None],
    equal: Callable[[str, str], Awaitable[bool | None]],
    *place: str | int,
    max_steps: int = 100,
) -> Found:
    """Finish ``n`` independent trajectories at once and choose the answer that most of them give.

    Args:
        answer: What a trajectory answers; one that answers nothing has no vote.
        equal: Whether two answers are the same.
        place, max_steps: As for :func:`~agentflow.search.best_of_n.best_of_n`.

    Returns:
        ``best`` is the first trajectory with that answer; ties go to the answer given first.

    Raises:
        ValueError: If ``n`` is less than 1.
    """
    if n < 1:
        raise ValueError(f"majority of {n}: at least one trajectory is needed")
    paths = await together(expander.finish(Path(), *place, i, steps=max_steps) for i in range(n))
    return Found((await vote(paths, answer, equal) or paths)[0], tuple(paths))


async def vote(
    voters: Sequence[T],
    answer: Callable[[T], str | None],
    equal: Callable[[str, str], Awaitable[bool | None]],
) -> list[T]:
    """The voters whose answer most give, in their order; none where nobody answers.

    Ties go to the answer given first.
    """
    groups: list[tuple[str, list[T]]] = []
    for voter in voters:
        said = answer(voter)
        if said is None:
            continue
        for known, group in groups:
            if said == known or await equal(said, known):
                group.append(voter)
                break
        else:
            groups.append((said, [voter]))
    return max((group for _, group in groups), key=len, default=[])
