"""Solve one problem."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from agentflow.cli.app import (
    EXIT_CODES,
    AsPage,
    AsResult,
    Context,
    ModelOrFile,
    Quiet,
    Stopped,
    Threads,
    Where,
    app,
    command,
    echo,
    on_engine,
    print_json,
    text_given,
)
from agentflow.cli.running import MaxCost, MaxTokens, Timeout, limits
from agentflow.errors import AgentflowError, BadInput, ModelUnavailable, Paused, StreamBroken
from agentflow.files import see_writable, standard_input
from agentflow.graphs import DEFAULT

if TYPE_CHECKING:
    from agentflow.progress import Event
    from agentflow.run import Result
    from agentflow.show import Display

_LONGEST_PROBLEM = 1_000_000


class _TakesNumbers(TyperCommand):
    """A command whose argument may start with a minus and a digit: that is no option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Hide the minus behind a space."""
        return super().parse_args(ctx, [f" {a}" if re.match(r"-\d", a) else a for a in args])


@app.command(cls=_TakesNumbers, epilog=EXIT_CODES)
@command
def solve(
    problem: Annotated[
        list[str] | None, typer.Argument(help="The problem; from standard input if absent or -.")
    ] = None,
    domain: Annotated[
        str | None, typer.Option(help="See `agentflow domains`; game24 if no file says another.")
    ] = None,
    method: Annotated[str, typer.Option(help="See `agentflow methods`.")] = DEFAULT,
    model: ModelOrFile = None,
    context: Context = None,
    threads: Threads = None,
    seed: Annotated[
        int | None,
        typer.Option(
            help="Seed of the run: the same seed repeats it, unless a server rounds otherwise "
            "for what it computes beside it or holds in its cache.",
        ),
    ] = None,
    max_tokens: MaxTokens = None,
    timeout: Timeout = None,
    max_cost: MaxCost = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Any setting of the method (`agentflow methods --verbose`); may be repeated.",
        ),
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(
            "--settings",
            metavar="FILE",
            envvar="AGENTFLOW_SETTINGS",
            help="A TOML file of settings; options given here win.",
        ),
    ] = None,
    thread: Annotated[
        str | None,
        typer.Option(help="Write the run down under this name, to be resumed and looked back at."),
    ] = None,
    checkpoints: Where = None,
    html: AsPage = None,
    as_json: AsResult = False,
    quiet: Quiet = False,
) -> None:
    """Solve one problem, and show how."""
    if checkpoints is not None and thread is None:
        raise BadInput("--checkpoints: give --thread NAME, too; a run without it is not kept")
    text = _problem(problem)
    options = {"domain": domain, "seed": seed, **limits(max_tokens, timeout, max_cost)}
    values = beside_options(options, settings or [], model=model)
    if file is not None:
        from agentflow import settings_file

        values = settings_file.over(settings_file.load(file, method), values)
    from agentflow.api import astream
    from agentflow.arguments import arguments_of, settings_for, with_solver

    settings_for(method, **values)
    if context or threads:
        model = on_engine(model or values.get("model", "embedded"), context, threads)
    values = arguments_of(values) if model is None else with_solver(values, model)
    values |= {"thread": thread, "checkpoints": checkpoints}

    again = of_thread("resume", thread, checkpoints) if thread is not None else ""
    if (
        thread is not None
        and not (quiet or as_json)
        and asyncio.run(_used(thread, checkpoints, method))
    ):
        both = of_thread("history", thread, checkpoints)
        echo(f"thread {thread!r} had a run before; `{both}` shows both", err=True)
    show(lambda: astream(text, method, **values), as_json, quiet, again, method, text, html)


def show(
    start: Callable[[], AsyncGenerator[Event | Result, None]],
    as_json: bool,
    quiet: bool,
    again: str,
    method: str = "",
    text: str = "",
    html: Path | None = None,
) -> None:
    """Run, write what happens and what came of it, and end with the exit code that belongs to it.

    Args:
        start: Begins the run.
        as_json: Write the result as JSON and nothing else.
        quiet: Write the result alone.
        again: The command that goes on with a run which stops before its end, if one does.
        method, text: What is run, for the JSON of such a run.
        html: Where a page of it is written, of such a run too.
    """
    from agentflow.show import Display, Output

    if html is not None:
        see_writable(html)

    display = Display(Output(highlight=False), quiet=quiet or as_json)
    try:
        result = asyncio.run(_run(start, display))
    except (KeyboardInterrupt, ModelUnavailable, StreamBroken, Paused) as stopped:
        error = str(stopped) if isinstance(stopped, AgentflowError) else ""
        partial = display.progress.partial(method, text, error or "interrupted", error)
        if not as_json:
            display.interrupted()
        try:
            _write_page(html, partial)
        except BadInput as unwritable:
            echo(f"error: {unwritable}", err=True)
        stopped.args = (_stopped(stopped, again),)
        raise Stopped(stopped, partial) from stopped
    except Exception:
        display.end()
        raise
    code = 0 if result.answer is not None else _code_of(result)
    plain = result.as_dict() | {"events": result.events}
    if not as_json:
        display.result(result)
    try:
        _write_page(html, plain)
    except BadInput as error:
        raise Stopped(error, plain) from error
    if as_json:
        print_json(plain | {"exit_code": code})
    if code in (2, 3):
        echo(f"error: {result.error}", err=True)
    raise typer.Exit(code)


def _code_of(result: Result) -> int:
    """The exit code of a run without an answer, the same whatever the method."""
    if not result.error:
        return 1
    return 2 if result.refused else 3


def _write_page(path: Path | None, result: dict[str, Any]) -> None:
    """Write the page of a run, if one is wanted."""
    if path is None:
        return
    from agentflow import trace_file
    from agentflow.pages import trace_page, write_page

    write_page(path, trace_page(trace_file.lean(result)))


async def _used(thread: str, checkpoints: str | None, method: str) -> bool:
    """Whether the thread has a run that ended, so that this one follows it."""
    from agentflow import threads
    from agentflow.checkpoints import open_checkpoints

    async with open_checkpoints(checkpoints) as opened, threads.holding(thread, opened):
        await threads.check_free(thread, opened, method)
        return await threads.origin_of(thread, opened) is not None


def of_thread(command: str, thread: str, checkpoints: str | None) -> str:
    """A command about a thread, as it is typed: ``resume`` or ``history``."""
    where = [] if checkpoints is None else ["--checkpoints", checkpoints]
    return shlex.join(["agentflow", command, thread, *where])


def _stopped(stopped: BaseException, again: str) -> str:
    """Why a run stopped, what it waits for, and how it goes on."""
    message = str(stopped) or "interrupted"
    if isinstance(stopped, Paused) and isinstance(stopped.question, dict):
        kind, text = (str(stopped.question.get(key, "")).strip() for key in ("kind", "text"))
        message += f" before the {kind} {text!r}"
    return f"{message}; `{again}` goes on" if again else message


async def _run(
    start: Callable[[], AsyncGenerator[Event | Result, None]], display: Display
) -> Result:
    from agentflow import models
    from agentflow.api import result_of

    try:
        return await result_of(start(), display.show)
    finally:
        await models.close_all()


def _problem(words: list[str] | None) -> str:
    """The problem's text, from the arguments or from standard input."""
    if words and words != ["-"]:
        return " ".join(words).encode(errors="surrogateescape").decode(errors="replace")
    if standard_input().isatty():
        echo("the problem (end with Ctrl-D):", err=True)
    return text_given("-", _LONGEST_PROBLEM)


def beside_options(options: Mapping[str, Any], pairs: list[str], **others: Any) -> dict[str, Any]:
    """The settings that options of their own say, where they are given, and those of ``--set``.

    Args:
        others: Options that say a setting, too, and are read elsewhere.

    Raises:
        BadInput: If a setting is said both ways.
    """
    given = {name: value for name, value in options.items() if value is not None}
    values = read_settings(pairs)
    said = {*given, *(name for name, value in others.items() if value is not None)}
    for name in sorted(values.keys() & said):
        option = name.replace("_", "-")
        raise BadInput(f"--set {name}={values[name]}: --{option} says it, too; give one of them")
    return given | values


def read_settings(pairs: list[str]) -> dict[str, Any]:
    """``KEY=VALUE`` pairs; a value is JSON where it can be read as such, else text. A key with dots
    leads into a table, as in TOML: ``check.every=4``."""
    values: dict[str, Any] = {}
    for pair in pairs:
        key, separator, value = pair.partition("=")
        *tables, last = key.split(".")
        names = [*tables, last]
        if not separator or not all(map(str.isidentifier, names)):
            raise BadInput(f"--set {pair}: not a setting; write --set KEY=VALUE")
        table: Any = values
        for name in tables:
            table = table.setdefault(name, {})
            if not isinstance(table, dict):
                raise BadInput(f"--set {pair}: {name} was set to {table!r}, which has no {last}")
        try:
            table[last] = json.loads(value)
        except (ValueError, RecursionError):
            table[last] = value
    return values
