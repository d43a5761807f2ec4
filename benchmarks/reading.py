"""What share of real problems and recorded solutions is read, by data set.

    python benchmarks/domains.py --data FOLDER        # prints these rows behind the costs

``FOLDER`` has the layout of ``tests/data``, whose samples are the default: ``zebralogic``,
``folio`` and ``spatialeval``, each with JSON lines.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from programs.logic import Unreadable, entailment
from shared import rows_of

from agentflow import domains
from agentflow.domains.zebra import puzzle
from agentflow.errors import BadInput
from agentflow.judge import steps

Row = tuple[str, int, int]
"""What is counted, how many were read, and of how many."""

SAMPLES = Path(__file__).parents[1] / "tests" / "data"


def files(folder: Path, *patterns: str) -> list[Path]:
    """The files in a folder whose names fit a pattern; none without it."""
    return [path for pattern in patterns for path in sorted(folder.glob(pattern))]


def clues(data: Path) -> Row:
    """Clues of ZebraLogic."""
    read = of = 0
    for row in rows_of(*files(data / "zebralogic", "*.jsonl")):
        problem = domains.get("zebra").parse(row["chat_history"][0])
        count = len(puzzle.parse(problem.text).clues)
        of += count
        read += count - len(problem.data["unread"])
    return "ZebraLogic: clues", read, of


def formulas(data: Path) -> Row:
    """Problems of FOLIO in its own formulas."""
    read = of = 0
    for row in rows_of(*files(data / "folio", "validation.jsonl", "sample.jsonl")):
        of += 1
        try:
            entailment(list(row["premises-FOL"]), [row["conclusion-FOL"]])
        except Unreadable:
            continue
        read += 1
    return "FOLIO: problems in formulas", read, of


def mazes(data: Path) -> Row:
    """Recorded traces of mazes: those in which every step was read."""
    return "mazes: recorded traces without an unread step", *_traces("maze", data, "maze*.jsonl")


def maps(data: Path) -> Row:
    """Worked maps: those in which every step was read."""
    return "maps: worked solutions without an unread step", *_traces(
        "spatialmap", data, "*map*.jsonl"
    )


def _traces(name: str, data: Path, pattern: str) -> tuple[int, int]:
    read = of = 0
    for row in rows_of(*files(data / "spatialeval", pattern)):
        of += 1
        domain = domains.get(name)
        text = row.get("problem") or f"{row['map']}\n\n{row['question']}"
        trace = row.get("trace") or row["worked_answer"]
        try:
            found = list(steps(domain, domain.parse(text), trace))
        except BadInput:
            continue
        read += bool(found) and all(step.data.get("claim") != "unread" for step in found)
    return read, of


SETS: tuple[Callable[[Path], Row], ...] = (clues, formulas, mazes, maps)


def shares(data: Path = SAMPLES) -> list[Row]:
    """A row for each set that is there."""
    return [row for row in (count(data) for count in SETS) if row[2]]
