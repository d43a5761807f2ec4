"""The demo: the arms of the comparison on the same held-out puzzles."""

from __future__ import annotations

import asyncio
import tempfile
from math import nan
from pathlib import Path
from statistics import mean

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from agentflow import models
from agentflow.evaluation import datasets
from agentflow.evaluation.records import Arm, by_arm
from agentflow.evaluation.runner import ARMS, Record, run
from agentflow.problem import Problem

SHOWN = (*ARMS, Arm("unified", "unified"))
"""What is compared."""


def demo(puzzles: int, seed: int, model: str, console: Console) -> None:
    """Run every arm on ``puzzles`` held-out puzzles and print the table."""
    problems = datasets.sample(puzzles)
    console.print(
        f"Game of 24: {len(problems)} puzzles that the model never saw, "
        f"{len(SHOWN)} methods, the same seed ({seed}).\n"
    )
    console.print(_table(asyncio.run(_run(problems, seed, model, console))))
    console.print(_READING)


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
                concurrency=models.engines(model, len(SHOWN)),
                settings={"cache": "run"},  # side by side they are what they are one by one
                on_record=lambda record: progress.advance(bars[record.arm]),
            )
        finally:
            await models.close_all()


def _table(records: list[Record]) -> Table:
    """Without intervals, which need more packages than agentflow brings."""
    shown, arms = Table(), by_arm(records)
    for heading in ("method", "right", "sound", "tokens", "wasted", "time", "corrections"):
        shown.add_column(heading, justify="left" if heading == "method" else "right")
    base = arms.get(ARMS[0].name, [])
    for arm, runs in arms.items():
        given = [record.right for record in runs if record.answer is not None]
        relative = [
            mean(getattr(r, name) for r in runs) / (mean(getattr(r, name) for r in base) or nan)
            for name in ("tokens", "seconds")
            if base
        ] or [nan, nan]
        shown.add_row(
            arm,
            f"{100 * mean(record.right for record in runs):.0f} %",
            f"{100 * mean(given):.0f} %" if given else "–",
            f"{relative[0]:.2f} x",
            f"{mean(record.wasted for record in runs):.0f}",
            f"{relative[1]:.2f} x",
            f"{mean(record.corrections for record in runs):.2f}",
        )
    return shown


_READING = (
    "right: right answers over all puzzles. sound: right among the answers given. tokens and time: "
    "relative to direct, tokens that were cut away included. wasted: tokens cut away a puzzle. "
    "corrections: a puzzle. The model is a small one trained on small problems: the figures "
    "compare methods, not models."
)
