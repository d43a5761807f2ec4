"""Probe recorded chains again: with other models, prefixes, controls and schedules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentflow.cli.app import AsJSON, app, command, echo, print_json
from agentflow.cli.evaluate import DomainOfData, Values, plain_values
from agentflow.cli.running import Concurrency, finished
from agentflow.errors import BadInput

if TYPE_CHECKING:
    from agentflow.evaluation.chains import Chain
    from agentflow.evaluation.probing import How

Texts = list[str] | None


@app.command()
@command
def probe(
    chains: Annotated[
        Path, typer.Argument(help="Chains of `agentflow record`, or of others (--rollouts).")
    ],
    out: Annotated[Path, typer.Option(help="A folder: a file of chains for each way to probe.")],
    models: Annotated[
        Texts,
        typer.Option(
            "--model", help="Who is asked, as of `agentflow eval`; may be repeated: proxies."
        ),
    ] = None,
    prefixes: Annotated[
        Texts,
        typer.Option(
            "--prefix",
            help="Text behind the close marker, \\n for a line break, empty for none; may be "
            "repeated.  [default: the model's own]",
        ),
    ] = None,
    controls: Annotated[
        Texts,
        typer.Option(
            "--control",
            help="Also newline, behind a line break without closing the thinking; bracket, behind "
            "[ as before a call. May be repeated.",
        ),
    ] = None,
    checks: Annotated[
        Texts,
        typer.Option(
            "--check",
            help="Also at other places: line, or tokens:100 for every so many; may be repeated.",
        ),
    ] = None,
    dataset: Annotated[
        str | None, typer.Option(help="Of chains of others: the problems, in their order.")
    ] = None,
    domain: DomainOfData = None,
    rollouts: Annotated[
        Path | None,
        typer.Option(help="Of chains of others: the folder with seed_K/answers_N.json."),
    ] = None,
    field: Annotated[
        str, typer.Option(help="Of chains of others: the field with the whole text.")
    ] = "response",
    concurrency: Concurrency = 1,
    settings: Values = None,
    as_json: AsJSON = False,
) -> None:
    """Ask models for the entropy at the check points of chains that are there, and replay it.

    Only the signal is new: answers and their correctness stay those that were recorded. What was
    asked before is not asked again. --set has the settings that the chains were recorded with
    (prompt, probe.alternatives).
    """
    from agentflow.evaluation import chains as recorded
    from agentflow.evaluation import families, replay, tradeoff
    from agentflow.evaluation.markdown import percent, table

    recorded.require_packages()
    values = plain_values(settings or [])
    asked = models or ["embedded"]
    ways = _ways(prefixes, controls or [], checks or [])
    lines, plain = [], []
    given: list[Chain] | None = None
    if rollouts is None:
        given = recorded.load(chains)
    elif dataset is None:
        raise BadInput("--rollouts needs --dataset, the problems in the chains' order")
    probed = finished(
        _probed(
            chains, given, dataset, domain, rollouts, field, asked, ways, out, values, concurrency
        )
    )
    for name, found in probed.items():
        if not found:
            echo(f"{name}: no chain could be probed", err=True)
            continue
        replayed, family = replay.Replay(found), families.entropy_variance()
        points = replayed.curve(family)
        low = min(point.with_probes for point in points)
        area = tradeoff.area(points, low, replayed.mean_tokens)
        best = tradeoff.matched(replayed, family)
        saved = best.saved.value if best else 0.0
        plain.append({"file": str(out / f"{name}.parquet"), "area": area, "saved": saved})
        lines.append(
            {
                "probe": name,
                "chains": str(len(found)),
                "area": percent(area),
                "saved at no loss": best.saved.percent() if best else "nothing",
            }
        )
    if as_json:
        print_json(plain)
    else:
        echo(table(lines))
        echo(f"\nEntropy variance, alpha 0.2; `agentflow replay` has every rule on each of {out}.")


async def _probed(
    path: Path,
    given: list[Chain] | None,
    dataset: str | None,
    domain: str | None,
    rollouts: Path | None,
    field: str,
    asked: list[str],
    ways: list[How],
    out: Path,
    values: dict[str, object],
    concurrency: int,
) -> dict[str, list[Chain]]:
    """The chains for each model and way."""
    from agentflow import models
    from agentflow.evaluation import chains as recorded
    from agentflow.evaluation import datasets, imported, probing

    if given is None:
        assert rollouts is not None
        assert dataset is not None
        first = await models.connect(asked[0])
        problems = datasets.load(dataset, domain)
        skipped: list[str] = []
        given = await imported.load(
            path, problems, rollouts, first, field=field, skipped=skipped.append
        )
        if skipped:
            echo(f"{path}: {len(skipped)} rows skipped: {skipped[0][:200]}", err=True)
    found = {}
    for number, model in enumerate(asked):
        served = re.sub(r"[^\w.-]+", "-", (await models.connect(model)).name.rpartition("/")[2])
        for how in ways:
            name = f"{served}.{how.name}"
            name = f"{number}.{name}" if name in found else name
            lines = out / f"{name}.jsonl"
            found[name] = await probing.probe(
                given, lines, how, model=model, settings=values, concurrency=concurrency
            )
            if found[name]:
                recorded.save(found[name], lines.with_suffix(".parquet"))
    return found


def _ways(prefixes: Texts, controls: list[str], checks: list[str]) -> list[How]:
    """Every way to probe that was asked for."""
    from agentflow.evaluation.probing import CONTROLS, How
    from agentflow.monitors.schedule import Schedule

    ways = [How("own")] if prefixes is None else []
    for text in prefixes or []:
        prefix = text.replace("\\n", "\n")
        plain = re.sub(r"\W+", "-", prefix).strip("-") or "none"
        ways.append(How(f"prefix-{plain}", prefix))
    for name in controls:
        if name not in CONTROLS:
            raise BadInput(f"--control {name[:40]}: {', '.join(CONTROLS)}")
        ways.append(CONTROLS[name])
    for text in checks:
        at, _, every = text.partition(":")
        if at not in ("paragraph", "line", "tokens") or not (every or "1").isdecimal():
            raise BadInput(f"--check {text[:40]}: line, paragraph, or tokens:100")
        schedule = Schedule.model_validate({"at": at, "every": max(1, int(every or 1))})
        ways.append(How(f"check-{at}-{schedule.every}", check=schedule))
    return ways
