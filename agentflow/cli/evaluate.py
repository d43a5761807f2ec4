"""Evaluate: run methods on a dataset, record chains, replay rules on them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from agentflow.cli.app import (
    AsJSON,
    Context,
    ModelName,
    Threads,
    app,
    command,
    echo,
    on_engine,
    print_json,
)
from agentflow.cli.running import (
    Concurrency,
    Limit,
    MaxCost,
    MaxTokens,
    Resume,
    Seeds,
    Timeout,
    failures,
    finished,
    fresh,
    limits,
    progress,
    tell_skipped,
)
from agentflow.cli.solve import beside_options
from agentflow.errors import BadInput
from agentflow.files import see_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentflow.evaluation.records import Arm
    from agentflow.evaluation.runner import Engine, Record
    from agentflow.problem import Problem

Dataset = Annotated[
    str,
    typer.Option(
        help="game24 (250 puzzles the bundled model never saw); generate:DOMAIN?count=100&seed=0; "
        "gsm8k, math500, spatialeval-maze and others, or hub:OWNER/NAME?text=FIELD&gold=FIELD, "
        "from the Hugging Face hub; or a file of JSON lines, JSON, CSV or Parquet with text, gold "
        "and id, or FILE?text=FIELD&gold=FIELD&id=FIELD."
    ),
]
DomainOfData = Annotated[
    str | None,
    typer.Option("--domain", help="Who parses the problems.  [default: the dataset's, or game24]"),
]
SolverServers = Annotated[
    list[str] | None,
    typer.Option(
        "--server",
        metavar="URL",
        help="In place of --model, a server of it; may be repeated: each run is on the one that is "
        "least busy.",
    ),
]
Where = Annotated[
    Literal["local", "ray"],
    typer.Option("--engine", help="Where runs happen: in this process, or on a Ray cluster."),
]
Patience = Annotated[
    float,
    typer.Option(
        min=0, help="Seconds a server that does not answer and a full disk are waited for."
    ),
]
Values = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A setting for every arm; may be repeated."),
]


@app.command(name="eval")
@command
def evaluate(
    arms: Annotated[
        list[str],
        typer.Argument(
            metavar="ARM...",
            help="A method, or NAME=METHOD;KEY=VALUE;… for one with settings of its own; the first "
            "is what the others are compared with.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="Where the records go, as JSON lines.")],
    dataset: Dataset = "game24",
    domain: DomainOfData = None,
    model: ModelName = "embedded",
    context: Context = None,
    threads: Threads = None,
    servers: SolverServers = None,
    limit: Limit = None,
    seeds: Seeds = 1,
    concurrency: Concurrency = 1,
    engine: Where = "local",
    patience: Patience = 300.0,
    max_tokens: MaxTokens = None,
    timeout: Timeout = None,
    max_cost: MaxCost = None,
    settings: Values = None,
    traces: Annotated[
        bool, typer.Option(help="Keep a trace file of each run beside the records.")
    ] = True,
    resume: Resume = False,
    as_json: AsJSON = False,
) -> None:
    """Run methods on a dataset, one record a run; print accuracy, cost, and paired differences.

    A run that was cut off, even by kill -9, goes on with --resume: nothing finished is run again or
    lost. Runs that failed are recorded with the reason, and tried again.
    """
    from agentflow.evaluation import plan, require, summary
    from agentflow.evaluation.runner import run
    from agentflow.evaluation.traces import folder_of, keep
    from agentflow.version import __version__

    require("comparisons", "scipy")
    model = on_engine(model, context, threads)
    values = plain_values(settings or [], limits(max_tokens, timeout, max_cost))
    chosen = [_arm(text, values) for text in arms]
    if len({arm.name for arm in chosen}) < len(chosen):
        raise BadInput("two arms have the same name; write NAME=METHOD;KEY=VALUE")
    fresh(out, resume)
    problems, skipped = problems_of(dataset, domain, limit, out)
    runs = runs_of(chosen, problems, seeds)
    planned = {arm.name: len(problems) * seeds for arm in chosen}
    with progress_on(out, runs, as_json) as tell:
        running = run(
            chosen,
            problems,
            range(seeds),
            out,
            model=model,
            servers=servers or (),
            concurrency=concurrency,
            settings=values,
            keep=partial(keep, folder_of(out) if traces else None),
            on_record=tell,
            engine=engine_of(engine),
            patience=patience,
            tell=partial(echo, err=True),
            begin=partial(plan.begin, out, dataset, planned),
        )
        records = finished(plan.sized(running, out, chosen, (servers or [model])[0]), out)
    records = [record for record in records if record.key in runs]
    rows = summary.rows(records, chosen[0].name)
    failed = [record for record in records if record.failed]
    if as_json:
        plain = {"rows": [summary.plain(row) for row in rows], "failed": len(failed)}
        print_json(plain | {"skipped": skipped})
    else:
        table = summary.markdown(rows, chosen[0].name) if rows else "no run finished"
        echo(
            f"agentflow {__version__}, model {', '.join(servers or [model])}, {dataset}: "
            f"problems {len(problems)}, seeds {seeds}\n\n{table}"
        )
    failures([f"{r.arm}: {r.problem[:60]}: {r.error}" for r in failed], as_json)


@app.command()
@command
def record(
    out: Annotated[Path, typer.Argument(help="The Parquet file; JSON lines grow beside it.")],
    dataset: Dataset = "game24",
    domain: DomainOfData = None,
    model: ModelName = "embedded",
    limit: Limit = None,
    seeds: Seeds = 1,
    concurrency: Concurrency = 1,
    servers: SolverServers = None,
    engine: Where = "local",
    patience: Patience = 300.0,
    settings: Values = None,
    resume: Resume = False,
) -> None:
    """Record whole chains with every early-exit signal at every check point.

    Where check points are and what is asked there are settings of early_exit (--set check=line,
    probe.rollouts=16, probe.confidence_tokens=5, probe.prefix=…, probe.controls=[…]). Thinking is
    closed after 10,000 tokens (thinking_tokens).
    """
    from agentflow.evaluation import chains

    values = plain_values(settings or [])
    arm = chains.recording(out, values)
    lines = out.with_suffix(".jsonl")
    for file in (out, lines):
        fresh(file, resume)
    problems, _ = problems_of(dataset, domain, limit, lines)
    recording = partial(
        chains.record,
        problems,
        range(seeds),
        out,
        model=model,
        servers=servers or (),
        settings=values,
        concurrency=concurrency,
        engine=engine_of(engine),
        patience=patience,
    )
    record_into(out, "chains", recording, runs_of([arm], problems, seeds), lines)


@app.command()
@command
def replay(
    chains: Annotated[Path, typer.Argument(help="Chains that `agentflow record` wrote.")],
    slack: Annotated[
        float, typer.Option(min=0, max=1, help="Accuracy that may be lost and count as matched.")
    ] = 0.0,
    plots: Annotated[Path | None, typer.Option(help="A folder for plots.")] = None,
    limit: Annotated[
        int | None,
        typer.Option("--thinking-tokens", min=1, help="Most tokens of thinking (EAT's T: 10000)."),
    ] = None,
    solved: Annotated[
        float | None,
        typer.Option(
            "--solved",
            min=0,
            max=1,
            help="Keep chains whose answers at the end are right in this share (EAT, GPQA: 0.8).",
        ),
    ] = None,
    epsilon: Annotated[
        float | None,
        typer.Option(help="Calibrate every rule's threshold for at most this loss of accuracy …"),
    ] = None,
    delta: Annotated[float, typer.Option(help="… except with this probability.")] = 0.1,
    as_json: AsJSON = False,
) -> None:
    """Evaluate every early-exit rule at every threshold on recorded chains, without the model."""
    from agentflow.evaluation import chains as recorded

    recorded.require_packages()

    from agentflow.evaluation import ends, sweep, tradeoff

    if plots is not None:
        see_folder(plots)
    found = recorded.load(chains)
    if limit is not None:
        found = [ends.capped(chain, limit) for chain in found]
    if solved is not None:
        found = ends.solvable(found, solved)
        if not found:
            raise BadInput(f"{chains}: no chain comes to a right answer in {solved:g} of its ends")
    table = sweep.sweep(found, slack)
    calibrated = {}
    if epsilon is not None:
        for family in sweep.families(found):
            calibrated[family.name] = tradeoff.calibrate(found, family, epsilon, delta)
    if as_json:
        from dataclasses import asdict

        calibration = {name: asdict(one) for name, one in calibrated.items()}
        print_json(table.as_dict() | {"calibrated": calibration})
    else:
        echo(sweep.markdown(table))
        if calibrated:
            echo("\n" + sweep.calibration(calibrated, epsilon or 0.0, delta))
    if plots is not None:
        for path in sweep.plot(table, found, plots):
            echo(f"wrote {path}", err=True)


def engine_of(name: str) -> Engine:
    """Where runs happen.

    Raises:
        BadInput: If Ray is wanted and not there.
    """
    from agentflow.evaluation.runner import run_here

    if name == "local":
        return run_here
    from agentflow.evaluation.cluster import ray_engine

    return ray_engine()


def problems_of(
    dataset: str, domain: str | None, limit: int | None, out: Path
) -> tuple[list[Problem], int]:
    """The problems of a dataset, and how many of its rows were skipped, which is said once.

    Raises:
        BadInput: If there is no such dataset, or the records in ``out`` are of another one, or made
            from what is no longer in it.
    """
    from agentflow.evaluation import datasets, plan
    from agentflow.evaluation.runner import refuse_changed

    skipped: list[str] = []
    problems = datasets.load(dataset, domain, skipped.append)
    tell_skipped(skipped, len(problems), dataset)
    plan.begun(out, dataset)
    refuse_changed(out, problems)
    return problems[:limit], len(skipped)


def runs_of(
    arms: Sequence[Arm], problems: Sequence[Problem], seeds: int
) -> set[tuple[str, str, int]]:
    """Every run: (arm, problem, seed)."""
    return {(arm.name, p.text, s) for arm in arms for p in problems for s in range(seeds)}


def record_into(
    out: Path,
    what: str,
    recording: Callable[..., Awaitable[Sequence[Any]]],
    runs: set[tuple[str, str, int]],
    lines: Path,
) -> None:
    """Record runs under a bar, and say how many there are in the file.

    Args:
        what: What a run becomes there, in the plural.
        recording: Is told where to tell (``tell``), and of each record (``on_record``).
        lines: The JSON lines that grow meanwhile; ``out`` where they are all there is.

    Raises:
        typer.Exit: With 3, if one failed.
    """
    with progress_on(lines, runs, quiet=False) as on_record:
        found = finished(recording(tell=partial(echo, err=True), on_record=on_record), lines)
    echo(f"{len(found)} {what} in {out}")
    if len(found) < len(runs):
        echo(f"{len(runs) - len(found)} runs failed; --resume tries them again", err=True)
        raise typer.Exit(3)


def plain_values(pairs: list[str], options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Settings, beside those that ``options`` say."""
    values = beside_options(options or {}, pairs)
    for name in ("seed", "model", "domain"):
        if name in values:
            raise BadInput(f"{name}={values[name]}: not a setting here; all arms have the same")
    return values


def _arm(text: str, common: dict[str, Any]) -> Arm:
    """``METHOD``, or ``NAME=METHOD;KEY=VALUE;…``; refused if its settings cannot be used."""
    from agentflow import graphs
    from agentflow.arguments import settings_for
    from agentflow.evaluation.records import Arm

    head, *pairs = text.split(";")
    name, named, method = head.partition("=")
    if named and not name.strip():
        raise BadInput(f"arm {text!r} has no name: write NAME=METHOD, or METHOD")
    if not name.isprintable():
        raise BadInput(f"{name!r} cannot be the name of an arm; use printable characters")
    if "=" in method:
        raise BadInput(f"arm {text!r}: write settings as NAME=METHOD;KEY=VALUE;…")
    values = plain_values(pairs)
    method = method if named else name
    graphs.get(method)  # a verifier has settings, too
    settings_for(method, **{**common, **values})
    return Arm(name, method, values)


@contextmanager
def progress_on(
    out: Path, runs: set[tuple[str, str, int]], quiet: bool
) -> Iterator[Callable[[Record], None]]:
    """The bar; records of ``runs`` (arm, problem, seed) that ``out`` holds count."""
    from agentflow.evaluation.runner import load

    right = [r.right for r in load(out) if r.key in runs and not r.failed]
    with progress(len(runs), right, quiet) as tell:
        yield lambda record: tell(record.right)
