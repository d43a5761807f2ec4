"""Generate problems with exact answers."""

from __future__ import annotations

from typing import Annotated

import typer

from agentflow.cli.app import app, command, print_json
from agentflow.generators import GENERATORS


@app.command()
@command
def generate(
    domain: Annotated[str, typer.Argument(help=f"One of {', '.join(GENERATORS)}, gym:TASK.")],
    count: Annotated[int, typer.Option(min=1, help="How many problems.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same problems.")] = 0,
) -> None:
    """Write problems as JSON lines (id, text, gold), as `agentflow eval --dataset` reads them."""
    from agentflow.generators import generate as problems

    for problem in problems(domain, count, seed):
        print_json({"id": problem.id, "text": problem.text, "gold": problem.gold})
