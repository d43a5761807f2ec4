"""Lean: whether it works here, and Verina's tasks judged by it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentflow.cli.app import AsJSON, app, command, echo, print_json
from agentflow.errors import BadInput
from agentflow.files import FULL, unwritable

if TYPE_CHECKING:
    from agentflow.domains.verina.checking import Checker
    from agentflow.domains.verina.checkout import Task

lean = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Lean 4, and what it judges.")
app.add_typer(lean, name="lean")

Program = Annotated[
    str, typer.Option("--lean", metavar="PATH", help="The program lean, or its toolchain's folder.")
]
Repl = Annotated[
    str,
    typer.Option("--repl", metavar="PATH", help="The REPL, or its checkout, where it is built."),
]


@lean.command()
@command
def doctor(
    program: Program = "",
    repl: Repl = "",
    as_json: AsJSON = False,
) -> None:
    """Say whether Lean works here, and where it does not, what to do.

    Exits 0 if Lean judges a right and a wrong file as it should, else 1. Mathlib and the REPL are
    looked for, but not needed.
    """
    from agentflow.tools.lean_doctor import examine

    findings = examine(program, repl)
    good = all(one.ok for one in findings if one.required)
    if as_json:
        print_json({"ok": good, "findings": [asdict(one) for one in findings]})
    else:
        for one in findings:
            echo(f"{'ok' if one.ok else 'NO' if one.required else 'no':3} {one.name}: {one.detail}")
    if not good:
        raise typer.Exit(1)


@lean.command()
@command
def verina(
    place: Annotated[
        Path, typer.Argument(metavar="PATH", help="A checkout of Verina, or a file of its rows.")
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Let Lean judge the references and their mutants.")
    ] = False,
    write: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write a file of Lean for each task.")
    ] = None,
    mutants: Annotated[int, typer.Option(min=0, help="Of a task, at most.")] = 8,
    seed: Annotated[int, typer.Option(help="Of their draw.")] = 0,
    task: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Only this one; may be repeated.")
    ] = None,
    program: Program = "",
    repl: Repl = "",
    as_json: AsJSON = False,
) -> None:
    """Read Verina's tasks, and let Lean judge their references.

    Exits 0 if every task was understood and, with --check, every reference passes; else 1.
    """
    from agentflow.domains.verina.checkout import tasks

    found = _chosen(tasks(place), task or [])
    unread = {one.id: one.not_understood for one in found if one.not_understood}
    counts = {"tasks": len(found), "not understood": len(unread), **_counts(found)}
    if not as_json:
        echo("\n".join(f"{number:6,}  {what}" for what, number in counts.items()))
        for name, doubts in unread.items():
            echo(f"{name}: {'; '.join(doubts)}")
    good, understood = not unread, [one for one in found if not one.not_understood]
    if write is not None:
        _written(understood, write)
    judged = None
    if check:
        judged = _judged(understood, _checker(program, repl), mutants, seed, quiet=as_json)
        good = good and bool(judged["good"])
    if as_json:
        print_json({"ok": good, "counts": counts, "not_understood": unread, "checked": judged})
    if not good:
        raise typer.Exit(1)


def _chosen(found: list[Task], names: list[str]) -> list[Task]:
    unknown = set(names) - {one.id for one in found}
    if unknown:
        raise BadInput(f"verina: there is no task {', '.join(sorted(unknown))}")
    return [one for one in found if not names or one.id in names]


def _counts(found: list[Task]) -> dict[str, int]:
    from agentflow.domains.verina.mutants import mutants

    cases = [case for one in found for case in one.cases]
    rejects = [row for one in found for row in one.rejects]
    values = [value for case in cases for value in (*case.inputs, case.expected, *case.unexpected)]
    values += [value for row in rejects for value in row]
    return {
        "with imports": sum(bool(one.imports) for one in found),
        "with a proof": sum(one.proved for one in found),
        "tests": len(cases),
        "results listed as wrong": sum(len(case.unexpected) for case in cases),
        "inputs to reject": len(rejects),
        "values": len(values),
        "values taken as they stand": sum(value.opaque for value in values),
        "mutants that can be made": sum(len([*mutants(one)]) for one in found),
    }


def _written(found: list[Task], folder: Path) -> None:
    from agentflow.domains.verina.files import reference

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for one in found:
            (folder / f"{one.id}.lean").write_text(reference(one).source, encoding="utf-8")
    except OSError as error:
        if error.errno in FULL:
            raise
        raise BadInput(unwritable(folder, error)) from error
    echo(f"{len(found)} files of Lean are in {folder}", err=True)


def _checker(program: str, repl: str) -> Checker:
    """One by the REPL where there is one, else by ``lean`` itself.

    Raises:
        BadInput: If there is no Lean, or it does not work.
    """
    from agentflow.domains.verina.checking import one_by_one
    from agentflow.tools.lean import check
    from agentflow.tools.lean_doctor import examine
    from agentflow.tools.lean_repl import check_all, find_repl

    wrong = [one for one in examine(program, repl) if one.required and not one.ok]
    if wrong:
        raise BadInput(f"lean: {wrong[0].name}: {wrong[0].detail}; see `agentflow lean doctor`")
    if find_repl(repl) is not None:
        return lambda sources: check_all(sources, repl, program)
    return one_by_one(lambda source: check(source, program))


def _judged(
    found: list[Task], checker: Checker, most: int, seed: int, *, quiet: bool
) -> dict[str, object]:
    from agentflow.domains.verina.checking import Counts, check
    from agentflow.evaluation.markdown import table

    counts, bad = Counts(), dict[str, list[str]]()
    for one in check(found, checker, most, seed):
        counts.add(one)
        if one.passes is not True or one.proof is False:
            why = [one.reference.said, *one.reference.failures] + ["its proof"] * (not one.proof)
            bad[one.id] = [text for text in why if text][:4]
            echo(f"{one.id}: {'; '.join(bad[one.id])}", err=True)
    if not quiet:
        echo(f"\n{table(counts.tests_table())}\n\n{table(counts.mutants_table())}")
    return {
        "good": counts.good,
        "tests": counts.tests_table(),
        "mutants": counts.mutants_table(),
        "not_passed": bad,
    }
