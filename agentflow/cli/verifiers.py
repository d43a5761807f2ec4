"""Evaluate verifiers on recorded solutions that are known to be right or wrong, and on such whose
first wrong step is known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentflow.cli.app import AsJSON, ModelName, app, command, echo, print_json
from agentflow.cli.running import (
    Concurrency,
    Limit,
    Resume,
    failures,
    finished,
    fresh,
    progress,
    tell_skipped,
)
from agentflow.cli.solve import read_settings
from agentflow.errors import BadInput

if TYPE_CHECKING:
    from agentflow.evaluation.records import Arm
    from agentflow.evaluation.solutions import Solution
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
            help="How the files are written: rows (as above), records (of `agentflow eval`), or as "
            "published by gsm8k (its example_model_solutions), processbench, hotpotqa "
            "(Reflexion's trajectories), zeroeval or game24 (Tree of Thoughts' logs)."
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
    arm = _verifier(verifier, settings or [])
    others = [one for path in beside or [] for one in _others(path)]
    fresh(out, resume)
    solutions, bad = finished(recorded.load(files, format, domain, limit))
    records = _judged([arm], solutions, out, model, concurrency, as_json)
    wanted = {one.digest for one in solutions}
    known = [r for r in verdicts.load(out) if r.digest in wanted and not r.failed]
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


def _verifier(text: str, pairs: list[str]) -> Arm:
    """``VERIFIER`` or ``NAME=VERIFIER``, with its settings; refused if they cannot be used."""
    from agentflow import graphs
    from agentflow.arguments import settings_for
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
    from agentflow.evaluation import verdicts

    if not path.exists():
        raise BadInput(f"--beside {path}: there is no such file")
    return [replace(one, arm=f"{one.arm} ({path.stem})") for one in verdicts.load(path)]


@app.command(name="eval-steps")
@command
def eval_steps(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="JSON lines, JSON or Parquet as ProcessBench or BIG-Bench-Mistake have them; or "
            "processbench-gsm8k, -math, -olympiadbench, -omnimath, from the Hugging Face hub.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="Where the records go, as JSON lines.")],
    verifier: Annotated[
        list[str] | None,
        typer.Option(
            help="flex@K, fast@K or slow@K (FlexiVe); step by step: prm (a reward model, --model "
            "reward:URL), genprm@K or dyve@K (models of these kinds); domain (its own step "
            "verifier); pool@N+M (gather N fast and M slow replies, simulate votes over them). May "
            "be repeated; the first is what costs are relative to.  [default: flex@8]",
        ),
    ] = None,
    domain: Annotated[
        str | None,
        typer.Option("--domain", help="Who parses the problems; needed by the verifier domain."),
    ] = None,
    model: ModelName = "embedded",
    parameters: Annotated[
        float | None, typer.Option(min=0, help="Of the model, in billions, for its cost.")
    ] = None,
    tau: Annotated[
        float, typer.Option(min=0, max=1, help="Agreement at which fast replies are enough.")
    ] = 0.8,
    limit: Limit = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the replies.")] = 0,
    concurrency: Concurrency = 1,
    resume: Resume = False,
    as_json: AsJSON = False,
) -> None:
    """Have verifiers look for the first wrong step, one record a solution; print ProcessBench's F1.

    A run that was cut off goes on with --resume; solutions on which a run failed are recorded with
    the reason, and tried again. Votes over a pool that is gathered need no model: repeat the
    command with --resume and another --tau.
    """
    from agentflow import domains
    from agentflow.evaluation import pool, require, solutions, step_scores
    from agentflow.version import __version__

    require("comparisons", "scipy")
    judge = domains.get(domain) if domain is not None else None
    texts = list(dict.fromkeys(verifier or ["flex@8"]))
    arms = [_step_verifier(text, domain, tau, seed) for text in texts]
    skipped: list[str] = []
    samples = solutions.load_labelled(files, judge, skipped.append)
    tell_skipped(skipped, len(samples))
    samples = samples[:limit]
    fresh(out, resume)
    records = _judged(arms, samples, out, model, concurrency, as_json)
    failed = [record for record in records if record.failed]
    gathered = {arm.name for arm in arms if arm.method == "pool"}
    judged = [record for record in records if record.arm not in gathered]
    rows = step_scores.rows(judged, parameters)
    votes = {
        name: pool.votes([r for r in records if r.arm == name and r.kind == "pool"], tau)
        for name in texts
        if name in gathered
    }
    if as_json:
        pools = {name: [asdict(one) for one in table] for name, table in votes.items()}
        print_json({"rows": [asdict(row) for row in rows], "pools": pools, "failed": len(failed)})
    else:
        wrong = sum(sample.label != -1 for sample in samples)
        echo(
            f"agentflow {__version__}, model {model}: solutions {len(samples)}, "
            f"{wrong} with a wrong step"
        )
        if rows:
            echo("\n" + step_scores.markdown(rows))
        for name, table in votes.items():
            echo(f"\n{name}:\n\n{pool.markdown(table)}")
    failures([f"{r.arm}: {r.id}: {r.reason}" for r in failed], as_json)


def _step_verifier(text: str, domain: str | None, tau: float, seed: int) -> Arm:
    """A verifier by its name on the command line."""
    from agentflow.evaluation.records import Arm

    if text == "domain":
        if domain is None:
            raise BadInput("the verifier domain needs --domain NAME; see `agentflow domains`")
        return Arm(text, "domain", {"domain": domain})
    if found := re.fullmatch(r"(flex|fast|slow)@([1-9]\d{0,3})", text):
        settings = {"k": int(found[2]), "seed": seed}
        return Arm(text, found[1], settings | ({"tau": tau} if found[1] == "flex" else {}))
    if text == "prm":
        return Arm(text, "prm", {})
    if found := re.fullmatch(r"(genprm|dyve)(?:@([1-9]\d{0,3}))?", text):
        return Arm(text, found[1], {"k": int(found[2] or 1), "seed": seed})
    if found := re.fullmatch(r"pool@([1-9]\d{0,3})\+([1-9]\d{0,3})", text):
        return Arm(text, "pool", {"fast": int(found[1]), "slow": int(found[2]), "seed": seed})
    raise BadInput(
        f"unknown verifier {text[:40]!r}; use flex@8, fast@8, slow@1, prm, genprm@8, dyve, "
        "domain or pool@64+8"
    )


def _judged(
    arms: Sequence[Arm],
    solutions: Sequence[Solution],
    out: Path,
    model: str,
    concurrency: int,
    quiet: bool,
) -> list[Judgement]:
    """Run what ``out`` does not hold yet, under a bar."""
    from agentflow.evaluation import verdicts

    wanted = {(arm.name, one.digest) for arm in arms for one in solutions}
    done = [r.correct for r in verdicts.load(out) if r.key in wanted and not r.failed]
    with progress(len(wanted), done, quiet) as tell:
        running = verdicts.run(
            arms,
            solutions,
            out,
            model=model,
            concurrency=concurrency,
            on_record=lambda record: tell(record.correct),
        )
        records: list[Judgement] = finished(running, out)
        return records
