"""Waiting for what is gone for a while: a server that restarts, a disk that is full."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TypeVar

T = TypeVar("T")

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 10.0
"""Seconds before the second attempt, doubled for each further one, and the most."""


def silent(text: str) -> None:
    """Tell nobody."""


async def outlast(
    attempt: Callable[[], Awaitable[T]],
    errors: type[Exception],
    patience: float,
    tell: Callable[[str], None] = silent,
) -> T:
    """What ``attempt`` comes to once it succeeds.

    Args:
        errors: What it raises as long as it is worth another try.
        patience: Seconds behind the first failure after which its error is raised.
        tell: Told once what is waited for.
    """
    wait, since, told = _FIRST_WAIT, monotonic(), False
    while True:
        try:
            return await attempt()
        except errors as error:
            left = since + patience - monotonic()
            if left <= 0:
                raise
            if not told:
                tell(f"{error}; waiting up to {patience:.0f} s")
                told = True
        await asyncio.sleep(min(wait, left))
        wait = min(2 * wait, _LONGEST_WAIT)
