"""What servers can take, from recorded runs."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from agentflow.cli.app import AsJSON, Debug, app, command, echo, print_json

_LEAST = 1e-6


@app.command()
@command
def capacity(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR...", help="Folders with records of `agentflow eval`, or such files."
        ),
    ],
    tokens_per_second: Annotated[
        float,
        typer.Option(
            min=_LEAST, help="What one server generates over all its streams, by a load test."
        ),
    ],
    prompt_tokens_per_second: Annotated[
        float | None,
        typer.Option(min=_LEAST, help="What it reads besides; left out, reading counts as free."),
    ] = None,
    servers: Annotated[int, typer.Option(min=1, help="How many there are, all alike.")] = 1,
    price_per_hour: Annotated[float | None, typer.Option(min=0, help="Of one server.")] = None,
    as_json: AsJSON = False,
    debug: Debug = False,
) -> None:
    """Reckon problems an hour and their price from what recorded runs used."""
    from agentflow.evaluation.capacity import capacities, cells
    from agentflow.evaluation.collected import collect
    from agentflow.evaluation.markdown import table

    lines = capacities(
        collect(paths),
        tokens_per_second,
        prompt_tokens_per_second=prompt_tokens_per_second,
        servers=servers,
        price_per_hour=price_per_hour,
    )
    if as_json:
        print_json([asdict(line) for line in lines])
    else:
        echo(table(map(cells, lines), empty=False))
