"""The papers' tables and figures: list them, run them, put ours beside the paper's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from agentflow.cli.app import AsJSON, ModelName, app, command, echo, print_json
from agentflow.cli.evaluate import Patience, SolverServers, Values, Where, engine_of, plain_values
from agentflow.cli.running import Concurrency, Limit, failures, finished
from agentflow.errors import BadInput

if TYPE_CHECKING:
    from agentflow.reproduce.kinds import Options
    from agentflow.reproduce.manifest import Manifest
    from agentflow.reproduce.run import Reproduced

Pairs = list[str] | None
_EVERY = 30.0
"""Seconds between two lines that say how far it is."""


@app.command()
@command
def reproduce(
    table: Annotated[
        str, typer.Argument(metavar="[TABLE]", help="Such as eat/fig4; without it all are listed.")
    ] = "",
    model: ModelName = "embedded",
    servers: SolverServers = None,
    at: Annotated[
        Pairs,
        typer.Option(
            metavar="NAME=SERVER",
            help="Where another model of the table is served (prm=reward:http://…), by the name "
            "that the list has; may be repeated. Arms that need one that is not named are not run.",
        ),
    ] = None,
    limit: Limit = None,
    out: Annotated[
        Path,
        typer.Option(help="The folder for records and results; what is there is gone on with."),
    ] = Path("runs/reproduce"),
    datasets: Annotated[
        Pairs,
        typer.Option(
            "--dataset",
            metavar="NAME=DATASET",
            help="In the place of a data set or of a part's, any that `agentflow eval` takes: a "
            "file where the hub cannot be reached; may be repeated.",
        ),
    ] = None,
    stand_in: Annotated[
        bool | None,
        typer.Option(
            "--stand-in/--no-stand-in",
            help="Small problems of the same kinds, one model in all roles, short runs: to see "
            "that all works, not to compare.  [default: with --model embedded]",
        ),
    ] = None,
    parts: Annotated[
        Pairs, typer.Option("--part", help="Only this part of the table; may be repeated.")
    ] = None,
    arms: Annotated[
        Pairs, typer.Option("--arm", help="Only this row of the table; may be repeated.")
    ] = None,
    concurrency: Concurrency = 1,
    engine: Where = "local",
    patience: Patience = 300.0,
    settings: Values = None,
    traces: Annotated[
        bool, typer.Option(help="Keep a trace file of each run beside the records.")
    ] = False,
    tokens_per_second: Annotated[
        float | None,
        typer.Option(min=1, help="What one server generates, by a load test, for the estimates."),
    ] = None,
    as_json: AsJSON = False,
) -> None:
    """Measure a paper's table or figure, and print ours beside what the paper printed.

    Each figure of ours has its 95 % interval and a verdict: the paper's lies within it, ours is
    above or below, or they cannot be compared, and why. What was run before is not run again.
    """
    from agentflow.reproduce import estimate, manifest

    speed = tokens_per_second or estimate.TOKENS_PER_SECOND
    if not table:
        _list([manifest.load(name) for name in manifest.names()], speed, as_json)
        return
    from agentflow.models import bundled
    from agentflow.reproduce.kinds import Options
    from agentflow.reproduce.run import reproduce as run

    found = manifest.load(table)
    small = (not servers and bundled.is_pocket(model)) if stand_in is None else stand_in
    out = out / "stand-in" if small else out
    options = Options(
        out=out,
        model=model,
        servers=servers or (),
        at=_named("--at", at, [*found.models, "judge"]),
        stand_in=small,
        given=_named("--dataset", datasets),
        limit=limit,
        settings=plain_values(settings or []),
        concurrency=concurrency,
        patience=patience,
        traces=traces,
        tell=lambda text: echo(text, err=True),
        done=_counting(as_json),
        engine=engine_of(engine),
    )
    done = finished(run(found, options, parts=parts or (), arms=arms or ()))
    _show(found, done, options, speed, as_json)
    failures(done.failed, as_json)


def _show(found: Manifest, done: Reproduced, options: Options, speed: float, as_json: bool) -> None:
    """Print the figures, and write them: as Markdown, JSON and a plot."""
    from agentflow.evaluation import require
    from agentflow.evaluation.plots import png
    from agentflow.files import unwritable, write_whole
    from agentflow.pages import encoded
    from agentflow.reproduce import compare, estimate, plots
    from agentflow.reproduce.run import folder
    from agentflow.strict_json import dumps

    require("plots", "matplotlib")
    text = compare.markdown(found, done.cells, done.problems)
    plain = {
        "table": found.name,
        "problems": done.problems,
        "cells": compare.plain(done.cells),
        "failed": len(done.failed),
    }
    base = folder(options.out, found) / "results" / found.name.partition("/")[2]
    try:
        base.parent.mkdir(parents=True, exist_ok=True)
        write_whole(base.with_suffix(".md"), encoded(text))
        write_whole(base.with_suffix(".json"), dumps(plain).encode())
        write_whole(base.with_suffix(".png"), png(plots.draw(done.cells, done.curves)))
    except OSError as error:
        raise unwritable(base, error) from error
    if as_json:
        print_json(plain)
        return
    echo(text, nl=False)
    whole = estimate.estimate(found, speed, options.out)
    if whole.measured and not options.stand_in:
        echo(f"\nThe whole takes about {whole.tokens:.3g} tokens, {whole.hours:,.1f} server hours.")
    echo(f"wrote {base}.md, .json and .png", err=True)


def _list(found: list[Manifest], speed: float, as_json: bool) -> None:
    """Every manifest, and what it needs."""
    from agentflow.evaluation.markdown import table
    from agentflow.reproduce.estimate import estimate

    lines = [(one, estimate(one, speed)) for one in found]
    if as_json:
        print_json(
            [
                {
                    "table": one.name,
                    "title": one.title,
                    "source": one.source,
                    "kind": one.kind,
                    "models": {name: model.name for name, model in one.used.items()},
                    "datasets": _datasets(one),
                    "not comparable": one.lacks,
                }
                | asdict(needs)
                for one, needs in lines
            ]
        )
        return
    rows = [
        {
            "table": one.name,
            "what": one.title,
            "models": ", ".join(f"{k} = {m.name}" for k, m in one.used.items()),
            "data sets": ", ".join(_datasets(one)),
            "problems": f"{needs.problems:,}",
            "tokens": f"{needs.tokens:.2g}" if one.runs == one.name else f"runs of {one.runs}",
            "GPU hours": f"{needs.hours:,.1f}" if one.runs == one.name else "–",
        }
        for one, needs in lines
    ]
    echo(table(rows))
    echo(
        f"\nHours are those of one server at {speed:,.0f} tokens a second (--tokens-per-second); "
        "tokens follow what the papers print, and runs of yours once there are some."
    )


def _datasets(found: Manifest) -> list[str]:
    return list(dict.fromkeys(part.dataset for part in found.parts if part.dataset))


def _named(option: str, pairs: Pairs, names: list[str] | None = None) -> dict[str, str]:
    """``NAME=VALUE`` pairs."""
    found = {}
    for pair in pairs or []:
        name, equals, value = pair.partition("=")
        if not (equals and name and value):
            raise BadInput(f"{option} {pair[:80]}: write NAME=VALUE")
        if names is not None and name not in names:
            raise BadInput(f"{option} {pair[:80]}: the table's models are {', '.join(names)}")
        found[name] = value
    return found


def _counting(quiet: bool) -> Callable[[bool], None]:
    """Says now and then on standard error how many runs are done."""
    count, right, said = 0, 0, monotonic()

    def done(is_right: bool) -> None:
        nonlocal count, right, said
        count, right = count + 1, right + is_right
        if not quiet and monotonic() - said > _EVERY:
            said = monotonic()
            echo(f"{count} runs done, {100 * right / count:.1f} % right", err=True)

    return done
