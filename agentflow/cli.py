"""The command line.

Exit codes:

====  ==========================================================================
0     an answer was given (verified, accepted or unverified); for other commands: done
1     no answer (abstained or exhausted); for ``doctor``: the model does not answer
2     bad input or usage
3     the model's server could not be reached, or broke before the end
70    a bug in agentflow
130   interrupted with Ctrl-C
====  ==========================================================================

What is slow to import (langgraph takes a second) is imported by the command that needs it.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import traceback
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from agentflow.errors import AgentflowError, BadInput, ModelUnavailable, StreamBroken
from agentflow.version import __version__

if TYPE_CHECKING:
    from agentflow.run import Result
    from agentflow.show import Display

EXIT_CODES = """\b
Exit codes:
  0    an answer was given (verified, accepted or unverified)
  1    no answer (abstained or exhausted)
  2    bad input or usage
  3    the model's server could not be reached, or broke before the end
  70   a bug in agentflow
  130  interrupted with Ctrl-C
"""

_LONGEST_PROBLEM = 1_000_000

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Methods of verifying and steering a model's reasoning at test time.",
    epilog=EXIT_CODES,
)

DomainName = Annotated[str, typer.Option("--domain", help="See `agentflow domains`.")]
ModelName = Annotated[
    str,
    typer.Option(
        "--model",
        help="embedded (the bundled pocket model), a path to a GGUF file, or a base URL such as "
        "http://localhost:8000/v1, with #NAME behind it where it serves several models.",
    ),
]
AsJSON = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]


class _TakesNumbers(TyperCommand):
    """A command whose argument may start with a minus and a digit: that is no option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Hide the minus behind a space."""
        return super().parse_args(ctx, [f" {a}" if re.match(r"-\d", a) else a for a in args])


def main() -> None:
    """The entry point of ``agentflow``."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # what a terminal cannot show must not end a run
            stream.reconfigure(errors="replace")
    app(prog_name="agentflow")


def _command(function: Callable[..., None]) -> Callable[..., None]:
    """Turn errors into one line on standard error and an exit code."""

    @wraps(function)
    def run(**arguments: Any) -> None:
        try:
            function(**arguments)
        except (typer.Exit, typer.Abort, typer.BadParameter, BrokenPipeError):
            raise
        except (KeyboardInterrupt, Exception) as error:
            if arguments.get("debug"):
                traceback.print_exc()
            code, line = _outcome(error)
            typer.echo(" ".join(line.split()), err=True)
            raise typer.Exit(code) from None

    return run


def _outcome(error: BaseException) -> tuple[int, str]:
    """The exit code and the line of an error."""
    match error:
        case KeyboardInterrupt():
            return 130, "interrupted"
        case ModelUnavailable() | StreamBroken():
            return 3, f"error: {error}"
        case AgentflowError():
            return 2, f"error: {error}"
    name = type(error).__name__
    return 70, f"error: {name}: {error} (a bug; --debug shows the traceback)"


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"agentflow {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command(cls=_TakesNumbers, epilog=EXIT_CODES)
@_command
def solve(
    problem: Annotated[
        list[str] | None, typer.Argument(help="The problem; from standard input if absent or -.")
    ] = None,
    domain: DomainName = "game24",
    method: Annotated[str, typer.Option(help="See `agentflow methods`.")] = "interwhen",
    model: ModelName = "embedded",
    seed: Annotated[int | None, typer.Option(help="Seed of the run.")] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="Generated tokens allowed, wasted ones included.")
    ] = None,
    timeout: Annotated[float | None, typer.Option(help="Seconds allowed.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Any setting of the method (`agentflow methods --verbose`); may be repeated.",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the result as one JSON object, nothing else.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print only the result.")] = False,
    debug: Debug = False,
) -> None:
    """Solve one problem, and show how."""
    text = _problem(problem)
    named = {"domain": domain, "seed": seed, "max_tokens": max_tokens, "timeout": timeout}
    values = {key: value for key, value in named.items() if value is not None}
    values |= _settings(settings or [])
    model = str(values.pop("model", model))

    from rich.console import Console

    from agentflow.show import Display

    display = Display(Console(highlight=False), quiet=quiet or as_json)
    try:
        result = asyncio.run(_solve(display, text, method, model, values))
    except (KeyboardInterrupt, ModelUnavailable, StreamBroken) as stopped:
        if as_json:
            reason, error = "interrupted", ""
            if isinstance(stopped, AgentflowError):
                reason = error = str(stopped)
            _print_json(display.progress.partial(method, text, reason, error))
        else:
            display.interrupted()
        raise
    except Exception:
        display.end()
        raise
    if as_json:
        _print_json(result.as_dict())
    else:
        display.result(result)
    if result.answer is None and result.error:
        typer.echo(f"error: {result.error}", err=True)
        raise typer.Exit(3)
    if result.answer is None:
        raise typer.Exit(1)


async def _solve(
    display: Display, problem: str, method: str, model: str, values: dict[str, Any]
) -> Result:
    from agentflow import models
    from agentflow.api import asolve

    try:
        return await asolve(problem, method, model=model, on_event=display.show, **values)
    finally:
        await models.close_all()


def _problem(words: list[str] | None) -> str:
    """The problem's text, from the arguments or from standard input."""
    if words and words != ["-"]:
        return " ".join(words)
    if sys.stdin.isatty():
        typer.echo("the problem (end with Ctrl-D):", err=True)
    data = sys.stdin.buffer.read(_LONGEST_PROBLEM + 1)
    if len(data) > _LONGEST_PROBLEM:
        raise BadInput(f"the problem on standard input is over {_LONGEST_PROBLEM:,} bytes long")
    return data.decode(errors="replace")


def _settings(pairs: list[str]) -> dict[str, Any]:
    """``KEY=VALUE`` pairs; a value is JSON where it can be read as such, else text."""
    values: dict[str, Any] = {}
    for pair in pairs:
        key, separator, value = pair.partition("=")
        if not separator or not key.isidentifier() or key in ("problem", "method", "on_event"):
            raise BadInput(f"--set {pair}: not a setting; write --set KEY=VALUE")
        try:
            values[key] = json.loads(value)
        except ValueError:
            values[key] = value
    return values


@app.command()
@_command
def verify(
    source: Annotated[
        str,
        typer.Option(
            "--input", help="JSON lines with id, problem and trace; - for standard input."
        ),
    ],
    target: Annotated[
        str, typer.Option("--output", help="Where the verdicts go; - for standard output.")
    ],
    domain: DomainName = "game24",
    debug: Debug = False,
) -> None:
    """Judge existing traces: which step is wrong, is the answer right.

    Writes a line of JSON a trace: id, steps_ok, answer_ok, ok, first_wrong_step (0-based), kind,
    feedback, and hopeless_from, the first right step from which the goal is out of reach (for
    information, never an error). Exits 0 also when traces are wrong, 2 when a file cannot be used.
    """
    from agentflow import domains
    from agentflow.judge import judge_file

    judge_file(domains.get(domain), source, target)


@app.command()
@_command
def methods(
    verbose: Annotated[bool, typer.Option("--verbose", help="Show every setting.")] = False,
    as_json: AsJSON = False,
    debug: Debug = False,
) -> None:
    """List the methods and their settings."""
    from agentflow import catalogue

    listed = catalogue.methods()
    if as_json:
        _print_json(listed)
        return
    width = max(len(method["name"]) for method in listed)
    for method in listed:
        typer.echo(f"{method['name']:{width}}  {method['description']}")
        for setting in method["settings"] if verbose else ():
            bounds = f" {setting['bounds']}" if setting["bounds"] else ""
            default = json.dumps(setting["default"])
            typer.echo(f"    {setting['name']} ({setting['type']}{bounds}; default {default})")
            typer.echo(f"        {setting['description']}")


@app.command()
@_command
def domains(as_json: AsJSON = False, debug: Debug = False) -> None:
    """List the domains."""
    from agentflow import catalogue

    listed = catalogue.domains()
    if as_json:
        _print_json(listed)
        return
    for domain in listed:
        typer.echo(f"{domain['name']}  {domain['description']} Example: {domain['example']}")


@app.command()
@_command
def demo(
    puzzles: Annotated[
        int, typer.Option(min=1, max=250, help="How many of the 250 held-out puzzles.")
    ] = 40,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the run.")] = 0,
    model: ModelName = "embedded",
    debug: Debug = False,
) -> None:
    """Compare direct, k-stable and the step verifier on puzzles the bundled model never saw."""
    from rich.console import Console

    from agentflow.evaluation.demo import demo as run_demo

    run_demo(puzzles, seed, model, Console())


@app.command()
@_command
def doctor(
    model: ModelName = "embedded",
    timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds the model has for its answer.")
    ] = 60.0,
    as_json: AsJSON = False,
    debug: Debug = False,
) -> None:
    """Look at what is installed, whether the model answers, and what the kernel allows.

    Exits 0 if the model answers, else 1.
    """
    from dataclasses import asdict

    from agentflow.doctor import examine

    checks = examine(model, timeout)
    works = all(check.ok for check in checks if check.required)
    if as_json:
        _print_json({"ok": works, "checks": [asdict(check) for check in checks]})
    else:
        section = ""
        for check in checks:
            if check.section != section:
                section = check.section
                typer.echo(section)
            typer.echo(f"  {'ok' if check.ok else '--'}  {check.name}: {check.detail}")
        typer.echo("the model works" if works else f"the model {model} does not work, see above")
    if not works:
        raise typer.Exit(1)


def _print_json(value: Any) -> None:
    typer.echo(json.dumps(value))
