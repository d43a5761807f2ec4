"""Branches side by side: where one fails, the others end with it; work that is not left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


async def together(branches: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """What the branches come to, in their order; all run at once."""
    tasks = [asyncio.ensure_future(branch) for branch in branches]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def to_its_end(task: asyncio.Task[T]) -> T:
    """What a task comes to. Who is cancelled meanwhile, be it again and again, cancels it once, and
    waits until it has put away what it had open."""
    import anyio

    try:
        return await asyncio.shield(task)
    finally:
        if not task.done():
            task.cancel()
            with anyio.CancelScope(shield=True):
                await asyncio.gather(task, return_exceptions=True)
