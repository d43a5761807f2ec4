"""A controller of searches: record trees, learn from them, replay on others."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from agentflow.cli.app import AsJSON, ModelName, app, command, echo, print_json
from agentflow.cli.evaluate import (
    Dataset,
    DomainOfData,
    Values,
    plain_values,
    problems_of,
    record_into,
    runs_of,
)
from agentflow.cli.running import Concurrency, Limit, Resume, Seeds, fresh
from agentflow.errors import BadInput
from agentflow.files import see_writable, write_whole

controller = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="A learned controller of searches."
)
app.add_typer(controller, name="controller")

Trees = Annotated[
    list[Path], typer.Argument(metavar="TREES...", help="What `agentflow controller record` wrote.")
]
Price = Annotated[
    float,
    typer.Option(
        min=0, help="What a choice must gain per 1,000 tokens, as a share of right answers."
    ),
]


@controller.command()
@command
def record(
    out: Annotated[Path, typer.Argument(help="The file of JSON lines.")],
    dataset: Dataset = "game24",
    domain: DomainOfData = None,
    model: ModelName = "embedded",
    limit: Limit = None,
    seeds: Seeds = 1,
    concurrency: Concurrency = 1,
    settings: Values = None,
    resume: Resume = False,
) -> None:
    """Record what best of n, beam search and lookahead draw on problems, with all scores.

    Learn from problems that you will not measure on. --set has settings of adaptive_compute: who
    scores (scorer, hopeless, unread).
    """
    from agentflow.evaluation import trees

    values = plain_values(settings or [])
    arms = trees.recording(values)
    fresh(out, resume)
    problems, _ = problems_of(dataset, domain, limit, out)
    recording = partial(
        trees.record,
        problems,
        range(seeds),
        out,
        model=model,
        settings=values,
        concurrency=concurrency,
    )
    record_into(out, "trees", recording, runs_of(arms, problems, seeds), out)


@controller.command()
@command
def fit(
    files: Trees,
    out: Annotated[Path, typer.Option(help="Where the controller goes, as JSON.")],
    price: Price = 2.0,
    ahead: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="How many steps are drawn before they are scored, 0 for whole attempts.  "
            "[default: 8 where a reward model scored, else 1]",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Learn a controller from recorded trees: a table of what each choice is expected to bring."""
    from agentflow.evaluation import control, trees
    from agentflow.search.controller import plain

    see_writable(out)
    found = control.fit(trees.load(*files), trees.scored_by(*files), price, ahead)
    write_whole(out, plain(found).encode())
    echo(f"{out}: learned from {found.learned}; solve with compute=learned and controller={out}")


@controller.command()
@command
def replay(
    files: Trees,
    file: Annotated[
        Path | None,
        typer.Option("--controller", help="The controller.  [default: the one that is shipped]"),
    ] = None,
    price: Annotated[
        float | None, typer.Option(min=0, help="In place of the controller's own.")
    ] = None,
    ahead: Annotated[
        int | None,
        typer.Option(min=0, help="Steps drawn before they are scored, in place of the file's."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of what is drawn.")] = 0,
    as_json: AsJSON = False,
) -> None:
    """Replay the controller and the fixed searches on recorded trees, without the model.

    Replay on other problems than those that it was learned from.
    """
    from dataclasses import asdict

    from agentflow.evaluation import control_replay, require, trees
    from agentflow.search.controller import load, shipped

    require("replays", "scipy")
    chosen = load(file) if file else None
    recorded = trees.load(*files)
    of = {one.domain for one in recorded}
    chosen = chosen or load(shipped(recorded[0].scorer, of.pop() if len(of) == 1 else "any"))
    if why := chosen.unsuited(**trees.scored_by(*files)["scores"]):
        raise BadInput(
            f"{files[0]}: the controller cannot be replayed on these trees: {why}; learn one from "
            "trees with these scores (`agentflow controller fit`), and name it with --controller"
        )
    found = control_replay.replay(recorded, chosen, price=price, ahead=ahead, seed=seed)
    if as_json:
        print_json([asdict(one) for one in found])
    else:
        echo(f"learned from {chosen.learned}\n\n{control_replay.table(found)}")
