"""Reports on recorded runs, what servers can take by them, and pages of single ones."""

from __future__ import annotations

import tempfile
import webbrowser
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from agentflow.cli.app import AsJSON, app, command, echo, print_json
from agentflow.errors import BadInput
from agentflow.files import see_writable

Records = Annotated[
    list[Path],
    typer.Argument(
        metavar="DIR...", help="Folders with records of `agentflow eval`, or such files."
    ),
]
_LEAST = 1e-6


@app.command()
@command
def report(
    paths: Records,
    out: Annotated[Path, typer.Option(help="The folder that the report is written into.")] = Path(
        "report"
    ),
    as_json: AsJSON = False,
) -> None:
    """Report on runs: Markdown, CSV, plots, and a page with every sample behind it.

    The page is OUT/index.html; it needs no network. All records must be of one version and one
    dataset. Runs that have not finished are reported as such.
    """
    from agentflow.evaluation.collected import collect
    from agentflow.evaluation.report import markdown, plain, report_on, write

    results = report_on(collect(paths))
    write(results, out)
    if as_json:
        arms = [plain(line) for line in results.lines]
        print_json({"arms": arms, "unfinished": sorted(results.found.unfinished)})
    else:
        echo(markdown(results), nl=False)
    echo(f"wrote {out / 'index.html'}", err=True)


@app.command()
@command
def capacity(
    paths: Records,
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


RunFile = Annotated[
    Path,
    typer.Argument(
        help="A trace file of `agentflow eval`, a result of `agentflow solve --json`, or one "
        "record."
    ),
]
Page = Annotated[Path | None, typer.Option(help="Write the page here instead of opening it.")]


@app.command()
@command
def view(file: RunFile, html: Page = None) -> None:
    """Show one run: its reasoning with verdicts, interventions, tools and signals."""
    if html is not None:
        see_writable(html)
    _show(page_of(file), file.stem, html)


@app.command()
@command
def compare(first: RunFile, second: RunFile, html: Page = None) -> None:
    """Show two runs of one problem side by side: what both wrote, costs, verdicts, interventions.

    For every pair of an evaluation's runs, see the samples in `agentflow report`.
    """
    if html is not None:
        see_writable(html)
    _show(page_beside(first, second), f"{first.stem}-{second.stem}", html)


def _show(page: str, name: str, html: Path | None) -> None:
    """Write a page where it is wanted; else somewhere, and open it."""
    from agentflow.pages import write_page

    where = html or Path(tempfile.mkdtemp(prefix="agentflow-")) / f"{name}.html"
    write_page(where, page)
    echo(f"wrote {where}", err=True)
    if html is None:
        webbrowser.open(where.absolute().as_uri())


def page_of(file: Path) -> str:
    """The page of a run that lies in a file.

    Raises:
        BadInput: If it is none.
    """
    from agentflow import trace_file
    from agentflow.pages import trace_page

    return _drawn(file, trace_page, trace_file.read(file))


def page_beside(first: Path, second: Path) -> str:
    """The page of two runs that lie in files.

    Raises:
        BadInput: If one is none, or they are of two problems.
    """
    from agentflow import trace_file
    from agentflow.pages import beside_page, trace_page

    runs = []
    for file in (first, second):
        runs.append(trace_file.read(file))
        _drawn(file, trace_page, runs[-1])
    one, other = (" ".join(str(run["problem"]["text"]).split()) for run in runs)
    if one != other:
        raise BadInput(
            f"{first} and {second} are runs of two problems, {one[:60]!r} and {other[:60]!r}; "
            "compare runs of one"
        )
    return beside_page(runs)


def _drawn(file: Path, draw: Callable[[Mapping[str, Any]], str], run: Mapping[str, Any]) -> str:
    """A page of a run.

    Raises:
        BadInput: If the file holds none.
    """
    try:
        return draw(run)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise BadInput(f"{file}: not a run that can be shown: {error!r}") from error
