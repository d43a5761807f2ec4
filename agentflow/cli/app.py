"""The command line: its options, errors and exit codes.

Exit codes:

====  ==========================================================================
0     an answer was given (verified, accepted or unverified); for other commands: done
1     no answer (abstained or exhausted); for ``doctor``: the model does not answer
2     bad input or usage
3     the model's server could not be reached, or broke before the end
4     paused: a thread waits for a person
70    a bug in agentflow
130   interrupted with Ctrl-C
====  ==========================================================================

What is slow to import (langgraph takes a second) is imported by the command that needs it.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from agentflow.errors import AgentflowError, ModelUnavailable, Paused, StreamBroken
from agentflow.version import __version__

EXIT_CODES = """\b
Exit codes:
  0    an answer was given (verified, accepted or unverified)
  1    no answer (abstained or exhausted)
  2    bad input or usage
  3    the model's server could not be reached, or broke before the end
  4    paused: the thread waits for `agentflow resume`
  70   a bug in agentflow
  130  interrupted with Ctrl-C
"""

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Methods of verifying and steering a model's reasoning at test time.",
    epilog=EXIT_CODES,
)

DomainName = Annotated[str, typer.Option("--domain", help="See `agentflow domains`.")]
_MODEL = typer.Option(
    "--model",
    help="embedded (the bundled pocket model), a path to a GGUF file, or a base URL such as "
    "http://localhost:8000/v1, with #NAME behind it where it serves several models; with chat: "
    "before it for an API that only chats.",
)
ModelName = Annotated[str, _MODEL]
ModelOrFile = Annotated[str | None, _MODEL]
Where = Annotated[
    str | None,
    typer.Option(
        "--checkpoints",
        metavar="FILE|URL",
        help="Where threads are kept: a SQLite file or postgresql://…; by default a file of yours.",
    ),
]
AsResult = Annotated[
    bool, typer.Option("--json", help="Print the result as one JSON object, nothing else.")
]
AsPage = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="Write a page of the run, too.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print only the result.")]
AsJSON = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]


def command(function: Callable[..., None]) -> Callable[..., None]:
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
            return 130, str(error) or "interrupted"
        case ModelUnavailable() | StreamBroken():
            return 3, f"error: {error}"
        case Paused():
            return 4, str(error)
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


def print_json(value: Any) -> None:
    """Print a value as one line of JSON."""
    typer.echo(json.dumps(value))
