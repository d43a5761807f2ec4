"""Trying again what may work later (a server that restarts, a disk that is full), with pauses that
grow."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TypeVar

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    retry_if_exception_type,
    stop_after_attempt,
    wait_exponential,
)

T = TypeVar("T")

FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
"""Seconds before the second attempt, doubled for each further one, and the most."""

_LONGEST_LOOK = 10.0
"""The most, where nothing but the attempt tells that it works again."""


def attempts(most: int, worth: Callable[[BaseException], bool]) -> AsyncRetrying:
    """At most so many attempts, as long as their errors are worth another; the last is raised.

    An error that says ``after`` how many seconds to come again (``retry-after``) is heeded.
    """
    pause = wait_exponential(FIRST_WAIT, LONGEST_WAIT)

    def wait(state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        after: float = getattr(error, "after", None) or 0.0
        return min(max(after, pause(state)), LONGEST_WAIT)

    return AsyncRetrying(
        sleep=asyncio.sleep,
        stop=stop_after_attempt(most),
        wait=wait,
        retry=retry_if_exception(worth),
        reraise=True,
    )


class Rest:
    """How long a server asks to be left alone; whoever asks it next waits, whatever sent them."""

    def __init__(self) -> None:
        self._until = 0.0  # of the event loop's clock

    def ask(self, after: float | None) -> None:
        """The server asks for ``after`` seconds; it gets the longest wait at most."""
        if after:
            now = asyncio.get_running_loop().time()
            self._until = max(self._until, now + min(after, LONGEST_WAIT))

    async def over(self) -> None:
        """Wait until the rest is over."""
        left = self._until - asyncio.get_running_loop().time()
        if left > 0:
            await asyncio.sleep(left)


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
        patience: Seconds behind the first attempt after which its error is raised.
        tell: Told once what is waited for.
    """
    until, pause = monotonic() + patience, wait_exponential(FIRST_WAIT, _LONGEST_LOOK)

    def waits(state: RetryCallState) -> None:
        if state.attempt_number == 1 and state.outcome is not None:
            tell(f"{state.outcome.exception()}; waiting up to {patience:.0f} s")

    retrying = AsyncRetrying(
        sleep=asyncio.sleep,
        stop=lambda state: monotonic() >= until,
        wait=lambda state: max(0.0, min(pause(state), until - monotonic())),
        retry=retry_if_exception_type(errors),
        before_sleep=waits,
        reraise=True,
    )
    return await retrying(attempt)
