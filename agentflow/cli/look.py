"""Look at what is there: methods, domains, what is installed; judge traces; the demo."""

from __future__ import annotations

import asyncio
import sys
from enum import StrEnum
from pathlib import Path
from textwrap import indent
from typing import Annotated

import typer

from agentflow.cli.app import (
    AsJSON,
    Context,
    DomainName,
    ModelName,
    Threads,
    app,
    command,
    echo,
    on_engine,
    print_json,
)
from agentflow.errors import BadInput
from agentflow.files import write_whole
from agentflow.strict_json import dumps
from agentflow.terminal import printing


class Format(StrEnum):
    """What a graph is drawn as."""

    MERMAID = "mermaid"
    PNG = "png"


@app.command()
@command
def verify(
    source: Annotated[
        str,
        typer.Option(
            "--input", help="JSON lines with id, problem and trace; - for standard input."
        ),
    ],
    target: Annotated[
        str, typer.Option("--output", help="Where the verdicts go; - for standard output.")
    ] = "-",
    domain: DomainName = "game24",
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="How the traces mark their thinking: a format (think, magistral, harmony, s1, "
            "…), plain for none, or a model's profile. Told from each trace where left out.",
        ),
    ] = None,
) -> None:
    """Judge recorded traces by a domain's own code, without a model: which step is wrong, and is
    the answer right?

    Writes a line of JSON a trace: id, steps_ok, answer_ok, ok, first_wrong_step (0-based), kind,
    feedback, hopeless_from, the first right step from which the goal is out of reach (for
    information, never an error), undetermined, why ok is null, and split, how thinking and answer
    were told apart (unmarked: by nothing, and all of it is read). Exits 0 also when traces are
    wrong, 2 when a file cannot be used or lines of it are broken: each is reported with its number,
    and the others are judged.
    """
    from agentflow import domains
    from agentflow.judge import judge_file
    from agentflow.profile import thinking_format

    name = "standard input" if source == "-" else source
    if source != "-" and target != "-" and Path(source).resolve() == Path(target).resolve():
        raise BadInput(f"--input and --output are one file, {source}: its traces would be lost")
    broken = 0

    def report(line: int, why: str) -> None:
        nonlocal broken
        broken += 1
        echo(f"error: {name}, line {line}: {' '.join(why.split())}", err=True)

    told, opened = (None, False) if form is None else thinking_format(form)
    judge = judge_file(domains.get(domain), source, target, report, told, opened=opened)
    judged = asyncio.run(judge)
    if broken:
        raise BadInput(f"{name}: broken lines {broken}, traces judged {judged}")
    if not judged:
        raise BadInput(f"{name}: no trace in it; each line is JSON with id, problem and trace")


@app.command()
@command
def methods(
    name: Annotated[
        str | None, typer.Argument(help="Show one with its settings; all if absent.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Show every setting.")] = False,
    as_json: AsJSON = False,
) -> None:
    """List the methods and their settings."""
    from agentflow import catalogue

    listed = catalogue.methods(name)
    if as_json:
        print_json(listed)
        return
    width = max(len(method["name"]) for method in listed)
    for method in listed:
        echo(f"{method['name']:{width}}  {method['description']}")
        for setting in method["settings"] if verbose or name else ():
            bounds = f" {setting['bounds']}" if setting["bounds"] else ""
            default = dumps(setting["default"])
            echo(f"    {setting['name']} ({setting['type']}{bounds}; default {default})")
            echo(f"        {setting['description']}")


@app.command()
@command
def graph(
    method: Annotated[str, typer.Argument(help="See `agentflow methods`.")],
    format: Annotated[Format, typer.Option(help="mermaid is text; png needs the extra draw.")] = (
        Format.MERMAID
    ),
    output: Annotated[
        str, typer.Option(help="Where the drawing goes; - for standard output.")
    ] = "-",
) -> None:
    """Draw a method's graph; steps that depend on what happened are dashed or dotted."""
    from agentflow import draw

    if format is Format.PNG and output == "-" and sys.stdout.isatty():
        raise BadInput("a PNG would garble the terminal; give --output FILE")
    drawing = draw.png(method) if format is Format.PNG else draw.mermaid(method).encode()
    if output == "-":
        with printing():
            typer.echo(drawing, nl=False)
        return
    write_whole(Path(output), drawing)


@app.command()
@command
def domains(as_json: AsJSON = False) -> None:
    """List the domains."""
    from agentflow import catalogue

    listed = catalogue.domains()
    if as_json:
        print_json(listed)
        return
    for domain in listed:
        echo(f"{domain['name']}  {domain['description']}")
        if domain["tools"]:
            used = ", ".join(f"{role}: {backend}" for role, backend in domain["tools"].items())
            echo(f"    tools  {used}")
        echo("    example\n" + indent(domain["example"], " " * 8))


@app.command()
@command
def demo(
    puzzles: Annotated[
        int, typer.Option(min=1, max=250, help="How many of the 250 held-out puzzles.")
    ] = 40,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the run.")] = 0,
    model: ModelName = "embedded",
) -> None:
    """Compare methods on puzzles the bundled model never saw.

    They are direct, k-stable, the step verifier without and with restarts, and unified.
    """
    from agentflow.evaluation.demo import demo as run_demo
    from agentflow.show import Output

    run_demo(puzzles, seed, model, Output())


@app.command()
@command
def doctor(
    model: ModelName = "embedded",
    context: Context = None,
    threads: Threads = None,
    timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds the model has for its answer.")
    ] = 60.0,
    as_json: AsJSON = False,
) -> None:
    """Look at what is installed, whether the model answers, and what the kernel allows.

    Exits 0 if the model answers, else 1.
    """
    from dataclasses import asdict

    from agentflow.doctor import examine

    model = on_engine(model, context, threads)
    checks = examine(model, timeout)
    works = all(check.ok for check in checks if check.required)
    if as_json:
        print_json({"ok": works, "checks": [asdict(check) for check in checks]})
    else:
        section = ""
        for check in checks:
            if check.section != section:
                section = check.section
                echo(section)
            echo(f"  {'ok' if check.ok else '--'}  {check.name}: {check.detail}")
        echo("the model works" if works else f"the model {model} does not work, see above")
    if not works:
        raise typer.Exit(1)
