"""Threads: go on with a run, look back at one."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import typer

from agentflow.cli.app import (
    EXIT_CODES,
    AsJSON,
    AsPage,
    AsResult,
    ModelOrFile,
    Quiet,
    Where,
    app,
    command,
    echo,
    print_json,
)
from agentflow.cli.solve import of_thread, show
from agentflow.errors import BadInput


@app.command(epilog=EXIT_CODES)
@command
def resume(
    thread: Annotated[str, typer.Argument(help="Its name; `agentflow history` lists them.")],
    feedback: Annotated[
        str | None,
        typer.Option(help="Where the run is paused: the feedback to give; else it is accepted."),
    ] = None,
    checkpoint: Annotated[
        str,
        typer.Option("--from", help="Go on from this checkpoint (`agentflow history THREAD`)."),
    ] = "",
    model: ModelOrFile = None,
    checkpoints: Where = None,
    html: AsPage = None,
    as_json: AsResult = False,
    quiet: Quiet = False,
) -> None:
    """Go on with a run that was interrupted, killed or paused, from its last token.

    A run that had ended gives its result again. With --model the same model is looked for
    elsewhere.
    """
    from agentflow.api import astream_resumed

    if feedback is not None and not feedback.strip():
        raise BadInput(
            f"thread {thread!r} cannot be told {feedback!r}; give the feedback as a text, or leave "
            "--feedback out to accept what is asked"
        )
    where: dict[str, Any] = {"checkpoints": checkpoints, "model": model, "checkpoint": checkpoint}
    again = of_thread("resume", thread, checkpoints)
    show(lambda: astream_resumed(thread, reply=feedback, **where), as_json, quiet, again, html=html)


@app.command()
@command
def history(
    thread: Annotated[
        str | None, typer.Argument(help="A thread; all are listed if absent.")
    ] = None,
    checkpoints: Where = None,
    as_json: AsJSON = False,
) -> None:
    """List the threads, or what one of them went through, oldest first."""
    listed = asyncio.run(_history(thread, checkpoints))
    if as_json:
        print_json(listed)
        return
    run = 1
    for one in listed:
        if thread is not None and one["run"] > run:
            run = one["run"]
            echo(f"run {run}")
        if thread is not None and one["forked"]:
            echo(f"fork from {one['forked']}")
        if thread is None:
            echo(f"{one['began'][:19]}  {one['method']:10}  {one['thread']}")
        else:
            following = "+".join(one["next"]) or "end"
            counts = f"{one['generated']:6} tokens  {one['corrections']:2} corrections"
            echo(f"{one['checkpoint']}  {counts}  {following:8}  {one['what']}".rstrip())


async def _history(thread: str | None, checkpoints: str | None) -> list[dict[str, Any]]:
    from agentflow import threads
    from agentflow.checkpoints import NoThreads, open_checkpoints

    try:
        async with open_checkpoints(checkpoints, make=False) as opened:
            if thread is None:
                return await threads.threads(opened)
            return await threads.history(thread, opened)
    except NoThreads:
        if checkpoints is None and thread is None:  # nothing is wrong: none was begun yet
            return []
        raise
