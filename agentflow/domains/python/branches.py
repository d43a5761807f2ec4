"""The conditions of a program's branches, and sentences that speak of one.

``if n is at most 1``   stands for ``if n <= 1:``, and for what is left behind ``if n > 1:``
``until b is 0``        stands for ``while b:``
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product
from typing import Any

from agentflow.domains.python.complexity import calls_itself
from agentflow.domains.python.source import nodes_of, tree_of

_NAME = r"[a-z_][a-z_0-9]*"


def _term(name: str) -> str:
    """A name, a number, or the length of something, with what may stand in front."""
    nouns = "input|given|current|value|number|argument|parameter|integer|list|of"
    return (
        rf"(?:(?:the|an?|its|{nouns}|(?P<{name}len>length|size)) ){{0,5}}"
        rf"(?P<{name}>{_NAME}|-?\d+|len\({_NAME}\))"
    )


_SIGNS = {
    "greater than or equal to": ">=",
    "larger than or equal to": ">=",
    "less than or equal to": "<=",
    "smaller than or equal to": "<=",
    "at least": ">=",
    "at most": "<=",
    "greater than": ">",
    "larger than": ">",
    "more than": ">",
    "less than": "<",
    "smaller than": "<",
    "equal to": "==",
    "divisible by": "%",
    "a multiple of": "%",
}
_KINDS = {
    "negative": "< 0",
    "positive": "> 0",
    "even": "% 2 == 0",
    "odd": "% 2 == 1",
    "zero": "== 0",
    "non-negative": ">= 0",
    "empty": "",
}
_TYPES = {
    "list": "list",
    "dictionary": "dict",
    "dict": "dict",
    "string": "str",
    "integer": "int",
    "tuple": "tuple",
    "float": "float",
}
_CONDITION = re.compile(
    r"\b(?P<lead>check(?:s|ing)? (?:if|whether)|if|when|whenever|whether|where|until|while|unless) "
    + _term("one")
    + r" (?:is|are|becomes|reaches|equals)(?P<not> not|n't)?(?: also)?"
    rf"(?: (?P<sign>{'|'.join(_SIGNS)}))?"
    r"(?: (?:an? )?(?P<kind>" + "|".join(_KINDS) + r")(?: (?:number|integer|value))?\b"
    r"| an? (?P<type>" + "|".join(_TYPES) + r")\b"
    r"| " + _term("other") + r"(?: or (?P<or>-?\d+))?(?![\w(\[]))"
)
_GRID = range(-2, 6)
_MOST = 3
"""Terms of a condition that is compared."""
_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def without_conditions(sentence: str, code: str) -> str:
    """A sentence, in small letters, without the conditions that a branch of a program has."""
    sentence = sentence.replace("`", "")
    for one in _CONDITION.finditer(sentence):
        said = _told(one, _only(code))
        if said is not None and _has(said, one["lead"], code):
            sentence = sentence.replace(one[0], "ifthen", 1)
            for error in _raised(said, code):
                sentence = re.sub(rf"\b{error}\b", "it", sentence, count=1)
    return sentence


def _raised(said: ast.expr, code: str) -> list[str]:
    """The errors, in small letters, that a branch with the condition that is told raises."""
    return [
        one.exc.func.id
        for node in nodes_of(code.lower())
        if isinstance(node, ast.If) and _same(said, node.test)
        for one in node.body
        if isinstance(one, ast.Raise)
        and isinstance(one.exc, ast.Call)
        and isinstance(one.exc.func, ast.Name)
    ]


def _has(said: ast.expr, lead: str, code: str) -> bool:
    """Whether a program has a branch, or a loop, with the condition told behind ``lead``."""
    tests, ifs, whiles = _conditions(code)
    if lead.startswith("check"):
        return any(_same(said, one) for one in tests)
    if lead == "until":  # a loop goes on while it does not hold, and a recursion ends where it does
        ends = ifs if calls_itself(nodes_of(code)) else []
        return any(_same(_denied(said), one) for one in whiles) or any(
            _same(said, one) for one in ends
        )
    if lead == "while":
        return any(_same(said, one) for one in whiles)
    said = _denied(said) if lead == "unless" else said
    return any(_same(said, one) for one in ifs)


def _only(code: str) -> str:
    """The parameter of the functions of a program, if they have the same one alone."""
    names = [one.arg for one in nodes_of(code.lower()) if isinstance(one, ast.arg)]
    return names[0] if len({*names}) == 1 else ""


def _told(found: re.Match[str], only: str) -> ast.expr | None:
    """What is told, of which ``it`` is the only parameter."""

    def term(name: str) -> str:
        text = only if found[name] == "it" and only else found[name]
        return f"len({text})" if found[f"{name}len"] and text.isidentifier() else text

    one, kind = term("one"), found["kind"]
    if found["type"]:
        text = f"isinstance({one}, {_TYPES[found['type']]})"
    elif kind == "empty":
        text = f"not {one}"
    elif kind:
        text = f"{one} {_KINDS[kind]}"
    elif _SIGNS.get(found["sign"]) == "%":
        text = f"{one} % {term('other')} == 0"
    else:
        text = f"{one} {_SIGNS[found['sign']] if found['sign'] else '=='} {term('other')}"
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError:
        return None
    if found["or"] and not found["sign"]:
        other = ast.parse(f"{one} == {found['or']}", mode="eval").body
        tree = ast.BoolOp(ast.Or(), [tree, other])
    return _denied(tree) if found["not"] else tree


def _denied(one: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), one)


@lru_cache(maxsize=64)
def _conditions(code: str) -> tuple[list[ast.expr], list[ast.expr], list[ast.expr]]:
    """(what branches test; the conditions of branches, and of what is left behind them; those of
    loops)."""
    tests, ifs, whiles = list[ast.expr](), list[ast.expr](), list[ast.expr]()
    tree = tree_of(code.lower())

    def walk(body: list[ast.stmt], left: list[ast.expr]) -> None:
        for one in body:
            if isinstance(one, ast.If):
                tests.append(one.test)
                ifs.extend([one.test, _all([*left, one.test]), _all([*left, _denied(one.test)])])
                walk(one.body, [*left, one.test])
                walk(one.orelse, [*left, _denied(one.test)])
                if one.body and isinstance(one.body[-1], _ENDS):
                    left = [*left, _denied(one.test)]
            elif isinstance(one, ast.While):
                whiles.append(one.test)
                walk(one.body, [])
            else:
                for field in ("body", "orelse", "finalbody"):
                    walk(getattr(one, field, []), [])

    if tree is not None:
        walk(tree.body, [])
        for node in ast.walk(tree):
            match node:
                case ast.IfExp(test=test):
                    ifs.extend([test, _denied(test)])
                case ast.comprehension(ifs=kept):
                    ifs.extend(kept)
    return tests, ifs, whiles


def _all(tests: list[ast.expr]) -> ast.expr:
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def _same(one: ast.expr, other: ast.expr) -> bool:
    """Whether two conditions hold of the same whole numbers."""
    terms = sorted(_terms(one))
    if len(terms) > _MOST or {*terms} != _terms(other):
        return False
    grid = product(_GRID, repeat=len(terms))
    places = (dict(zip(terms, values, strict=True)) for values in grid)
    try:
        return all(bool(_value(one, env)) is bool(_value(other, env)) for env in places)
    except (TypeError, ZeroDivisionError, KeyError):
        return False


def _terms(tree: ast.expr) -> set[str]:
    match tree:
        case ast.Constant():
            return set()
        case ast.UnaryOp(operand=inner):
            return _terms(inner)
        case ast.BinOp(left=left, right=right):
            return _terms(left) | _terms(right)
        case ast.BoolOp(values=values):
            return {term for one in values for term in _terms(one)}
        case ast.Compare(left=left, comparators=others):
            return {term for one in (left, *others) for term in _terms(one)}
    return {ast.unparse(tree)}


def _value(tree: ast.expr, env: dict[str, int]) -> Any:
    match tree:
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(ast.Not(), inner):
            return not _value(inner, env)
        case ast.UnaryOp(ast.USub(), inner):
            return -_value(inner, env)
        case ast.BinOp(left, ast.Mod(), right):
            return _value(left, env) % _value(right, env)
        case ast.BinOp(left, ast.Add(), right):
            return _value(left, env) + _value(right, env)
        case ast.BinOp(left, ast.Sub(), right):
            return _value(left, env) - _value(right, env)
        case ast.BoolOp(sign, values):
            told = [bool(_value(one, env)) for one in values]
            return all(told) if isinstance(sign, ast.And) else any(told)
        case ast.Compare(left, signs, others):
            values = [_value(one, env) for one in (left, *others)]
            return all(
                _COMPARED[type(sign)](one, other)
                for sign, one, other in zip(signs, values, values[1:], strict=False)
            )
    return env[ast.unparse(tree)]


_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: lambda one, other: bool(one == other),
    ast.NotEq: lambda one, other: bool(one != other),
    ast.Lt: lambda one, other: bool(one < other),
    ast.LtE: lambda one, other: bool(one <= other),
    ast.Gt: lambda one, other: bool(one > other),
    ast.GtE: lambda one, other: bool(one >= other),
}


def sides(
    node: ast.If, tree: ast.AST | None, words: Callable[[list[ast.stmt]], set[str]]
) -> Iterator[set[str]]:
    """The words of what is done where a condition holds, with ``ifso``, and where it does not, with
    ``ifnot``."""
    other = node.orelse or _behind(node, tree)
    holds, fails = words(node.body), words(other)
    match node.test:
        case ast.UnaryOp(ast.Not()) | ast.Compare(ops=[ast.NotEq() | ast.NotIn() | ast.IsNot()]):
            holds, fails = fails, holds
    yield {"ifso", *holds}
    yield {"ifnot", *fails}


def _behind(node: ast.If, tree: ast.AST | None) -> list[ast.stmt]:
    """What stands behind a branch that ends there."""
    if not (tree and node.body and isinstance(node.body[-1], _ENDS)):
        return []
    for one in ast.walk(tree):
        body = getattr(one, "body", None)
        if isinstance(body, list) and node in body:
            return list(body[body.index(node) + 1 :])
    return []
