"""Recorded model outputs, and what a section says of them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Recording:
    """One recorded output.

    Attributes:
        file: The file's name up to its first full stop.
        row: As it was recorded, with ``id``, ``model``, ``task``, ``problem``, ``output``,
            ``thinking``, ``gold`` and ``correct``; all but the first and the output may be None.
    """

    file: str
    row: Row

    @property
    def model(self) -> str:
        """The model, as the source names it."""
        return str(self.row.get("model"))

    @property
    def output(self) -> str:
        """The raw text."""
        return str(self.row["output"])


@dataclass(frozen=True, slots=True)
class Finding:
    """What a section found.

    Attributes:
        rows: Of its table, one for each file and model (or whatever it tells apart).
        holds: Whether its goal holds.
        summary: That, in one line.
        missed: Recordings that miss it, in words, to be looked at.
    """

    rows: Sequence[Row]
    holds: bool
    summary: str
    missed: Sequence[str] = field(default=())


Section = Callable[[Sequence[Recording]], Finding]


def read(folder: Path) -> Iterator[Recording]:
    """The recordings in the files ``*.jsonl.gz`` and ``*.jsonl`` of a folder."""
    for path in sorted([*folder.glob("*.jsonl.gz"), *folder.glob("*.jsonl")]):
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                yield Recording(str(row.get("file") or path.name.partition(".")[0]), row)
