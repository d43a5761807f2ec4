"""The command line: its options, errors and exit codes.

Exit codes:

====  ==========================================================================
0     an answer was given (verified, incomplete, accepted or unverified); for other commands: done
1     no answer (abstained or exhausted); for ``doctor``: the model does not answer
2     bad input or usage; the model's server refused the request
3     the model's server could not be reached, or broke before the end
4     paused: a thread waits for a person
70    a bug in agentflow
130   interrupted with Ctrl-C
141   nobody read standard output any more (``| head -1``)
====  ==========================================================================

A command with ``--json`` prints JSON on every outcome: what it prints anyway, or an object with
``error``, ``status`` (``failed``, ``paused`` or ``interrupted``) and ``exit_code``.

What is slow to import (langgraph takes a second) is imported by the command that needs it.
"""

from __future__ import annotations

import errno
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from agentflow.errors import AgentflowError, BadInput, ModelUnavailable, Paused, StreamBroken
from agentflow.files import (
    FULL,
    TEXT,
    bounded,
    reading,
    standard_input,
    text_in,
    text_of,
    unwritable,
)
from agentflow.strict_json import dumps
from agentflow.terminal import dotted, printing, to_nowhere
from agentflow.version import __version__, install

EXIT_CODES = """\b
Exit codes:
  0    an answer was given (verified, incomplete, accepted or unverified)
  1    no answer (abstained or exhausted)
  2    bad input or usage; the model's server refused the request
  3    the model's server could not be reached, or broke before the end
  4    paused: the thread waits for `agentflow resume`
  70   a bug in agentflow
  130  interrupted with Ctrl-C
  141  nobody read standard output any more
"""

_USAGE: type[Exception] = typer.BadParameter.__mro__[1]
"""The error of every wrong usage, which typer has no name for."""
_SURROUNDINGS = (*FULL, errno.EACCES, errno.EPERM, errno.EROFS, errno.EIO, errno.EMFILE)
"""What the system says where nothing is wrong with the program."""


class Stopped(Exception):
    """A run stopped before its end, with something to show for it.

    Attributes:
        why: The error behind it.
        partial: The result so far, as plain JSON.
    """

    def __init__(self, why: BaseException, partial: Mapping[str, Any]) -> None:
        super().__init__(why, partial)  # by which it is made anew where it is unpickled
        self.why, self.partial = why, partial

    def __str__(self) -> str:
        return str(self.why)


class _Commands(TyperGroup):
    """The commands; one that is called wrongly and was to print JSON does."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keep the words: the command in them may be called wrongly."""
        ctx.meta[__name__] = list(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command that is named."""
        try:
            return super().invoke(ctx)
        except _USAGE as error:
            words = ctx.meta[__name__]
            given = words[: words.index("--")] if "--" in words else words
            options = getattr(getattr(error, "cmd", None), "params", ())
            if "--json" in given and any("--json" in one.opts for one in options):
                print_json(_failure(2, getattr(error, "message", "") or str(error)))
            raise


app = typer.Typer(
    cls=_Commands,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Methods of verifying and steering a model's reasoning at test time.",
    epilog=EXIT_CODES,
)


def text_given(source: str, most: int = TEXT) -> str:
    """The text of a file, or of standard input for ``-``, its lines ended by newlines alone.

    Raises:
        BadInput: If it cannot be read, has more than ``most`` bytes, or is no UTF-8.
    """
    if source != "-":
        return text_in(source, most)
    name = "standard input"
    with reading(name):
        return text_of(bounded(standard_input(), name, most), name).replace("\r\n", "\n")


DomainName = Annotated[str, typer.Option("--domain", help="See `agentflow domains`.")]
_MODEL = typer.Option(
    "--model",
    help="embedded (the bundled pocket model), a path to a GGUF file, or a base URL such as "
    "http://localhost:8000/v1, with #NAME behind it where it serves several models; with chat: "
    "before it for an API that only chats. FILE.gguf?context=8192&threads=4 says how much a stream "
    "holds and how many threads compute.",
)
ModelName = Annotated[str, _MODEL]
ModelOrFile = Annotated[str | None, _MODEL]
Context = Annotated[
    int | None,
    typer.Option(
        min=1, help="Tokens a stream holds, of a model file. [default: 2048]", show_default=False
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Threads that compute a model file; more than the free cores make it slower. "
        "[default: 1]",
        show_default=False,
    ),
]
Port = Annotated[
    int | None, typer.Option(min=0, max=65535, help="8080 if not set; 0 for a free one.")
]
ServeFile = Annotated[
    str | None,
    typer.Option(
        "--settings",
        metavar="FILE",
        envvar="AGENTFLOW_SETTINGS",
        help="A TOML file; its table [serve] holds models, keys and limits.",
    ),
]
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
_DEBUG = Parameter(
    "debug",
    Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")],
)


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """What the block imports comes with an extra.

    Raises:
        BadInput: If it is not installed; says how it is.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        raise BadInput(f"{missing} is missing: {install(extra)}") from error


def on_engine(model: str, context: int | None, threads: int | None) -> str:
    """A model with what ``--context`` and ``--threads`` say of its engine.

    Raises:
        BadInput: If one is given and the model is no file that this process computes.
    """
    given = {"context": context, "threads": threads}
    options = "&".join(f"{name}={value}" for name, value in given.items() if value is not None)
    if not options:
        return model
    if model not in ("embedded", "embedded:judge") and not model.endswith(".gguf"):
        raise BadInput(
            f"--context and --threads are for a model file that this process computes, and "
            f"--model {model} is none; say them where the server is started"
        )
    return f"{model}?{options}"


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Turn errors into one line on standard error and an exit code, and add ``--debug``."""
    plain = signature(function, eval_str=True)

    @wraps(function)
    def run(*, debug: bool, **arguments: Any) -> None:
        try:
            function(**arguments)
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except BrokenPipeError:
            to_nowhere(sys.stdout)
            raise typer.Exit(141) from None
        except (KeyboardInterrupt, Exception) as error:
            stopped = error if isinstance(error, Stopped) else Stopped(error, {})
            if debug:
                traceback.print_exc()
            code, line = _outcome(stopped.why)
            line = " ".join(line.split())
            if arguments.get("as_json"):
                with suppress(AgentflowError):  # of which the line tells
                    print_json({**stopped.partial, **_failure(code, line, stopped.partial)})
            echo(line, err=True)
            raise typer.Exit(code) from None

    run.__signature__ = plain.replace(parameters=[*plain.parameters.values(), _DEBUG])  # type: ignore[attr-defined]
    return run


def _failure(code: int, line: str, partial: Mapping[str, Any] = {}) -> dict[str, Any]:
    """What ``--json`` says of an error, over what there is of a result."""
    status = {4: "paused", 130: "interrupted"}.get(code, "failed")
    return {
        "error": partial.get("error") or line.removeprefix("error: "),
        "status": partial.get("status", status),
        "exit_code": code,
    }


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
        case MemoryError():
            return 2, "error: there is not enough memory for this"
        case OSError() if error.errno in _SURROUNDINGS:
            return 2, f"error: {unwritable(error.filename or 'a file', error)}"
    name = type(error).__name__
    if KeyboardInterrupt.__name__ in str(error):  # pydantic makes an error of its own of it
        return 130, "interrupted"
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
    echo(dumps(value))


def echo(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a text on standard output or standard error, without what would steer a terminal.

    Raises:
        BadInput: If standard output cannot be written.
    """
    with suppress(OSError) if err else printing():
        typer.echo(dotted(text), err=err, nl=nl)
