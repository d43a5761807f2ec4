"""Offer methods and verifiers as tools of the Model Context Protocol."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from agentflow.cli.app import ModelOrFile, Port, ServeFile, app, command, echo, needing
from agentflow.errors import BadInput
from agentflow.files import standard_input


@app.command()
@command
def mcp(
    model: ModelOrFile = None,
    http: Annotated[
        bool, typer.Option("--http", help="Listen for streamable HTTP instead of standard input.")
    ] = False,
    host: Annotated[
        str | None, typer.Option(help="Where to listen, with --http; 127.0.0.1 if not set.")
    ] = None,
    port: Port = None,
    sandbox: Annotated[
        bool, typer.Option("--sandbox", help="Let clients run Python programs in the sandbox, too.")
    ] = False,
    file: ServeFile = None,
) -> None:
    """Offer solve, verify and judge as tools of the Model Context Protocol (MCP).

    Without --http the client starts this command and speaks to its standard input and output.
    With it the URL, alone on standard output, comes when it listens. The log, in JSON, goes to
    standard error.
    """
    with needing("mcp"):
        from agentflow.server import log, offers
        from agentflow.server.access import Access
        from agentflow.server.endpoint import Server
        from agentflow.server.mcp import Desk, over_http, over_stdio
    if not http and (host is not None or port is not None):
        raise BadInput("--host and --port need --http")
    if not http:
        standard_input()
    settings, served = offers.load(file, model, command="agentflow mcp", host=host, port=port)
    judges = offers.judges(file, model)
    log.configure()
    desk = Desk(Server(settings, served, Access(settings)), judges, sandbox)
    asyncio.run(over_http(desk, echo) if http else over_stdio(desk))
