"""Serve methods as models."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from agentflow.cli.app import ModelOrFile, Port, ServeFile, app, command, echo, needing


@app.command()
@command
def serve(
    model: ModelOrFile = None,
    host: Annotated[str | None, typer.Option(help="Where to listen; 127.0.0.1 if not set.")] = None,
    port: Port = None,
    file: ServeFile = None,
) -> None:
    """Serve methods on OpenAI's and Anthropic's APIs.

    The base URL, alone on standard output, comes when it listens; the log, in JSON, on standard
    error. SIGTERM or Ctrl-C stops it.
    """
    with needing("server"):
        from agentflow.server import log, offers
        from agentflow.server.serve import serve as start
    settings, served = offers.load(file, model, host=host, port=port)
    log.configure()
    asyncio.run(start(settings, served, echo))
