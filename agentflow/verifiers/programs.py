"""Whether a program works its result out, or only states it.

A verifier may be talked into running a program that returns the solution's own answer. Such a
program is no evidence. This catches plain ones; what rests on it alone is never a proof.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from agentflow.verifiers.data_flow import reached
from agentflow.verifiers.z3_programs import asks_z3

_MAX_PROGRAM = 50_000
_REPEATS = (ast.For, ast.While, ast.comprehension, ast.Import, ast.ImportFrom)
_WRAPPERS = ("int", "float", "str", "repr", "bool", "Fraction", "Decimal", "Rational", "Integer")


def states_result(tool: str, program: str, problem: str) -> bool:
    """Whether what a program comes to stands in it already.

    For Python: every value that it can return is a constant, or is calculated from constants of
    which none is a number in the problem; also one that no number in the problem leads to, in a
    program that neither repeats nor imports anything. For Z3:
    :func:`~agentflow.verifiers.z3_programs.asks_z3` says no.

    Args:
        tool: ``python`` or ``z3``.
        problem: The problem's text.

    Returns:
        False also for what is no program: running it will tell.
    """
    if (tree := _parsed(program)) is None:
        return False
    if tool == "z3":
        return not asks_z3(tree)
    nodes = list(ast.walk(tree))
    values = list(_results(tree))
    if not values:
        return False
    given = _numbers(problem)
    known = _assigned(nodes)
    if all(_stated(value, known, given) for value in values):
        return True
    straight = not any(isinstance(node, _REPEATS) or _counts(node) for node in nodes)
    return straight and bool(given) and numbers_left_out(program, problem) == given


def numbers_left_out(program: str, problem: str) -> set[float]:
    """The problem's numbers on which a Python program's value surely does not depend.

    A number counts as used where the value may come from it: by what is assigned, looped over or
    asked for on the way. What cannot be followed counts as using all.
    """
    given = _numbers(problem)
    tree = _parsed(program) if given else None
    values = list(_results(tree)) if tree is not None else []
    if tree is None or not values:
        return set()
    used = set[float]()
    for node in reached(tree, values):
        if isinstance(node, ast.Constant):
            used |= _numbers(str(node.value))
    return given - used


def _parsed(program: str) -> ast.Module | None:
    try:
        return ast.parse(program) if len(program) <= _MAX_PROGRAM else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _counts(node: ast.AST) -> bool:
    """Whether a program goes through many values here."""
    return isinstance(node, ast.Name) and node.id in ("range", "map", "filter")


def _results(tree: ast.Module) -> Iterator[ast.expr]:
    """What the program's value may be: what ``solver`` returns, else what ``ans`` is, else its last
    expression."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if tree.body and isinstance(last := tree.body[-1], ast.Expr) and "ans" not in names:
        yield last.value
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == "solver":
            for inside in ast.walk(node):
                if isinstance(inside, ast.Return) and inside.value is not None:
                    yield inside.value
        elif isinstance(node, ast.Assign) and _names(node) == ["ans"]:
            called = _called(node.value) if isinstance(node.value, ast.Call) else ""
            if called != "solver":
                yield node.value


def _assigned(nodes: list[ast.AST]) -> dict[str, list[ast.expr | None]]:
    """Name -> what is assigned to it; None for what cannot be followed."""
    known: dict[str, list[ast.expr | None]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and (names := _names(node)):
            for name in names:
                known.setdefault(name, []).append(node.value)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            known.setdefault(node.id, [])
    for node in nodes:
        if isinstance(node, (ast.AugAssign, ast.For, ast.comprehension, ast.NamedExpr)):
            for inside in ast.walk(node.target):
                if isinstance(inside, ast.Name):
                    known.setdefault(inside.id, []).append(None)
    return known


def _names(node: ast.Assign) -> list[str]:
    return [target.id for target in node.targets if isinstance(target, ast.Name)]


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _stated(value: ast.expr, known: dict[str, list[ast.expr | None]], given: set[float]) -> bool:
    """Whether an expression is a constant, or is made of constants that are not the problem's."""
    constants = list[ast.Constant]()
    operators = False
    waiting, seen = [value], set[str]()
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Constant():
                constants.append(node)
            case ast.Name(id=name) if known.get(name):
                if name in seen:
                    continue
                seen.add(name)
                for assigned in known[name]:
                    if assigned is None:
                        return False
                    waiting.append(assigned)
            case ast.UnaryOp(operand=operand):
                waiting.append(operand)
            case ast.BinOp(left=left, right=right):
                operators = True
                waiting += [left, right]
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                waiting += parts
            case ast.Call(args=parts, keywords=[]) if _called(node) in _WRAPPERS:
                operators |= len(parts) > 1  # a fraction of two
                waiting += parts
            case _:
                return False
    numbers = {c.value for c in constants if isinstance(c.value, int | float)}
    numbers |= {n for c in constants if isinstance(c.value, str) for n in _numbers(c.value)}
    return not operators or (bool(given) and not numbers & given)


def _numbers(text: str) -> set[float]:
    return {float(number) for number in re.findall(r"\d{1,300}(?:\.\d{1,300})?", text)}
