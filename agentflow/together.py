"""Branches side by side: where one fails, the others end with it."""

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
