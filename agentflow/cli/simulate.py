"""A fleet of servers, simulated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, fields, replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agentflow.cli.app import AsJSON, app, command, echo, print_json
from agentflow.errors import BadInput, MissingCapability
from agentflow.version import install

if TYPE_CHECKING:
    from agentflow.evaluation.fleet import Work
    from agentflow.evaluation.fleet_server import Server

STUDIED: dict[str, Any] = {
    "streams": 10_000,
    "over": 120.0,
    "prompt": 320,
    "tokens": 1000,
    "sigma": 0.6,
}
"""The work of the studies, where nothing else is set; a probe every 100 tokens beside each."""


@app.command()
@command
def simulate(
    runs: Annotated[
        Path | None,
        typer.Argument(
            metavar="[RUNS]",
            help="Recorded runs of a server (benchmarks/fleet.py); its prices are fitted to them.",
        ),
    ] = None,
    study: Annotated[
        list[str] | None,
        typer.Option(
            help="routing, early exit, deadline, replicas lost, or all; may be given more than "
            "once. Without it one simulation of the work is printed."
        ),
    ] = None,
    replicas: Annotated[int, typer.Option(min=1, help="How many servers there are.")] = 100,
    routing: Annotated[
        str, typer.Option(help="turns, least, stream or prefix: who gets a request.")
    ] = "stream",
    exits: Annotated[
        float,
        typer.Option(min=0.01, max=1, help="Share of its tokens after which a stream may end."),
    ] = 0.75,
    chosen: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=NUMBER", help="A field of the work, or of the server."),
    ] = None,
    as_json: AsJSON = False,
) -> None:
    """Simulate a fleet of servers: streams, probes, cuts, prefix caches, queues, replicas lost."""
    try:
        from agentflow.evaluation import fleet, fleet_fit, fleet_server, fleet_study
    except ModuleNotFoundError as error:
        if error.name != "simpy":
            raise
        raise MissingCapability(f"the simulation needs simpy: {install('simulate')}") from error
    from agentflow.evaluation.markdown import table

    if routing not in fleet.ROUTINGS:
        raise BadInput(f"no routing {routing!r}; there are {', '.join(fleet.ROUTINGS)}")
    named = list(fleet_study.STUDIES) if study == ["all"] else study or []
    for name in named:
        if name not in fleet_study.STUDIES:
            known = ", ".join(fleet_study.STUDIES)
            raise BadInput(f"no study {name!r}; there are {known}, and all")
    server, work = set_in(fleet_server.Server(), fleet.Work(**STUDIED, every=100), chosen or [])
    found: dict[str, Any] = {}

    def show(name: str, rows: Iterable[dict[str, Any]]) -> None:
        """Keep a table, and print it as soon as it is there."""
        found[name] = list(rows)
        if not as_json:
            lines = [{k: _short(v) for k, v in row.items()} for row in found[name]]
            echo(f"\n{name}\n\n{table(lines, empty=False)}")

    if runs is not None:
        server, compared = fleet_fit.fit(fleet_fit.recorded(runs), server)
        server, _ = set_in(server, work, chosen or [])
        show("recorded runs", fleet_study.fitted(compared))
    if not as_json:
        echo(f"\nserver: {_said(server)}\nwork: {_said(work)}, on {replicas} replicas")
    for name in named:
        show(name, fleet_study.STUDIES[name](fleet_study.Fleet(server, work, replicas, exits)))
    if not named:
        show("work", [fleet.plain(fleet.simulate(server, work, replicas, routing))])
    if as_json:
        print_json({"server": asdict(server), "work": asdict(work), **found})


def set_in(server: Server, work: Work, chosen: list[str]) -> tuple[Server, Work]:
    """Both with the fields that are set.

    Raises:
        BadInput: If there is no such field, or its value is none.
    """
    of_work, of_server = ([one.name for one in fields(which)] for which in (work, server))
    for one in chosen:
        name, _, value = one.partition("=")
        if name in of_work:
            work = replace(work, **{name: _number(name, value, getattr(work, name))})
        elif name in of_server:
            server = replace(server, **{name: _number(name, value, getattr(server, name))})
        else:
            raise BadInput(f"no field {name!r}; there are {', '.join([*of_work, *of_server])}")
    return server, work


_AT_LEAST_1 = ("streams", "prompt", "tokens", "sequences", "chunk", "block")


def _number(name: str, value: str, default: Any) -> Any:
    """The value of a field, of the type of its default.

    Raises:
        BadInput: If it is none.
    """
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    whole = isinstance(default, int)
    fits = number.is_integer() if whole else isfinite(number)
    least = 1 if name in _AT_LEAST_1 else 0
    if not fits or number < least or (name == "exit" and not 0 < number <= 1):
        raise BadInput(f"{name}={value}: not a value of {name}, which is {default!r} by default")
    return type(default)(number) if whole else number


def _said(what: Server | Work) -> str:
    """Fields and values in one line."""
    return ", ".join(f"{name} {_short(value)}" for name, value in asdict(what).items())


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
