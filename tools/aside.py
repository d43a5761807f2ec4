"""Work in a worker thread that nobody is left waiting for: what it has others do is stopped, and it
begins nothing further."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class _Waiting:
    """Somebody who waits for a thread's work, or has left."""

    def __init__(self) -> None:
        self._lock, self._left = Lock(), False
        self._stops: list[Callable[[], None]] = []

    def leave(self) -> None:
        """Stop what is under way, and all that is begun from now on."""
        with self._lock:
            self._left = True
            for stop in self._stops:
                stop()

    def see(self) -> None:
        if self._left:
            raise asyncio.CancelledError

    @contextmanager
    def stopping(self, stop: Callable[[], None]) -> Iterator[None]:
        with self._lock:
            self.see()
            self._stops.append(stop)
        try:
            yield
        finally:
            with self._lock:
                self._stops.remove(stop)
        self.see()


_WAITING: ContextVar[_Waiting | None] = ContextVar("waiting", default=None)


async def aside(function: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """What a function returns that blocks, in a worker thread. Where this is cancelled, what the
    function does within :func:`stopping` is stopped."""
    waiting = _Waiting()
    token = _WAITING.set(waiting)
    try:
        return await asyncio.to_thread(function, *given, **named)
    except asyncio.CancelledError:
        waiting.leave()
        raise
    finally:
        _WAITING.reset(token)


@contextmanager
def stopping(stop: Callable[[], None]) -> Iterator[None]:
    """Have ``stop`` called, in another thread, once whoever waits for this one's work has left.

    Raises:
        CancelledError: If they have, before or meanwhile: what came of the block is of no use.
    """
    waiting = _WAITING.get()
    if waiting is None:
        yield
        return
    with waiting.stopping(stop):
        yield
