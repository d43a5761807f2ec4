"""Runs of a program on the inputs of its tests, on others of their kinds, and on calls as given."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from agentflow.domains.protocol import NO_VALUE, RAISES
from agentflow.domains.python import carry, running, source
from agentflow.domains.python.source import code_alone, nodes_of
from agentflow.domains.python.task import Task, function_of

_PROBES: dict[type, Any] = {
    str: ("", "Hello, World 42 aeiou Xyz!", "b2 A1 e-E cc"),
    list: ([], [3, 1, 2, 3, -1, 0, 4, 7], [5, -2, 5, 8]),
    int: (*range(13), 25, 49, -3),
}


_MOST = 100_000
"""Characters of a value that a call gives."""
_DIGITS = 10_000
"""Binary digits of a number that is written in decimal ones."""
_ENDED = 2
"""Calls that come to a limit, behind which no other is run."""
LIMITS = replace(running.LIMITS, cpu_seconds=5.0)
"""What a call by itself may use."""


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
    heads = [function_of(task.head)] if task.head else []
    heads += [one for one in nodes_of(code) if isinstance(one, ast.FunctionDef)]
    own = [one.args.args for one in heads if one.name == task.entry and one.args.args]
    names = [one.arg for one in own[0]] if own else []
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
    """What a program gives on each call (``3``, ``raises ValueError: ...``, ``gives no value:
    ...``); nothing for a text that is no call of the asked function with literals alone, or where
    the run tells nothing. Of one that reads and prints: what it prints for each input.

    Each runs in a process of its own. Behind some that come to a limit no other is run: the next
    ones may take as long.
    """
    changing, said, ended = source.chance(code, ""), list[str](), 0
    for one in calls:
        found = _outcome(task, code, one)
        if changing and found and found != _outcome(task, code, one):
            found = ""
        said.append(found)
        ended += found.startswith(f"{NO_VALUE}the limit")
        if ended == _ENDED:
            break
    return [*said, *[""] * (len(calls) - len(said))]


def _outcome(task: Task, code: str, call: str) -> str:
    """What a program gives on a call."""
    if not task.entry:
        printed = running.printed(code, call, LIMITS)
        return _without_value(printed) if printed.kind in ("limit", "lost") else printed.reason
    given = _packed(call, task.entry.rpartition(".")[2])
    if given is None:
        return ""
    said = running.call(task, code, [given], LIMITS)
    return _without_value(said) if isinstance(said, running.Outcome) else _worded(said[0])


def _without_value(outcome: running.Outcome) -> str:
    return "" if outcome.kind == "lost" else f"{NO_VALUE}{outcome.reason}"


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
            return _plainly(carry.unpacked(value))[:_MOST]
        case ["value", value, after]:
            arguments, named = carry.unpacked(after)
            told = [*map(_plainly, arguments), *(f"{a}={_plainly(b)}" for a, b in named.items())]
            said = _plainly(carry.unpacked(value))
            return f"{said}, and its arguments are then {', '.join(told)}"[:_MOST]
        case ["raised", kind, message, *_]:
            return f"{RAISES}{kind}: {message[:200]}"
    return ""


def _plainly(value: object) -> str:
    """A value as Python writes it, but the same for what is the same: a set in one order, a float
    without its last digits, an iterator by its items."""
    match value:
        case float():
            return repr(float(f"{value:.12g}"))
        case int() if value.bit_length() > _DIGITS:
            return hex(value)
        case set() | frozenset() if value:
            inside = f"{{{', '.join(sorted(map(_plainly, value)))}}}"
            return inside if isinstance(value, set) else f"frozenset({inside})"
        case list():
            return f"[{', '.join(map(_plainly, value))}]"
        case tuple():
            return f"({', '.join(map(_plainly, value))}{',' * (len(value) == 1)})"
        case dict():
            pairs = (f"{_plainly(a)}: {_plainly(b)}" for a, b in value.items())
            return f"{{{', '.join(pairs)}}}"
        case Iterator():
            return f"an iterator of {_plainly([*value])}"
    return written(value, _MOST)


def written(value: object, most: int = 200) -> str:
    """A value as Python writes it, so many characters of it at most."""
    try:
        return repr(value)[:most]
    except ValueError:  # a number with thousands of digits
        return "a large number"
