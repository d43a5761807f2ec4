"""Programs as the cells of a notebook: each knows what those above it defined, and shows what a
notebook shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields as fields_of

from agentflow.tools.sandbox.execution import Execution
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
_KEYS = frozenset(one.name for one in fields_of(Execution))
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
    failure = use.fields.get("failure") if _ours(use) else None
    lost = failure is not None and failure["type"] in _LOST
    return not (use.error or use.fields.get("limit") or lost)


def shown(use: Use, most: int) -> str:
    """What a notebook shows of a cell, in so many characters: what it printed, and its last value
    or its error. Of too much the middle is left out."""
    if not _ours(use):
        return _without_middle(use.content, most)
    fields, failure = use.fields, use.fields["failure"]
    said = [fields["stdout"], fields["stderr"]]
    if fields["limit"]:
        said.append(f"stopped: the limit on {fields['limit']} was reached")
    if failure and failure["type"] != "MissingValue":
        where = f" (line {failure['line']})" if failure["line"] else ""
        said.append(f"{failure['type']}{where}: {failure['message']}")
    elif fields["shown"] != "None":
        said.append(fields["shown"])
    if not lasting(use):
        said.append(_FORGOTTEN)
    return _without_middle("\n".join(one.rstrip("\n") for one in said if one), most)


def _ours(use: Use) -> bool:
    """Whether a tool says what our sandbox says; else its text is all there is."""
    return not use.error and use.fields.keys() >= _KEYS


def _without_middle(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    half = (most - len("\n...\n")) // 2
    return f"{text[:half]}\n...\n{text[-half:]}"
