"""Made things that tests of a file share: each is drawn once, however many ask for it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")


class Drawn(Generic[T]):
    """What an endless source gives, kept."""

    def __init__(self, source: Iterator[T]) -> None:
        self._source, self._kept = source, list[T]()

    def first(self, count: int) -> list[T]:
        """The first so many."""
        self._kept += islice(self._source, max(0, count - len(self._kept)))
        return self._kept[:count]
