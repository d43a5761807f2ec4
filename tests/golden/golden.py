"""What every method does today, one row a run: ``python tests/golden/golden.py [--check]``.

Rows of scripted worlds are the same on every machine. Those of the bundled model depend on the
processor's arithmetic: the file's first line has a fingerprint of the engine that wrote it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from golden_row import Row, key_of, line
from judged_worlds import WORLDS as JUDGED
from scripted_worlds import play
from searched_worlds import WORLDS as SEARCHED
from streamed_worlds import WORLDS as STREAMED

FILE = Path(__file__).with_name("golden.jsonl")
WORLDS = [*STREAMED, *JUDGED, *SEARCHED]
_SHOWN = 20
"""Rows that a comparison shows."""


async def scripted() -> list[Row]:
    """The rows of all scripted worlds."""
    return [await play(name, world) for name, world in WORLDS]


def write(rows: Iterable[Row]) -> None:
    """Write the file anew."""
    FILE.write_text("".join(map(line, sorted(rows, key=key_of))), encoding="utf-8")


def read(part: str) -> list[Row]:
    """The recorded rows of a part."""
    rows = map(json.loads, FILE.read_text(encoding="utf-8").splitlines())
    return [row for row in rows if row["part"] == part]


def moved(recorded: Sequence[Row], found: Sequence[Row]) -> list[str]:
    """A line for every row that is not as recorded: which of its fields were and are what."""
    before, now = ({key_of(row): row for row in rows} for rows in (recorded, found))
    lines = []
    for key in sorted(before.keys() | now.keys()):
        old, new = before.get(key, {}), json.loads(line(now.get(key, {})))
        fields = [name for name in {**old, **new} if old.get(name) != new.get(name)]
        where = " / ".join(key[1:])
        if not old or not new:
            lines.append(f"{where}: {'a new row' if new else 'no longer there'}")
        elif fields:
            lines.append(f"{where}: " + "; ".join(f"{f} {_pair(old, new, f)}" for f in fields))
    return lines


def _pair(old: Row, new: Row, field: str) -> str:
    return f"{json.dumps(old.get(field))} -> {json.dumps(new.get(field))}"


def report(lines: Sequence[str]) -> str:
    """The rows that moved, and which methods they are of."""
    methods = Counter(one.partition(" / ")[0] for one in lines)
    count = ", ".join(f"{method} {number}" for method, number in methods.items())
    more = [f"and {len(lines) - _SHOWN} more"] if len(lines) > _SHOWN else []
    return "\n".join([f"{len(lines)} rows moved: {count}", *lines[:_SHOWN], *more])


async def main(check: bool) -> int:
    """Write the file, or compare with it; the exit status."""
    rows = await scripted()
    if not check:
        write(rows)
        return 0
    lines = moved(read("scripted"), rows)
    print(report(lines) if lines else f"{len(rows)} rows are as recorded")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main("--check" in sys.argv)))
