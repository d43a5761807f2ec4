"""The demo: the arms of the comparison on the same held-out puzzles."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from agentflow import models
from agentflow.evaluation import datasets
from agentflow.evaluation.report import Row, rows
from agentflow.evaluation.runner import ARMS, Arm, Record, run
from agentflow.problem import Problem

SHOWN = (*ARMS, Arm("unified", "unified"))
"""What is compared."""


def demo(puzzles: int, seed: int, model: str, console: Console) -> list[Row]:
    """Run every arm on ``puzzles`` held-out puzzles and print the table."""
    held_out = datasets.load("game24", "game24")
    problems = held_out[:: max(1, len(held_out) // puzzles)][:puzzles]
    console.print(
        f"Game of 24: {len(problems)} puzzles that the model never saw, "
        f"{len(SHOWN)} methods, the same seed ({seed}).\n"
    )
    table = rows(asyncio.run(_run(problems, seed, model, console)))
    console.print(_table(table))
    console.print(_READING)
    return table


async def _run(problems: list[Problem], seed: int, model: str, console: Console) -> list[Record]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    width = max(len(arm.name) for arm in SHOWN)
    with tempfile.TemporaryDirectory() as folder, Progress(*columns, console=console) as progress:
        bars = {a.name: progress.add_task(a.name.ljust(width), total=len(problems)) for a in SHOWN}
        try:
            return await run(
                SHOWN,
                problems,
                [seed],
                Path(folder) / "records.jsonl",
                model=model,
                on_record=lambda record: progress.advance(bars[record.arm]),
            )
        finally:
            await models.close_all()


def _table(table: list[Row]) -> Table:
    shown = Table()
    for heading in ("method", "right", "sound", "tokens", "wasted", "time", "corrections"):
        shown.add_column(heading, justify="left" if heading == "method" else "right")
    for row in table:
        shown.add_row(
            row.arm,
            f"{100 * row.accuracy.value:.0f} %",
            "–" if row.sound is None else f"{100 * row.sound:.0f} %",
            f"{row.relative_tokens:.2f} x",
            f"{row.wasted:.0f}",
            f"{row.relative_seconds:.2f} x",
            f"{row.corrections:.2f}",
        )
    return shown


_READING = (
    "right: right answers over all puzzles. sound: right among the answers given. tokens and time: "
    "relative to direct, tokens that were cut away included. wasted: tokens cut away a puzzle. "
    "corrections: a puzzle. The model is a small one trained on small problems: the figures "
    "compare methods, not models."
)
