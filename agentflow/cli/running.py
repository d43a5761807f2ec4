"""What the commands share that run many problems into a file of records."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from agentflow.cli.app import echo
from agentflow.errors import BadInput
from agentflow.files import see_folder

Limit = Annotated[int | None, typer.Option(min=1, help="Only the first so many problems.")]
Seeds = Annotated[int, typer.Option(min=1, help="How many seeds each problem is run with.")]
Concurrency = Annotated[
    int,
    typer.Option(
        min=1, help="Problems at once, on each server; a model file gets an engine a core for them."
    ),
]
MaxTokens = Annotated[
    int | None, typer.Option(help="Generated tokens of a whole run, all roles and samples.")
]
Timeout = Annotated[float | None, typer.Option(help="Seconds that a whole run may take.")]
MaxCost = Annotated[
    float | None, typer.Option(help="Dollars that a whole run may cost, by its models' prices.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with a file that is there.")]


def limits(
    max_tokens: int | None, timeout: float | None, max_cost: float | None
) -> dict[str, float]:
    """The options that limit a run, as settings; those that were given."""
    given = {"max_tokens": max_tokens, "timeout": timeout, "max_cost": max_cost}
    return {name: value for name, value in given.items() if value is not None}


def fresh(out: Path, resume: bool) -> None:
    """See that a file can be written, and is only gone on with where that is wanted.

    Raises:
        BadInput: If it cannot, is a pipe or a device, or is there and it is not wanted.
    """
    if out.is_dir():
        raise BadInput(f"{out}: is a folder; name a file in it")
    if out.exists() and not out.is_file():  # a pipe would be waited for, a device read without end
        raise BadInput(f"{out}: is no file; records need one")
    see_folder(out.parent)
    if out.exists() and not resume:
        raise BadInput(f"{out} is there already; --resume goes on with it, or name another file")


def tell_skipped(skipped: Sequence[str], used: int, name: str = "") -> None:
    """Say once how many rows are skipped, and why the first ones are.

    Args:
        used: How many are not.
        name: Of their dataset, where the reasons do not name it.
    """
    from agentflow.evaluation.tables import shown

    if skipped:
        why = shown([" ".join(one.split())[:200] for one in skipped], 3)
        at = name and f"{name}: "
        echo(f"{at}{len(skipped)} of {used + len(skipped)} rows skipped: {why}", err=True)


def finished(running: Any, out: Path | None = None) -> Any:
    """What an awaitable comes to; the models' clients are closed after it.

    Raises:
        KeyboardInterrupt: At Ctrl-C, with what goes on with the records in ``out``.
    """
    from agentflow import models

    async def run() -> Any:
        try:
            return await running
        finally:
            await models.close_all()

    try:
        return asyncio.run(run())
    except KeyboardInterrupt:
        if out is None:
            raise
        raise KeyboardInterrupt(
            f"interrupted; {out} holds the finished runs, and --resume goes on with it"
        ) from None


def failures(lines: Sequence[str], quiet: bool = False) -> None:
    """Name the first runs that failed, and end with 3 if there is one."""
    for line in [] if quiet else lines[:5]:
        echo(f"failed: {line}", err=True)
    if lines:
        raise typer.Exit(3)


@contextmanager
def progress(total: int, right: Sequence[bool], quiet: bool) -> Iterator[Callable[[bool], None]]:
    """A bar on standard error with the time left and the accuracy so far; elsewhere than on a
    terminal a line now and then, 20 at most.

    Args:
        total: Runs there will be.
        right: Of those that are done, whether they were right.

    Yields:
        What is told of every further one.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    done, good = len(right), sum(right)
    console = Console(stderr=True)
    lines = not (quiet or console.is_terminal)  # where a bar could only leave its last state
    off = quiet or lines
    step = max(1, total // 20)
    with Progress(*columns, console=console, disable=off, refresh_per_second=2) as bars:
        bar = bars.add_task("", total=total, completed=done)

        def tell(is_right: bool) -> None:
            nonlocal done, good
            done, good = done + 1, good + is_right
            accuracy = f"{100 * good / done:.1f} % right"
            bars.update(bar, advance=1, description=accuracy)
            if lines and (done % step == 0 or done == total):
                echo(f"{done} of {total} runs, {accuracy}", err=True)

        yield tell
