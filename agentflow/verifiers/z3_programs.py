"""Whether a program has Z3 decide what it says, or says it by itself.

Like :mod:`~agentflow.verifiers.programs` this catches plain ones: a program that never asks, one
that says the same whatever comes of it, and one that puts something of its own in Z3's place.
Whether it asks the right thing nobody can tell from its text.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentflow.verifiers.data_flow import reached

_ASKS = ("check", "prove", "solve", "solve_using", "simplify", "check_sat")
"""What asks Z3, as a method or a function."""
_OF_Z3 = frozenset(
    {"Solver", "SimpleSolver", "SolverFor", "Optimize", "sat", "unsat", "unknown", "Not", "And"}
    | {"Or", "Xor", "Implies", "If", "ForAll", "Exists", "Distinct"}
)
"""Names of Z3 that a program has no reason to give another meaning."""


def asks_z3(tree: ast.Module) -> bool:
    """Whether what a program comes to may rest on Z3."""
    nodes = list(ast.walk(tree))
    own = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    if any(map(_replaces, nodes)):
        return False
    said = list(_said(nodes))
    if len({ast.dump(one) for one in said}) == 1 and isinstance(said[0], ast.Constant):
        return False
    return any(_asks(node, own) for node in reached(tree, said))


def _asks(node: ast.AST, own: set[str]) -> bool:
    """A solver's ``check``, or one of the functions that ask it and are not the program's own."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute):
        return node.func.attr in _ASKS
    name = getattr(node.func, "id", "")
    return name in _ASKS and name not in own


def _replaces(node: ast.AST) -> bool:
    """Whether a statement gives a name of Z3, or a solver's method, another meaning."""
    match node:
        case ast.ClassDef(name=name, body=body):
            methods = {one.name for one in body if isinstance(one, ast.FunctionDef)}
            return name in _OF_Z3 or not methods.isdisjoint(_ASKS)
        case ast.FunctionDef(name=name):
            return name in _OF_Z3
        case ast.Name(id=name, ctx=ast.Store()):
            return name in _OF_Z3
        case ast.Attribute(attr=name, ctx=ast.Store()):
            return name in _OF_Z3 or name in _ASKS
        case ast.Call(func=ast.Name(id=name)):
            return name in ("setattr", "exec", "eval", "globals", "vars")
        case ast.ImportFrom(module=module, names=names) if module != "z3":
            return any((one.asname or one.name) in _OF_Z3 for one in names)
    return False


def _said(nodes: list[ast.AST]) -> Iterator[ast.expr]:
    """What the program may come to: what it sets ``ans`` to, through its functions; of one that
    does not set it, what it prints, else its last expression."""
    functions = {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}
    waiting = [node.value for node in nodes if isinstance(node, ast.Assign) and _is_ans(node)]
    if not waiting:
        calls = (node for node in nodes if isinstance(node, ast.Call))
        waiting = [one for call in calls if _called(call) == "print" for one in call.args]
    if not waiting and isinstance(nodes[0], ast.Module) and nodes[0].body:
        last = nodes[0].body[-1]
        waiting = [last.value] if isinstance(last, ast.Expr) else []
    seen = set[str]()
    while waiting:
        one = waiting.pop()
        name = _called(one)
        if name in functions and name not in seen:
            seen.add(name)
            returns = (n for n in ast.walk(functions[name]) if isinstance(n, ast.Return))
            waiting += [node.value for node in returns if node.value]
        elif name not in seen:
            yield one


def _is_ans(node: ast.Assign) -> bool:
    return any(isinstance(target, ast.Name) and target.id == "ans" for target in node.targets)


def _called(node: ast.expr) -> str:
    """The name of the function that an expression calls; empty for anything else."""
    return getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
