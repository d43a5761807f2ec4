"""Work in a thread that is not left behind."""

from __future__ import annotations

import asyncio
from threading import Event

import pytest

from agentflow.tools.aside import aside, stopping


async def test_what_it_comes_to() -> None:
    def work(one: int, *, two: int) -> int:
        with stopping(lambda: None):
            return one + two

    assert await aside(work, 1, two=2) == 3
    with pytest.raises(ZeroDivisionError):
        await aside(lambda: 1 // 0)


def test_without_anybody_who_waits_nothing_is_stopped() -> None:
    did = list[str]()
    with stopping(lambda: did.append("stopped")):
        did.append("worked")
    assert did == ["worked"]


@pytest.mark.parametrize("begun", [True, False])
async def test_who_leaves_stops_what_is_under_way_and_what_would_follow(begun: bool) -> None:
    here, stop, ends = Event(), Event(), list[str]()

    def work() -> None:
        try:
            if not begun:
                here.set()
                stop.wait()
            with stopping(stop.set):
                here.set()
                ends.append("begun")
                stop.wait()
            ends.append("went on")
        except asyncio.CancelledError:
            ends.append("left")

    task = asyncio.ensure_future(aside(work))
    await asyncio.to_thread(here.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    if not begun:
        stop.set()
    await asyncio.get_running_loop().shutdown_default_executor()
    assert ends == (["begun", "left"] if begun else ["left"])
