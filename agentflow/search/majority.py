"""The vote: the answer that most give, or that weighs most."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


async def vote(
    voters: Sequence[T],
    answer: Callable[[T], str | None],
    equal: Callable[[str, str], Awaitable[bool | None]],
    worth: Callable[[Sequence[T]], float] = len,
) -> list[T]:
    """The voters whose answer most give, in their order; none where nobody answers.

    Ties go to the answer given first.

    Args:
        voters: Who votes.
        answer: What a voter gives; None for nothing.
        equal: Whether two answers are the same.
        worth: What those count who give the same answer; :func:`summed` by the voter.
    """
    groups: list[tuple[str, list[T]]] = []
    for voter in voters:
        given = answer(voter)
        if given is None:
            continue
        for known, group in groups:
            if given == known or await equal(given, known):
                group.append(voter)
                break
        else:
            groups.append((given, [voter]))
    return max((group for _, group in groups), key=worth, default=[])


def summed(weight: Callable[[T], float]) -> Callable[[Sequence[T]], float]:
    """What voters count together, each by itself ``weight``."""
    return lambda group: sum(map(weight, group))
