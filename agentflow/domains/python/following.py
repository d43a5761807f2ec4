"""Follows a run of a program, and compares it with what is said of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import NamedTuple

from agentflow.domains.python import running
from agentflow.domains.python.source import WALKED, nodes_of, walked
from agentflow.tools.sandbox.errors import SandboxUnavailable

_SAY_SO = {"yes": "True", "no": "False", "✓": "True", "✗": "False", "—": "", "-": ""}
"""Words and signs for values."""


class Walk(NamedTuple):
    """What is said of one run.

    Attributes:
        call: The call.
        columns: Values that something takes, one after the other, with its name if that is known.
        states: What variables are, in this order.
    """

    call: str
    columns: list[tuple[str, list[str]]]
    states: list[dict[str, str]]


_FOLLOW = """
import ast, itertools
seen, order, rounds = {}, [], []

def _show(value):
    try:
        return repr(value)[:300]
    except Exception:
        return "?"

def _see(key, value):
    if len(seen.setdefault(key, [])) < 400:
        seen[key].append(_show(value))
    return value

def _each(key, values):
    values = iter(values)
    first = [_see(key, one) for one in itertools.islice(values, 300)]
    return itertools.chain(first, values)

def _snap(known, start=False):
    if start:
        rounds.append(len(order))
    if len(order) < 2000:
        order.append({a: _show(b) for a, b in known.items() if not a.startswith("_")})

def snap(start=False):
    return ast.parse(f"_snap(locals(), {start})").body[0]

class Follow(ast.NodeTransformer):
    count = 0

    def wrap(self, node):
        self.generic_visit(node)
        Follow.count += 1
        key = ast.Constant(Follow.count)
        return ast.copy_location(ast.Call(ast.Name("_see", ast.Load()), [key, node], []), node)

    visit_Call = visit_BinOp = visit_Compare = visit_BoolOp = visit_UnaryOp = wrap

    def visit_Subscript(self, node):
        return self.wrap(node) if isinstance(node.ctx, ast.Load) else self.generic_visit(node)

    def visit_Tuple(self, node):
        return self.wrap(node) if isinstance(node.ctx, ast.Load) else self.generic_visit(node)

    def visit_FunctionDef(self, node):
        node.body = self.lines(node.body)
        node.decorator_list = []
        node.returns = None
        for one in ast.walk(node.args):
            if isinstance(one, ast.arg):
                one.annotation = None
        return node

    def visit_AnnAssign(self, node):
        node.value = node.value and self.visit(node.value)
        return node

    def each(self, values):
        Follow.count += 1
        return ast.Call(ast.Name("_each", ast.Load()), [ast.Constant(Follow.count), values], [])

    def visit_comprehension(self, node):
        self.generic_visit(node)
        node.iter = self.each(node.iter)
        return node

    def lines(self, body, start=False):
        found = [snap(start)]
        for one in body:
            found += [self.visit(one), snap()]
        return found

    def visit_For(self, node):
        node.iter = self.visit(node.iter)
        node.body = self.lines(node.body, True)
        return node

    def visit_While(self, node):
        node.test = self.visit(node.test)
        node.body = self.lines(node.body, True)
        return node

    def visit_If(self, node):
        node.test = self.visit(node.test)
        node.body = self.lines(node.body)
        node.orelse = self.lines(node.orelse) if node.orelse else []
        return node

tree = ast.fix_missing_locations(Follow().visit(ast.parse(data["code"])))
space = {"_see": _see, "_each": _each, "_snap": _snap, "__name__": "answer"}
exec(compile(tree, "<answer>", "exec"), space)
seen.clear()
eval(data["call"], space)
ans = {"seen": list(seen.values()), "order": order, "rounds": rounds}
"""
"""Runs a program, and says what each expression gives, and each name, line by line."""


def holds(code: str) -> bool:
    """Whether what is said of runs of a program holds."""
    return all(_holds(code, Walk(*one)) for one in walked(code))


def _holds(code: str, walk: Walk) -> bool:
    bare = "\n".join(line for line in code.split("\n") if WALKED not in line)
    try:
        execution = running.sandbox().run(_FOLLOW, data={"code": bare, "call": walk.call})
    except SandboxUnavailable:
        return False
    if not execution.ok or not isinstance(execution.value, dict):
        return False
    order: list[dict[str, str]] = execution.value["order"]
    series = _all_series(execution.value["seen"], order, execution.value["rounds"], code)
    for name, values in walk.columns:
        own = [them for it, them in series if name and it == name] or [them for _, them in series]
        if not any(_goes(values, them) for them in own):
            return False
    return _passes(walk.states, order)


def _all_series(
    seen: list[list[str]], order: list[dict[str, str]], rounds: list[int], code: str
) -> list[tuple[str, list[str]]]:
    """(name, values, one after the other) of all that has some; an expression has no name."""
    found = [("", one) for one in seen]
    names = {name: None for state in order for name in state}
    for name in names:
        every = [state[name] for state in order if name in state]
        found += [(name, _collapsed(every)), (name, every)]
        ends = [at - 1 for at in rounds[1:] if at <= len(order)] + [len(order) - 1]
        if rounds and rounds[0]:
            ends.insert(0, rounds[0] - 1)
        found.append((name, [order[at][name] for at in ends if name in order[at]]))
    for one in nodes_of(code):
        match one:
            case ast.Assign([ast.Tuple(elts=targets)]):
                own = [it.id for it in targets if isinstance(it, ast.Name)]
                rows = [
                    [state[it] for it in own] for state in order if all(it in state for it in own)
                ]
                found.append(("", _collapsed([f"({', '.join(row)})" for row in rows])))
    return found


def _collapsed(values: Sequence[str]) -> list[str]:
    return [one for at, one in enumerate(values) if at == 0 or one != values[at - 1]]


def _goes(said: list[str], values: list[str]) -> bool:
    """Whether values are said in a row, of those that something takes; one that stays is said once
    a round, or once."""
    ours, theirs = [_form(one) for one in said], [_form(one) for one in values]
    size = len(ours)
    return size > 1 and any(
        others[at : at + size] == ours
        for others in (theirs, _collapsed(theirs))
        for at in range(len(others) - size + 1)
    )


def _passes(states: list[dict[str, str]], order: list[dict[str, str]]) -> bool:
    """Whether a run comes through states in their order."""
    at = 0
    for state in states:
        wanted = {name: _form(value) for name, value in state.items()}
        while at < len(order) and any(
            name not in order[at] or _form(order[at][name]) != value
            for name, value in wanted.items()
        ):
            at += 1
        if at == len(order):
            return False
    return True


def _form(value: str) -> str:
    """How a value is compared: without quotes, a set in any order."""
    bare = re.sub(r"[`'\"\s]", "", _SAY_SO.get(value.lower(), value))
    if bare in ("set()", "∅", "{}"):
        return "{}"
    if bare.startswith("{") and bare.endswith("}"):
        return "{" + ",".join(sorted(bare[1:-1].split(","))) + "}"
    return bare
