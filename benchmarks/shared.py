"""What the benchmarks share: options, the first line of a report, goals, recorded rows."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from agentflow import models
from agentflow.evaluation.runner import Record, load
from agentflow.version import __version__


def options(doc: str | None, check: bool = False, **numbers: int) -> argparse.ArgumentParser:
    """The options of a benchmark, described by its first line: ``--no-check`` where it has goals
    that a slow machine misses, and numbers with their defaults."""
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    if check:
        parser.add_argument("--no-check", action="store_true", help="print only, never fail")
    for name, default in numbers.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    return parser


def of_runs(doc: str | None, out: str, **numbers: int) -> argparse.ArgumentParser:
    """The same of a benchmark that records runs of a model, and reports on them."""
    parser = options(doc, **numbers)
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--out", type=Path, default=Path(out))
    parser.add_argument("--report-only", action="store_true")
    return parser


def header(*about: str) -> None:
    """Print the version, the commit, and what else the figures belong to."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    print(f"agentflow {__version__} ({commit}), {', '.join(about)}\n", flush=True)


async def runs(
    given: argparse.Namespace, measured: Callable[[argparse.Namespace], Awaitable[Any]]
) -> list[Record]:
    """What is measured, or with ``--report-only`` what was recorded before."""
    try:
        return load(given.out) if given.report_only else list(await measured(given))
    finally:
        await models.close_all()


def goal(text: str, met: bool) -> bool:
    """Print whether a goal is met; returns it."""
    print(f"{'met   ' if met else 'MISSED'}  {text}", flush=True)
    return met


def progress(text: str) -> None:
    """Say how far it is, to who watches."""
    if sys.stderr.isatty():
        print(f"\r{text:40}", end="", file=sys.stderr)


def rows_of(*files: Path) -> Iterator[dict[str, Any]]:
    """The rows of JSON-lines files."""
    for file in files:
        with file.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def by_name(records: Iterable[Record], names: Iterable[str]) -> dict[str, list[Record]]:
    """The records of each arm."""
    found = list(records)
    return {name: [record for record in found if record.arm == name] for name in names}


def tokens(records: Sequence[Record]) -> float:
    """Generated tokens a run."""
    return float(mean(record.tokens for record in records))


def all_right(records: Sequence[Record]) -> bool:
    """The goal that what is called verified is right."""
    verified = [record for record in records if record.status == "verified"]
    right = sum(record.right for record in verified)
    text = f"verified answers that are right: {right} of {len(verified)} (goal: all)"
    return goal(text, right == len(verified))
