"""Evaluate verifiers of whole solutions on recorded ones that are known to be right or wrong."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentflow.cli.app import AsJSON, Debug, ModelName, app, command, echo, print_json
from agentflow.cli.running import Concurrency, Limit, Resume, failures, finished, fresh, progress
from agentflow.cli.solve import read_settings

if TYPE_CHECKING:
    from agentflow.evaluation.records import Arm
    from agentflow.evaluation.verdicts import Judgement


@app.command(name="eval-verifier")
@command
def eval_verifier(
    verifier: Annotated[
        str,
        typer.Argument(
            metavar="VERIFIER",
            help="A verifier of given solutions, or NAME=VERIFIER to call its records NAME.",
        ),
    ],
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="JSON lines, JSON or Parquet with problem, solution (or steps), right (true or "
            "false) or gold, and optionally id, domain, type, difficulty.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="Where the records go, as JSON lines.")],
    format: Annotated[
        str,
        typer.Option(
            help="How the files are written: rows (as above), or as published by gsm8k (its "
            "example_model_solutions), processbench, hotpotqa (Reflexion's trajectories), zeroeval "
            "or game24 (Tree of Thoughts' logs)."
        ),
    ] = "rows",
    domain: Annotated[
        str, typer.Option("--domain", help="Of the rows that name none; see `agentflow domains`.")
    ] = "",
    model: ModelName = "embedded",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting of it; may be repeated."),
    ] = None,
    beside: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="RECORDS",
            help="Records of another run (without a layer, with another model) whose rows stand "
            "beside; may be repeated.",
        ),
    ] = None,
    limit: Limit = None,
    concurrency: Concurrency = 1,
    resume: Resume = False,
    as_json: AsJSON = False,
    debug: Debug = False,
) -> None:
    """Have a verifier judge recorded solutions, one record each; print how good its verdicts are.

    Several verifiers, or one with several settings, may have their records in one file: each that
    is in it gets its row. A run that was cut off goes on with --resume; solutions on which a run
    failed are recorded with the reason, and tried again. Rows that hold no solution are named, and
    the others judged.
    """
    from agentflow.evaluation import require, verdict_scores, verdicts
    from agentflow.evaluation import solutions as recorded
    from agentflow.version import __version__

    require("comparisons", "scipy")
    arm = _arm(verifier, settings or [])
    others = [one for path in beside or [] for one in _others(path)]
    fresh(out, resume)
    solutions, bad = finished(recorded.load(files, format, domain, limit))
    wanted = {one.digest for one in solutions}
    known = [r for r in verdicts.load(out) if r.digest in wanted and not r.failed]
    done = [record.correct for record in known if record.arm == arm.name]
    with progress(len(wanted), done, as_json) as tell:
        records = finished(
            verdicts.run(
                [arm],
                solutions,
                out,
                model=model,
                concurrency=concurrency,
                on_record=lambda record: tell(record.correct),
            )
        )
    failed = [record for record in records if record.failed]
    beside_it = [record for record in known if record.arm != arm.name]
    rows = verdict_scores.rows([*records, *beside_it, *others])
    if as_json:
        plain = {"rows": [asdict(row) for row in rows], "failed": len(failed), "bad": bad}
        print_json(plain)
    else:
        right = sum(one.right for one in solutions)
        echo(f"agentflow {__version__}, model {model}: solutions {len(solutions)}, {right} right")
        if rows:
            echo("\n" + verdict_scores.markdown(rows))
        for line in bad:
            echo(line, err=True)
    failures([f"{record.id}: {record.reason}" for record in failed], as_json)
    if bad:
        raise typer.Exit(2)


def _arm(text: str, pairs: list[str]) -> Arm:
    """``VERIFIER`` or ``NAME=VERIFIER``, with its settings; refused if they cannot be used."""
    from agentflow import graphs
    from agentflow.api import settings_for
    from agentflow.errors import BadInput
    from agentflow.evaluation.records import Arm

    name, _, verifier = text.rpartition("=")
    graphs.verifier(verifier)
    values = read_settings(pairs)
    for key in ("model", "domain"):
        if key in values:
            raise BadInput(f"--set {key}: the option --{key} says it")
    settings_for(verifier, **values)
    return Arm(name or verifier, verifier, values)


def _others(path: Path) -> list[Judgement]:
    """The records of another run, its file's name behind those of its arms."""
    from agentflow.errors import BadInput
    from agentflow.evaluation import verdicts

    if not path.exists():
        raise BadInput(f"--beside {path}: there is no such file")
    return [replace(one, arm=f"{one.arm} ({path.stem})") for one in verdicts.load(path)]
