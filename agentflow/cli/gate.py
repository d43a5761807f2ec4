"""Policies over tool calls: have a model write one, certify it, show it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentflow.cli.app import AsJSON, ModelName, app, command, echo, print_json
from agentflow.cli.running import finished
from agentflow.errors import BadInput
from agentflow.files import write_whole
from agentflow.terminal import escaped

if TYPE_CHECKING:
    from agentflow.gate import Certificate, Policy

gate = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Policies over an agent's tool calls."
)
app.add_typer(gate, name="gate")

Tools = Annotated[
    Path,
    typer.Option(help="JSON: a list of tools, each with `name` and `parameters` (JSON Schema)."),
]
Rules = Annotated[Path, typer.Argument(metavar="RULES.toml", help="Rules, as `compile` writes.")]


@gate.command("compile")
@command
def compile_(
    policy: Annotated[Path, typer.Argument(metavar="POLICY.md", help="The policy in prose.")],
    tools: Tools,
    out: Annotated[Path, typer.Option(metavar="RULES.toml", help="Where the rules go.")],
    knows: Annotated[
        Path | None, typer.Option(help="A text that says what the state holds.")
    ] = None,
    model: ModelName = "embedded",
    seed: Annotated[int, typer.Option(help="Of the request.")] = 0,
) -> None:
    """Have a model write a policy's rules: code, and formulas where the policy is logic.

    They allow nothing before they are certified; read them, too. Exits 0 if the model wrote rules
    that can be read, 1 if not.
    """
    from agentflow import models
    from agentflow.files import text_in
    from agentflow.gate.files import read_tools
    from agentflow.gate.writing import write_policy

    prose, schemas = text_in(policy), read_tools(tools)
    known = text_in(knows) if knows else ""

    async def run() -> str:
        opened = await models.connect(model)
        return await write_policy(opened, prose, schemas, known, seed=seed)

    text = finished(run())
    if not text:
        echo("the model wrote no rules that can be read; try another model or seed", err=True)
        raise typer.Exit(1)
    write_whole(out, text.encode())
    echo(f"{out}: read the rules (`agentflow gate show`), then `agentflow gate certify`")


@gate.command()
@command
def certify(
    rules: Rules,
    tools: Tools,
    actions: Annotated[
        Path,
        typer.Option(
            help="JSON lines: right calls with state, name and args; wrong ones with `breaks`, the "
            "name of what they break."
        ),
    ],
    share: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Of wrong calls that must be caught.")
    ] = 0.95,
    as_json: AsJSON = False,
) -> None:
    """Judge right and wrong calls by rules; say what is certified of them, tool by tool.

    A tool is certified if none of its right calls is blocked, and of its wrong calls at least the
    share is caught. Calls with arguments left out or of other types are made of the right ones.
    Exits 0 if all tools are certified, 1 if not.
    """
    from agentflow.gate import SCHEMA_MUTATIONS
    from agentflow.gate import certify as judged
    from agentflow.gate.files import read_actions

    policy = _policy(rules, tools)
    right, wrong = read_actions(actions)
    needed = frozenset(
        name
        for name, schema in policy.schemas.items()
        if all(field.is_required() for field in schema.model_fields.values())
    )
    mutations = [replace(one, tools=needed) for one in SCHEMA_MUTATIONS] if needed else []
    found = judged(policy, right, mutations, reference=replace(policy, rules=()), broken=wrong)
    held = {name: name in found.tools and found.tools[name].holds(share) for name in policy.schemas}
    if as_json:
        blocked = [{"label": label, "reason": reason} for label, reason in found.blocked]
        rows = [
            {"breaks": row.rule, "mutants": row.mutants, "caught": row.caught, "missed": row.missed}
            for row in found.rows
        ]
        print_json({"gold": found.gold, "blocked": blocked, "rows": rows, "certified": held})
    else:
        _told(found, held)
    if not all(held.values()):
        raise typer.Exit(1)


@gate.command()
@command
def show(rules: Rules, tools: Tools) -> None:
    """Show rules for a person to read, tool by tool: what must hold before it is called."""
    from agentflow.files import text_in
    from agentflow.gate.text import written_rules

    policy = _policy(rules, tools)
    found = written_rules(text_in(rules))
    for name in policy.schemas:
        mine = [rule.name for rule in found if name in rule.tools]
        echo(f"{name}: {', '.join(mine) or 'no rule: never called'}")
    for rule in found:
        echo("")
        echo(escaped(f"{rule.name}: {rule.says}"))
        facts = [f"  {name} = {fact}" for name, fact in rule.facts.items()]
        body = rule.code.strip("\n").splitlines() if rule.code else [rule.formula, *facts]
        for line in body:
            echo("  " + escaped(line))


def _policy(rules: Path, tools: Path) -> Policy:
    from agentflow.files import text_in
    from agentflow.gate import read_policy
    from agentflow.gate.files import read_tools

    policy = read_policy(text_in(rules), read_tools(tools))
    if policy.fault:
        raise BadInput(f"{rules}: {policy.fault}")
    return policy


def _told(found: Certificate, held: dict[str, bool]) -> None:
    echo(found.table())
    for label, reason in found.blocked:
        echo(escaped(f"blocked: {label}: {reason}"))
    for row in found.rows:
        for label in row.missed:
            echo(escaped(f"missed: {row.rule}: {label}"))
    for name, holds in held.items():
        echo(f"{'certified' if holds else 'not certified: never allowed'}: {name}")
