"""The command line; each module holds the commands of one subject."""

from __future__ import annotations

import sys

from agentflow.cli import (  # noqa: F401  (they register their commands)
    controller,
    evaluate,
    gate,
    generate,
    judge,
    lean,
    look,
    mcp,
    model,
    probe,
    report,
    reproduce,
    sandbox,
    serve,
    simulate,
    solve,
    threads,
    verifiers,
)
from agentflow.cli.app import app, echo
from agentflow.errors import BadInput
from agentflow.telemetry import set_up
from agentflow.terminal import printing


def main() -> None:
    """The entry point of ``agentflow``."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # what a terminal cannot show must not end a run
            stream.reconfigure(errors="replace")
    if why := set_up():
        echo(f"warning: {why}", err=True)
    try:
        with printing():
            app(prog_name="agentflow")
    except BadInput as error:  # of help or the version
        echo(f"error: {error}", err=True)
        sys.exit(2)


__all__ = ["app", "main"]
