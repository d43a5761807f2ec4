"""Runs of a program on the inputs of its tests, on others of their kinds, and on calls as given."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from agentflow.domains.python import carry, running
from agentflow.domains.python.source import code_alone, nodes_of
from agentflow.domains.python.task import Task, function_of

_PROBES: dict[type, Any] = {
    str: ("", "Hello, World 42 aeiou Xyz!", "b2 A1 e-E cc"),
    list: ([], [3, 1, 2, 3, -1, 0, 4, 7], [5, -2, 5, 8]),
    int: (*range(13), 25, 49, -3),
}


_MOST = 100_000
"""Characters of a value that a call gives."""


class World(NamedTuple):
    """Runs of a program: (arguments, result), its source, its task, and its names."""

    runs: list[tuple[list[Any], Any]]
    changes: bool
    code: str
    task: Task
    names: list[str]


@lru_cache(maxsize=64)
def world_of(task: Task, code: str) -> World:
    """Runs of a program on the inputs of its tests, and on others of their kinds."""
    bare = code_alone(code)
    names = [one.arg for one in function_of(task.head).args.args] if task.head else []
    given = list[list[Any]]()
    for node in chain.from_iterable(map(nodes_of, (*task.examples, *task.tests))):
        match node:
            case ast.Call(ast.Name(name), args, []) if name in (task.entry, "candidate"):
                try:
                    given.append([ast.literal_eval(one) for one in args])
                except (ValueError, TypeError):
                    continue
    more = [
        [*one[:at], probe, *one[at + 1 :]]
        for one in given[:2]
        for at, value in enumerate(one)
        for probe in _PROBES.get(type(value), ())
        if not (isinstance(value, list) and value and not isinstance(value[0], int))
    ]
    runs, changes = results(task, code, [*given[:15], *more])
    return World(runs, changes, bare, task, names)


def results(
    task: Task, code: str, given: list[list[Any]]
) -> tuple[list[tuple[list[Any], Any]], bool]:
    """(the runs that give something, whether one changes its arguments)."""
    if not (task.entry and given):
        return [], False
    said = running.call(task, code, [carry.packed((one, {})) for one in given])
    if isinstance(said, running.Outcome):
        return [], False
    pairs = [(one, it) for one, it in zip(given, said, strict=True) if it[0] == "value"]
    return [(one, carry.unpacked(it[1])) for one, it in pairs], any(len(it) > 2 for _, it in pairs)


def outcomes(task: Task, code: str, calls: Sequence[str]) -> list[str]:
    """What a program gives on each call: ``3``, ``raises ValueError: ...``; nothing for a text that
    is no call of the asked function with literals alone, or where the run tells nothing. Of one
    that reads and prints: what it prints for each input."""
    if not task.entry:
        return [running.printed(code, one) for one in calls]
    given = [_packed(one, task.entry.rpartition(".")[2]) for one in calls]
    if not any(given):
        return [""] * len(calls)
    said = running.call(task, code, [one for one in given if one])
    if isinstance(said, running.Outcome):
        return [""] * len(calls)
    replies = iter(said)
    return [_worded(next(replies)) if one else "" for one in given]


def _packed(call: str, name: str) -> list[Any] | None:
    """The arguments of a call."""
    try:
        match ast.parse(call.strip(), mode="eval").body:
            case ast.Call(ast.Name(found) | ast.Attribute(attr=found), args, named) if (
                found == name
            ):
                given = {one.arg: ast.literal_eval(one.value) for one in named}
                return (
                    None
                    if None in given
                    else carry.packed(([ast.literal_eval(one) for one in args], given))
                )
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError, carry.Opaque):
        pass
    return None


def _worded(reply: Sequence[Any]) -> str:
    """What came of a call."""
    match reply:
        case ["value", value]:
            return _said(carry.unpacked(value))
        case ["value", value, after]:
            arguments = ", ".join(written(one, _MOST) for one in carry.unpacked(after)[0])
            return f"{_said(carry.unpacked(value))}, and its arguments are then {arguments}"
        case ["raised", kind, message, *_]:
            return f"raises {kind}: {message[:200]}"
    return ""


def _said(value: object) -> str:
    """A value in words; of what is gone through once what it yields, not where it lies."""
    if isinstance(value, Iterator):
        return f"yields {written(list(value), _MOST)}"
    return written(value, _MOST)


def written(value: object, most: int = 200) -> str:
    """A value as Python writes it, so many characters of it at most."""
    try:
        return repr(value)[:most]
    except ValueError:  # a number with thousands of digits
        return "a large number"
