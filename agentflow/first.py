"""The first part of a list that only grows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeVar, overload

T = TypeVar("T")


class First(Sequence[T]):
    """The first ``count`` items of a list that only grows, without a copy of them."""

    def __init__(self, items: list[T], count: int) -> None:
        self._items, self._count = items, count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[T]:
        return islice(self._items, self._count)

    def __reversed__(self) -> Iterator[T]:
        return map(self._items.__getitem__, range(self._count - 1, -1, -1))

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        places = range(self._count)[index]
        if isinstance(places, int):
            return self._items[places]
        return [self._items[place] for place in places]
