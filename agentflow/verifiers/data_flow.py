"""What a value in a program may come from: by what is assigned, looped over, returned, or asked for
on the way. Names are told apart by their letters alone, wherever they stand; so what is found may
be too much, and hardly ever too little."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator


def reached(tree: ast.Module, values: Iterable[ast.expr]) -> Iterator[ast.AST]:
    """All that values may come from; the conditions of a program decide over every value."""
    sources: dict[str, list[ast.AST]] = {}
    waiting: list[ast.AST] = list(values)
    for node in ast.walk(tree):
        for name, source in _sources(node):
            sources.setdefault(name, []).append(source)
        if isinstance(node, ast.If | ast.While | ast.Assert):
            waiting.append(node.test)
        elif isinstance(node, ast.Match):
            waiting.append(node.subject)
    seen = set[str]()
    while waiting:
        for inside in ast.walk(waiting.pop()):
            yield inside
            if isinstance(inside, ast.Name) and inside.id not in seen:
                seen.add(inside.id)
                waiting += sources.get(inside.id, ())


def _sources(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """(name, what its value may come from) of what a node binds."""
    bound: list[ast.AST] = []
    match node:
        case ast.Assign(targets=targets):
            bound = [*targets]
        case (
            ast.AugAssign(target=target)
            | ast.AnnAssign(target=target)
            | ast.For(target=target)
            | ast.comprehension(target=target)
            | ast.NamedExpr(target=target)
        ):
            bound = [target]
        case ast.ClassDef(name=name):
            yield name, node
        case ast.FunctionDef(name=name, args=arguments):
            for inside in ast.walk(node):
                if isinstance(inside, ast.Return | ast.Yield | ast.YieldFrom) and inside.value:
                    yield name, inside.value
            for default in (*arguments.defaults, *filter(None, arguments.kw_defaults)):
                yield name, default
                for argument in (*arguments.args, *arguments.kwonlyargs):
                    yield argument.arg, default
        case ast.Call(func=ast.Attribute(value=held)):  # a list that is appended to
            bound = [held]
    for one in bound:
        for inside in ast.walk(one):
            if isinstance(inside, ast.Name):
                yield inside.id, node
