"""Whether structured replies and tool calls are read to the value that stands there.

Three kinds of rows are looked at: replies to a prompt that asks for an object with ``answer`` (task
``zeroeval/...``), texts that call functions (``bfcl...``), chat messages with ``tool_calls``
(``tau-bench...``).

What a person could read is told without our reader. Of an object: its last ``"answer"`` with a
whole value and the object's end behind it. Of calls: the recording says that they are correct. What
is read is compared with that answer, and with what Python's own parser and a strict JSON parser
make of calls. Columns of libraries that are installed say, for the objects, how many they read to
the same answer with no control character in the texts, and how many otherwise.
"""

from __future__ import annotations

import ast
import importlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from agentflow.models.structured import NoCall, Reply, arguments_of, parse, read_calls
from real.recordings import Finding, Recording, Row

LIBRARIES = {
    "json": "loads",
    "json_repair": "loads",
    "partial_json_parser": "loads",
    "json5": "loads",
    "demjson3": "decode",
    "dirtyjson": "loads",
    "pyjson5": "decode",
    "hjson": "loads",
}
"""Module -> its function; those that are not installed are left out."""

GOAL = 0.98
"""Share of what a person could read."""

_ANSWER = re.compile(
    r"\"answer\"\s*:\s*(\"(?:[^\"\\]|\\.)*\"|[-\d.]+|true|false|null|\[[^\[\]]*\])\s*,?\s*\}",
    re.DOTALL,
)
_FENCE = re.compile(r"\A\s*```\w*\s*(.*?)\s*```\s*\Z", re.DOTALL)


class Answered(Reply):
    """What ZeroEval asks for."""

    reasoning: Any = None
    answer: Any


def section(recordings: Sequence[Recording]) -> Finding:
    """The section of ``real_text.py``."""
    libraries = dict(_installed())
    counts: dict[tuple[str, str], Row] = {}
    for one in recordings:
        row, task = one.row, str(one.row["task"])
        kind = next((k for name, k in _KINDS.items() if task.startswith(name)), None)
        if kind is None:
            continue
        names = ["replies", "readable", "read", "other value", "malformed"]
        names += [column for name in libraries for column in (name, f"{name}, other")]
        fresh = {"file": one.file, "model": one.model} | dict.fromkeys(names, 0)
        count = counts.setdefault((one.file, one.model), fresh)
        readable, read, same = kind(row)
        count["replies"] += 1
        count["malformed"] += not read
        count["readable"] += readable
        count["read"] += readable and read and same
        count["other value"] += read and not same
        if kind is _object and readable:
            for name, load in libraries.items():
                said, right = _by_library(load, row["output"])
                count[name] += said and right
                count[f"{name}, other"] += said and not right
    rows = [counts[key] for key in sorted(counts)]
    readable, read, other = (
        sum(row[name] for row in rows) for name in ("readable", "read", "other value")
    )
    said = f"{read} of {readable} readable replies are read, {other} to another value"
    return Finding(rows, read >= GOAL * readable and not other, said)


def _object(row: Row) -> tuple[bool, bool, bool]:
    """Of a reply with an answer: (a person could read it, we read it, to the same value)."""
    wanted = _plainly(row["output"])
    try:
        said = parse(Answered, row["output"]).answer
    except ValueError:
        return wanted is not None, False, False
    return wanted is not None, True, wanted is None or _told(said) == wanted


def _calls(row: Row) -> tuple[bool, bool, bool]:
    """The same of a text that calls functions."""
    names = _functions(row)
    if not names:
        return False, False, False
    wanted = _calls_plainly(row["output"])
    readable = bool(row["correct"] and "relevance" not in row["task"])
    try:
        said = read_calls(row["output"], names)
    except NoCall:
        return readable, False, False
    found = [(call.name, _ordered(call.arguments)) for call in said]
    return readable, True, wanted is None or found == wanted


def _message(row: Row) -> tuple[bool, bool, bool]:
    """The same of a chat message whose calls have their arguments as a JSON string."""
    try:
        calls = json.loads(row["output"]).get("tool_calls") or []
    except (ValueError, AttributeError):
        return False, False, False
    if not calls:
        return False, False, False
    wanted = [json.loads(call["function"]["arguments"]) for call in calls]
    try:
        said = [arguments_of(call["function"]["arguments"]) for call in calls]
    except ValueError:
        return True, False, False
    names = {call["function"]["name"] for call in calls}
    return True, True, said == wanted == [c.arguments for c in read_calls(row["output"], names)]


_KINDS: dict[str, Callable[[Row], tuple[bool, bool, bool]]] = {
    "zeroeval/": _object,
    "bfcl": _calls,
    "tau-bench": _message,
}


def _plainly(text: str) -> str | None:
    """The last whole answer as a person reads it; None for none."""
    found = list(_ANSWER.finditer(text))
    said = found[-1][1] if found else ""
    return _told(said[1:-1] if said.startswith('"') else said) if found else None


def _told(value: Any) -> str:
    """A value as text, whatever it is that backslashes were doubled for."""
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return re.sub(r"\\+", r"\\", text.replace('\\"', '"').replace("\\n", "\n")).strip()


def _functions(row: Row) -> list[str]:
    """Names of the functions that were offered; where that was not recorded, those written."""
    offered = (row.get("extra") or {}).get("functions") or []
    offered = [offered] if isinstance(offered, dict) else offered
    return [one["name"] for one in offered] or re.findall(r"\{\"([\w.]+)\": \"\{", row["output"])


def _calls_plainly(text: str) -> list[tuple[str, str]] | None:
    """The calls as Python's parser reads them; None for what is no such text."""
    fenced = _FENCE.match(text)
    try:
        tree = ast.parse((fenced[1] if fenced else text).strip(), mode="eval").body
        parts = tree.elts if isinstance(tree, ast.List) else [tree]
        calls = [part for part in parts if isinstance(part, ast.Call) and not part.args]
        if len(calls) != len(parts):
            return None
        return [
            (
                ast.unparse(call.func),
                _ordered({str(one.arg): ast.literal_eval(one.value) for one in call.keywords}),
            )
            for call in calls
        ]
    except (SyntaxError, ValueError, RecursionError):
        return None


def _ordered(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _installed() -> Iterator[tuple[str, Callable[[str], Any]]]:
    for module, function in LIBRARIES.items():
        try:
            yield module, getattr(importlib.import_module(module), function)
        except ImportError:
            continue


def _by_library(load: Callable[[str], Any], text: str) -> tuple[bool, bool]:
    """What a library makes of a reply, the fence around it taken off: (it answers, the same)."""
    fenced = _FENCE.match(text)
    try:
        said = load(fenced[1] if fenced else text)
        answer = said["answer"]
    except Exception:  # whatever a library raises
        return False, False
    broken = any(re.search(r"[\f\b]|\t(?=[a-z])", str(one)) for one in said.values())
    return True, _told(answer) == _plainly(text) and not broken
