"""Programs as the cells of a notebook: each knows what those above it defined, and shows what a
notebook shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agentflow.tools.sandbox.execution import Execution, execution_in
from agentflow.tools.toolbox import Use

_RUN = '''\
import ast, contextlib, io, linecache, sys, types


def run(above, cell):
    """Run a cell behind those above it, whose output is dropped; its last line has the value."""
    sys.modules["__main__"] = main = types.ModuleType("__main__")  # for cells alone
    scope = vars(main)
    for one in above:
        dropped = io.StringIO()
        with contextlib.redirect_stdout(dropped), contextlib.redirect_stderr(dropped):
            with contextlib.suppress(BaseException):
                exec(compile(one, "<above>", "exec"), scope)
    linecache.cache["<program>"] = (len(cell), None, cell.splitlines(True), "<program>")
    tree = ast.parse(cell, "<program>")
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<program>", "exec"), scope)
    return last and eval(compile(ast.Expression(last.value), "<program>", "eval"), scope)


run({above!r}, {cell!r})
'''
_ANS = re.compile(r"\bans\b")
_LOST = ("Died", "BadReply", "SandboxBroken", "SandboxUnavailable")
"""Failures with which a program's process ended, or did not begin."""
_FORGOTTEN = "What it defined is not kept."


def behind(above: Sequence[str], cell: str) -> str:
    """A program that runs a cell behind those above it, and has the value of its last line. The
    cell itself, where that does the same: to the sandbox a variable ``ans`` is a value, too."""
    if not above and not _ANS.search(cell):
        return cell
    return _RUN.format(above=list(above), cell=cell)


def lasting(use: Use) -> bool:
    """Whether a cell that was run may be run again in front of others: one that reached a limit, or
    ended its process, would end theirs."""
    return not use.error and _lasts(execution_in(use.fields))


def shown(use: Use, most: int) -> str:
    """What a notebook shows of a cell, in so many characters: what it printed, and its last value
    or its error. Of too much the middle is left out."""
    ran = None if use.error else execution_in(use.fields)
    if ran is None:  # another sandbox than ours: its text is all there is
        return _without_middle(use.content, most)
    without_value = ran.failure is not None and ran.failure.type == "MissingValue"
    said = [ran.stdout, ran.stderr, *(replace(ran, failure=None) if without_value else ran).why]
    if ran.failure is None and ran.shown != "None":
        said.append(ran.shown)
    if not _lasts(ran):
        said.append(_FORGOTTEN)
    return _without_middle("\n".join(one.rstrip("\n") for one in said if one), most)


def _lasts(ran: Execution | None) -> bool:
    return ran is None or not (ran.limit or (ran.failure and ran.failure.type in _LOST))


def _without_middle(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    half = (most - len("\n...\n")) // 2
    return f"{text[:half]}\n...\n{text[-half:]}"
