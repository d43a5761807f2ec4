"""Whether everything can be given something of its own."""

from __future__ import annotations

from collections.abc import Sequence


def matched(table: Sequence[Sequence[bool]]) -> bool:
    """Whether every row can be given a column of its own that it allows."""
    taken: dict[int, int] = {}

    def place(row: int, seen: set[int]) -> bool:
        for column, allowed in enumerate(table[row]):
            if allowed and column not in seen:
                seen.add(column)
                if column not in taken or place(taken[column], seen):
                    taken[column] = row
                    return True
        return False

    return all(place(row, set()) for row in range(len(table)))
