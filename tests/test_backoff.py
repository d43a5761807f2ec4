"""Trying again with pauses that grow, in virtual time."""

from __future__ import annotations

import asyncio

import pytest

from agentflow.backoff import attempts, outlast
from agentflow.errors import BadInput, ModelUnavailable

pytestmark = pytest.mark.usefixtures("virtual_time")


class Failing:
    """Raises so many errors, then says how often it was called; notes when."""

    def __init__(self, failures: int, error: Exception | None = None) -> None:
        self.failures, self.error = failures, error or ModelUnavailable("gone")
        self.times: list[float] = []

    async def __call__(self) -> int:
        self.times.append(asyncio.get_running_loop().time())
        if len(self.times) <= self.failures:
            raise self.error
        return len(self.times)

    @property
    def pauses(self) -> list[float]:
        pairs = zip(self.times, self.times[1:], strict=False)
        return [round(after - before, 1) for before, after in pairs]


def is_gone(error: BaseException) -> bool:
    return isinstance(error, ModelUnavailable)


async def test_pauses_double_up_to_the_longest() -> None:
    attempt = Failing(8)
    assert await attempts(9, is_gone)(attempt) == 9
    assert attempt.pauses == [0.5, 1, 2, 4, 8, 16, 30, 30]


async def test_attempts_end() -> None:
    attempt = Failing(9)
    with pytest.raises(ModelUnavailable, match="gone"):
        await attempts(3, is_gone)(attempt)
    assert attempt.pauses == [0.5, 1]


async def test_an_error_that_is_not_worth_it_is_raised_at_once() -> None:
    attempt = Failing(1, BadInput("wrong"))
    with pytest.raises(BadInput, match="wrong"):
        await attempts(3, is_gone)(attempt)
    assert len(attempt.times) == 1


async def test_patience_ends_and_is_told_of_once() -> None:
    attempt, told = Failing(99), list[str]()
    with pytest.raises(ModelUnavailable, match="gone"):
        await outlast(attempt, ModelUnavailable, 20, told.append)
    assert attempt.pauses == [0.5, 1, 2, 4, 8, 4.5]  # the last attempt is made when it ends
    assert told == ["gone; waiting up to 20 s"]


async def test_without_patience_there_is_one_attempt() -> None:
    attempt, told = Failing(1), list[str]()
    with pytest.raises(ModelUnavailable):
        await outlast(attempt, ModelUnavailable, 0, told.append)
    assert (len(attempt.times), told) == (1, [])


async def test_what_is_outlasted_gives_its_result() -> None:
    assert await outlast(Failing(3), ModelUnavailable, 60) == 4
