"""Have a verifier judge one given solution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agentflow.cli.app import (
    AsJSON,
    ModelOrFile,
    app,
    command,
    echo,
    print_json,
    text_given,
)
from agentflow.cli.running import finished
from agentflow.cli.solve import beside_options

if TYPE_CHECKING:
    from agentflow.ledger import Entries
    from agentflow.verdict import Verdict

_SHOWN = 300
_LONGEST = 1_000_000
"""Bytes of a solution: no model reads more."""
_WORDS = {True: "correct", False: "incorrect", None: "cannot tell"}


@app.command()
@command
def judge(
    verifier: Annotated[str, typer.Argument(help="verifiagent, flexive, vanilla, …")],
    problem: Annotated[str, typer.Option(help="The problem's text.")],
    solution: Annotated[
        str, typer.Option(metavar="FILE", help="The solution's text; - for standard input.")
    ],
    domain: Annotated[
        str | None, typer.Option(help="See `agentflow domains`; game24 if none is named.")
    ] = None,
    model: ModelOrFile = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="A setting of the verifier; may be repeated."
        ),
    ] = None,
    as_json: AsJSON = False,
) -> None:
    """Have a verifier that asks a model judge one solution; print its verdict and what that cost.

    Exits 0 if the verdict is correct or incorrect, 1 if the verifier cannot tell.
    """
    from agentflow import graphs
    from agentflow.api import ajudge
    from agentflow.arguments import arguments_of, settings_for, with_solver

    graphs.verifier(verifier)
    values = beside_options({"domain": domain}, settings or [], model=model)
    settings_for(verifier, **values)
    values = arguments_of(values) if model is None else with_solver(values, model)
    text = text_given(solution, _LONGEST)
    verdict, entries = finished(ajudge(problem, text, verifier, **values))
    if as_json:
        from agentflow.ledger import by_role

        cost = {role: asdict(entry) for role, entry in by_role(entries).items()}
        print_json(asdict(verdict) | {"cost_by_role": cost})
    else:
        for line in _lines(verdict, entries):
            echo(line)
    if verdict.ok is None:
        raise typer.Exit(1)


def _lines(verdict: Verdict, entries: Entries) -> Iterator[str]:
    """What a person reads of a verdict."""
    from agentflow.ledger import by_role

    score = "" if verdict.score is None else f", score {verdict.score:.3f}"
    step = verdict.first_wrong_step
    where = "" if step is None else f", first_wrong_step {step}"
    yield f"{_WORDS[verdict.ok]} ({verdict.source}{score}{where})"
    if verdict.reason:
        yield verdict.reason
    yield from _evidence(verdict.evidence)
    for role, cost in by_role(entries).items():
        yield f"{role}: {cost.calls} calls, {cost.prompt + cost.generated} tokens"


def _evidence(evidence: Mapping[str, Any]) -> Iterator[str]:
    """The lines about what VerifiAgent's verdicts rest on, and those of fact_check; other
    verifiers' have none of it."""
    if meta := evidence.get("meta"):
        yield f"form: {'complete, consistent' if meta['ok'] else 'wrong'}"
    for call in evidence.get("calls") or ():
        agreement = {True: "agrees", False: "disagrees", None: "cannot be compared"}[call["agrees"]]
        yield f"{call['tool']}: {_short(call['observation'])} ({call['outcome']}, {agreement})"
    for fact in evidence.get("facts") or ():
        queries = ", ".join(search["query"] for search in fact["found"])
        why = "; ".join(filter(None, [fact["reason"], queries and f"searched for: {queries}"]))
        yield f"{fact['rating']}: {fact['fact']} ({_short(why)})"
    if evidence.get("reflected"):
        yield f"reflected: {evidence['conflict']}"
    if revision := evidence.get("revision"):
        yield f"revision: {revision}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
