"""One run as a file: what a page shows of it, without what only a model reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

from agentflow.errors import BadInput
from agentflow.files import DATA, bytes_in, text_of
from agentflow.progress import on_state
from agentflow.run import Result
from agentflow.strict_json import dumps
from agentflow.trace import Operation, Trace

FORMAT = 1
"""Of the file; raised when one written before can no longer be read."""

_DROPPED = ("token", "state")
"""Events that are not kept: the text stands in the operations, a state in its verdict."""


def lean(result: Mapping[str, Any]) -> dict[str, Any]:
    """A run without token ids, and nothing twice; plain JSON.

    An operation has its text, but for the leftover that it repeats, and its ``tokens``; a cut the
    tokens it wasted. States stand in the events, else in ``judged``. Where trajectories ran side
    by side the trace is that of the sample called ``chosen``.

    Args:
        result: As :meth:`Result.as_dict` gives it, with ``events`` where they are known.

    Raises:
        KeyError, TypeError, ValueError: If it is none.
    """
    events = [event for event in result.get("events", ()) if event["type"] not in _DROPPED]
    samples = result.get("samples", [])
    told = sum(map(on_state, events))
    judged = sum(len(one.get("judged", ())) for one in (samples or [result]))
    left_out = ["ledger", *(["judged"] if told >= judged else [])]
    kept = {name: value for name, value in result.items() if name not in left_out}
    kept |= {"format": FORMAT, "operations": _lean(result["operations"]), "events": events}
    if text := kept.pop("text", ""):  # of a run that did not come to its end
        kept["operations"] = [_written(text, result["cost"]["generated"])]
    if samples:
        kept["operations"], kept["chosen"] = [], _chosen(result["operations"], samples)
        kept["samples"] = [
            {name: value for name, value in one.items() if name not in left_out}
            | {"operations": _lean(one.get("operations", []))}
            for one in samples
        ]
    return kept


def _chosen(operations: list[Operation], samples: list[dict[str, Any]]) -> int | None:
    """The branch whose trace is the run's, behind the prompt that all began with."""
    same = (one["branch"] for one in samples if one.get("operations", [])[1:] == operations[1:])
    return next(same, None)


def _lean(operations: list[Operation]) -> list[Operation]:
    trace, found = Trace(), []
    for operation in operations:
        wasted, repeated = trace.wasted, len(trace.leftover)
        trace.apply(operation)
        if operation["op"] == "cut":
            found.append({**operation, "tokens": trace.wasted - wasted})
            continue
        kept = {k: v for k, v in operation.items() if k not in ("ids", "ends")}
        text = operation["text"][repeated if operation["op"] == "append" else 0 :]
        found.append({**kept, "text": text, "tokens": len(operation["ends"])})
    return found


def _written(text: str, tokens: int) -> Operation:
    return {"op": "append", "kind": "generated", "text": text, "tokens": tokens}


def write(folder: Path, result: Result, right: bool) -> str:
    """Write a run, and whether it is right, into a file of its own; returns its name.

    Raises:
        OSError: If it cannot be written; then nothing is left of it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{uuid4().hex}.json"
    trace = lean(result.as_dict() | {"events": result.events}) | {"right": right}
    try:
        path.write_text(dumps(trace), encoding="utf-8")
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return path.name


def read(path: Path) -> dict[str, Any]:
    """A run as :func:`lean` has it, from a file of ours, a saved result, or a record of one run.

    Raises:
        BadInput: If the file is none of them.
    """
    try:
        found = json.loads(text_of(bytes_in(path, DATA), f"{path}: not a JSON object"))
    except (ValueError, RecursionError) as error:
        hint = "; `agentflow report` shows a file of records" if path.suffix == ".jsonl" else ""
        raise BadInput(f"{path}: not a JSON object{hint} ({error})") from error
    if isinstance(found, dict) and found.get("format", FORMAT) != FORMAT:
        raise BadInput(
            f"{path}: a trace in format {found['format']!r}; this version reads {FORMAT}"
        )
    try:
        if "format" in found:
            return dict(found)
        return from_record(found) if "arm" in found else lean(found)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(
            f"{path}: no result of a run; `agentflow solve --json` and `agentflow eval` write them"
        ) from error


def from_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """What a record alone tells of its run: the text, without states.

    Raises:
        KeyError: If it is no record.
    """
    total = {name: record[name] for name in ("calls", "prompt", "wasted", "seconds")}
    roles = record["extra"].get("roles", {})
    known = ("status", "answer", "right", "corrections", "error")
    of_arm = {name: record[name] for name in ("method", "model", "settings") if name in record}
    return (
        of_arm
        | {name: record[name] for name in known}
        | {
            "format": FORMAT,
            "problem": {"text": record["problem"], "domain": record["extra"].get("domain", "")},
            "operations": [_written(record["text"], record["tokens"])],
            "events": [],
            "cost": total | {"cached": 0, "generated": record["tokens"]},
            "cost_by_role": roles,
        }
    )
