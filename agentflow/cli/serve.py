"""Serve methods as models."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from agentflow.cli.app import Debug, ModelOrFile, app, command, echo
from agentflow.errors import BadInput
from agentflow.version import install


@app.command()
@command
def serve(
    model: ModelOrFile = None,
    host: Annotated[str | None, typer.Option(help="Where to listen; 127.0.0.1 if not set.")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="8080 if not set; 0 for a free one.")
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(
            "--settings",
            metavar="FILE",
            envvar="AGENTFLOW_SETTINGS",
            help="A TOML file; its table [serve] holds models, keys and limits.",
        ),
    ] = None,
    debug: Debug = False,
) -> None:
    """Serve methods on OpenAI's and Anthropic's APIs.

    The base URL, alone on standard output, comes when it listens; the log, in JSON, on standard
    error. SIGTERM or Ctrl-C stops it.
    """
    try:
        from agentflow.server import log, offers
        from agentflow.server.serve import serve as start
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        raise BadInput(f"{missing} is missing: {install('server')}") from error
    settings, served = offers.load(file, model, host=host, port=port)
    log.configure()
    asyncio.run(start(settings, served, echo))
