"""What every method does today, one row a run: ``python tests/golden/golden.py [--check]``.

Rows of scripted worlds are the same on every machine. Those of the bundled model depend on the
processor's arithmetic: the file's first line has a fingerprint of the engine that wrote it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import bundled_model
import model_arms
from golden_row import Row, key_of, line
from judged_worlds import WORLDS as JUDGED
from scripted_worlds import play
from searched_worlds import WORLDS as SEARCHED
from streamed_worlds import WORLDS as STREAMED

from agentflow.problem import Problem

FILE = Path(__file__).with_name("golden.jsonl")
WORLDS = [*STREAMED, *JUDGED, *SEARCHED]
OTHER_ENGINE = (
    "this machine's engine is not the recorded one: of the bundled model's rows only what holds "
    "anywhere can be compared (a stated status, verified answers right, the ledger's sums)"
)
Run = tuple[model_arms.Arm, str, Problem]
_SHOWN = 20
"""Rows that a comparison shows."""


def engine() -> Row:
    """The file's first line."""
    return {"part": "engine", "fingerprint": bundled_model.fingerprint()}


def is_ours(file: Path = FILE) -> bool:
    """Whether an engine like this machine's wrote the file."""
    return file.exists() and read("engine", file) == [engine()]


async def scripted() -> list[Row]:
    """The rows of all scripted worlds."""
    return [await play(name, world) for name, world in WORLDS]


def write(rows: Iterable[Row], file: Path = FILE) -> None:
    """Write the file anew."""
    file.write_text("".join(map(line, sorted(rows, key=key_of))), encoding="utf-8")


def read(part: str, file: Path = FILE) -> list[Row]:
    """The recorded rows of a part."""
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
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


async def modelled(runs: Iterable[Run]) -> tuple[list[Row], list[str]]:
    """The rows of the bundled model's runs, and what is wrong with them wherever they are run."""
    rows, faults = list[Row](), list[str]()
    async for row, wrong in bundled_model.rows(runs):
        rows.append(row)
        faults += wrong
    return rows, faults


def sample() -> list[Run]:
    """A run of every arm, drawn by a fixed seed from the third that took the fewest tokens."""
    draw = random.Random(0)
    tokens = {
        key_of(row): sum(sum(counts[1:]) for counts in row["tokens"].values())
        for row in read("model")
    }
    by_arm: dict[tuple[str, str], list[Run]] = {}
    for run in model_arms.runs():
        by_arm.setdefault((run[0].method, run[0].name), []).append(run)
    short = [
        sorted(of_arm, key=lambda run: tokens.get(named(*run), 0))[: max(2, len(of_arm) // 3)]
        for of_arm in by_arm.values()
    ]
    return [draw.choice(of_arm) for of_arm in short]


def named(arm: model_arms.Arm, domain: str, problem: Problem) -> tuple[str, ...]:
    """The key of a run's row."""
    return ("model", arm.method, arm.name, f"{domain} {problem.id}")


async def add(file: Path) -> int:
    """Add the rows that the file lacks, and take out those of runs that there are no more."""
    recorded = {key_of(row): row for part in ("scripted", "model") for row in read(part, file)}
    runs = {named(*run): run for run in model_arms.runs()}
    rows, faults = await modelled(run for key, run in runs.items() if key not in recorded)
    played = [row for row in await scripted() if key_of(row) not in recorded]
    wanted = {*runs, *(("scripted", world.method, name, world.problem) for name, world in WORLDS)}
    write(
        [engine(), *played, *rows, *(row for key, row in recorded.items() if key in wanted)], file
    )
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


async def main(check: bool, file: Path, methods: Sequence[str]) -> int:
    """Write the file, or compare with it; the exit status.

    Args:
        methods: Whose rows; empty for all.
    """

    def meant(method: str) -> bool:
        return not methods or method in methods

    def of(part: str) -> list[Row]:
        return [row for row in read(part, file) if meant(row["method"])]

    rows, faults = await modelled(run for run in model_arms.runs() if meant(run[0].method))
    played = [row for row in await scripted() if meant(row["method"])]
    same = is_ours(file)
    if not same:
        print(OTHER_ENGINE)
    lines = list[str]()
    if not check:
        kept = [*read("scripted", file), *read("model", file)] if methods else []
        others = [row for row in kept if not meant(row["method"])]
        write([engine(), *others, *played, *rows], file)
    else:
        lines = moved(of("scripted"), played)
        if same:
            lines += moved(of("model"), rows)
        print(report(lines) if lines else "all that was compared is as recorded")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults or lines else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the file")
    parser.add_argument("--file", type=Path, default=FILE)
    parser.add_argument("--methods", nargs="*", default=[], help="only these; all by default")
    parser.add_argument("--add", action="store_true", help="only rows that the file lacks")
    given = parser.parse_args()
    if given.add:
        sys.exit(asyncio.run(add(given.file)))
    sys.exit(asyncio.run(main(given.check, given.file, given.methods)))
