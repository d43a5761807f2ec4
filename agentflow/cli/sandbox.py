"""The sandbox: let it check itself, run a program in it."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from agentflow.cli.app import AsJSON, app, command, echo, print_json, text_given
from agentflow.errors import BadInput
from agentflow.terminal import escaped

sandbox = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Run programs that nobody has read."
)
app.add_typer(sandbox, name="sandbox")


@sandbox.command()
@command
def check(as_json: AsJSON = False) -> None:
    """Attack the sandbox in every way we know, and each time a plain process as the control.

    pass: the attack succeeded outside and was held inside. no control: held, but this host does
    not let it succeed outside either, so that it shows nothing. FAIL: it succeeded inside. Exits
    0 if none failed, 1 if one did, 2 if the kernel offers too little to isolate programs.
    """
    from dataclasses import asdict

    from agentflow.tools.sandbox import SandboxUnavailable
    from agentflow.tools.sandbox.check import check as attack

    findings = []
    subject = ""
    try:
        for finding in attack():
            findings.append(finding)
            if as_json:
                continue
            if finding.subject != subject:
                subject = finding.subject
                echo(subject)
            echo(f"  {finding.status:10}  {finding.name}: {finding.attack}")
            if finding.status != "pass":
                echo(f"              {finding.detail}")
    except SandboxUnavailable as error:
        raise BadInput(str(error)) from error
    statuses = [finding.status for finding in findings]
    counts = {status: statuses.count(status) for status in ("pass", "FAIL", "no control")}
    if as_json:
        shown = [asdict(finding) for finding in findings]
        print_json({"ok": counts["FAIL"] == 0, "counts": counts, "findings": shown})
    else:
        echo(
            f"{counts['pass']} of {len(findings)} passed, {counts['FAIL']} failed, "
            f"{counts['no control']} without a control here"
        )
    if counts["FAIL"]:
        raise typer.Exit(1)


@sandbox.command()
@command
def run(
    file: Annotated[str, typer.Argument(metavar="FILE.py", help="A program; - for stdin.")],
    data: Annotated[
        str, typer.Option(metavar="JSON", help="What the program sees as `data`.")
    ] = "null",
    seconds: Annotated[float, typer.Option(help="Wall clock.")] = 10.0,
    memory_mib: Annotated[int, typer.Option(help="Memory, besides the interpreter's.")] = 512,
    as_json: AsJSON = False,
) -> None:
    """Run any program in the sandbox: its value is `ans`, or its last expression.

    What would steer a terminal in its output is spelled out; --json has the output as it is.

    Exits 0 if it came to its end, 1 if it failed or hit a limit, 2 if it could not be run.
    """
    from dataclasses import asdict

    from agentflow.tools.sandbox import Limits, SandboxUnavailable, shared

    code, given = text_given(file), _given(data)
    try:
        limits = Limits(seconds=seconds, cpu_seconds=seconds, memory_mib=memory_mib)
        done = shared().run(code, data=given, limits=limits)
    except (SandboxUnavailable, ValueError) as error:
        raise BadInput(str(error)) from error
    if as_json:
        print_json({"ok": done.ok, **asdict(done)})
    else:
        echo(escaped(done.stdout), nl=False)
        echo(escaped(done.stderr), nl=False, err=True)
        if done.shown:
            echo(escaped(done.shown))
        if done.failure:
            line = f"line {done.failure.line}: " if done.failure.line else ""
            echo(escaped(f"{line}{done.failure.type}: {done.failure.message}"), err=True)
        if done.limit:
            echo(f"it hit its limit on {done.limit}", err=True)
    if not done.ok:
        raise typer.Exit(1)


def _given(data: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"--data is not JSON: {error}") from error
