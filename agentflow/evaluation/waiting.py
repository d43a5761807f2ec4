"""Waiting for what is gone for a while: a server that restarts, a disk that is full."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    stop_after_delay,
    wait_exponential,
)

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
        patience: Seconds after which its error is raised.
        tell: Told once what is waited for.
    """

    def wait(state: RetryCallState) -> float:
        doubled = wait_exponential(multiplier=_FIRST_WAIT, max=_LONGEST_WAIT)(state)
        return min(doubled, max(0.0, patience - (state.seconds_since_start or 0.0)))

    def said(state: RetryCallState) -> None:
        if state.attempt_number == 1 and state.outcome:
            tell(f"{state.outcome.exception()}; waiting up to {patience:.0f} s")

    return await AsyncRetrying(
        retry=retry_if_exception_type(errors),
        stop=stop_after_delay(patience),
        wait=wait,
        before_sleep=said,
        reraise=True,
    )(attempt)
