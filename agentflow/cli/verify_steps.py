"""Evaluate verifiers on solutions whose first wrong step is known."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentflow.cli.app import AsJSON, Debug, ModelName, app, command, echo, print_json
from agentflow.cli.running import Concurrency, Limit, Resume, failures, finished, fresh, progress
from agentflow.errors import BadInput

if TYPE_CHECKING:
    from agentflow.evaluation.records import Arm


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
            help="flex@K, fast@K or slow@K (FlexiVe); domain (its own step verifier); pool@N+M "
            "(gather N fast and M slow replies, simulate votes over them). May be repeated; the "
            "first is what costs are relative to.  [default: flex@8]",
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
    debug: Debug = False,
) -> None:
    """Have verifiers look for the first wrong step, one record a solution; print ProcessBench's F1.

    A run that was cut off goes on with --resume; solutions on which a run failed are recorded with
    the reason, and tried again. Votes over a pool that is gathered need no model: repeat the
    command with --resume and another --tau.
    """
    from dataclasses import asdict

    from agentflow import domains
    from agentflow.evaluation import pool, require, solutions, step_scores, verdicts
    from agentflow.version import __version__

    require("comparisons", "scipy")
    judge = domains.get(domain) if domain is not None else None
    texts = list(dict.fromkeys(verifier or ["flex@8"]))
    arms = [_arm(text, domain, tau, seed) for text in texts]
    samples = solutions.load_labelled(files, judge)[:limit]
    fresh(out, resume)
    wanted = {(arm.name, sample.digest) for arm in arms for sample in samples}
    right = [r.correct for r in verdicts.load(out) if r.key in wanted and not r.failed]
    with progress(len(wanted), right, as_json) as tell:
        records = finished(
            verdicts.run(
                arms,
                samples,
                out,
                model=model,
                concurrency=concurrency,
                on_record=lambda record: tell(record.correct),
            )
        )
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


def _arm(text: str, domain: str | None, tau: float, seed: int) -> Arm:
    """A verifier by its name on the command line."""
    from agentflow.evaluation.records import Arm

    if text == "domain":
        if domain is None:
            raise BadInput("the verifier domain needs --domain NAME; see `agentflow domains`")
        return Arm(text, "domain", {"domain": domain})
    if found := re.fullmatch(r"(flex|fast|slow)@([1-9]\d{0,3})", text):
        settings = {"k": int(found[2]), "seed": seed}
        return Arm(text, found[1], settings | ({"tau": tau} if found[1] == "flex" else {}))
    if found := re.fullmatch(r"pool@([1-9]\d{0,3})\+([1-9]\d{0,3})", text):
        return Arm(text, "pool", {"fast": int(found[1]), "slow": int(found[2]), "seed": seed})
    raise BadInput(
        f"unknown verifier {text[:40]!r}; use flex@8, fast@8, slow@1, domain or pool@64+8"
    )
