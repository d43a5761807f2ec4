"""A run as one row of the golden file: what a refactoring must not change."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

from agentflow import Result
from agentflow.errors import AgentflowError

Row = dict[str, Any]

KEY = ("part", "method", "arm", "problem")
"""What tells a row from all others; they are sorted by it."""


async def row_of(key: Row, run: Callable[[], Awaitable[Result]], *, timed: bool) -> Row:
    """The row of a run; one that raises is a row, too.

    Args:
        key: What :data:`KEY` names.
        run: What is run.
        timed: Whether tokens arrive while others work, so that how many came before a cut, and how
            many probes were sent ahead of it, depends on the machine.
    """
    try:
        return key | told(await run(), timed=timed)
    except AgentflowError as error:
        return key | {"status": "raised", "reason": f"{type(error).__name__}: {error}"}


def told(result: Result, *, timed: bool) -> Row:
    """What is kept of a result."""
    body = result.trace.body
    cuts = of_branches(result.events, "intervention")
    again = result.corrections > 0 or any(event["kind"] == "redraw" for event in cuts)
    return {
        "status": result.status,
        "answer": result.answer,
        "candidate": result.candidate,
        "reason": result.reason,
        "error": result.error,
        "corrections": result.corrections,
        "interventions": [
            [event.get("branch", 0), event["monitor"], event["kind"], event["offset"]]
            for event in cuts
        ],
        "judged": verdicts(result.judged),
        "samples": [
            [one["branch"], one["status"], one["answer"] or one["candidate"]]
            for one in sorted(result.samples, key=lambda one: int(one["branch"]))
        ],
        "path": path(result.events),
        "tokens": tokens(result.as_dict()["cost_by_role"], timed=timed, cut=again),
        "text": [len(body), digest(body)],
    }


def of_branches(events: Sequence[Mapping[str, Any]], kind: str) -> list[Mapping[str, Any]]:
    """The events of a kind, by branch: those of several come in any order."""
    found = [event for event in events if event["type"] == kind]
    return sorted(found, key=lambda event: int(event.get("branch", 0)))


def path(events: Sequence[Mapping[str, Any]]) -> list[str]:
    """The nodes in the order in which they ended, by branch; ``solve*3`` for three in a row."""
    names = [
        f"{event.get('branch', 0)}:{event['inside'] and event['inside'] + '/'}{event['name']}"
        + ("(paused)" if event["paused"] else "(error)" if event["error"] else "")
        for event in of_branches(events, "node")
    ]
    counted = [(name, len(list(same))) for name, same in groupby(names)]
    return [name if count == 1 else f"{name}*{count}" for name, count in counted]


def verdicts(judged: Sequence[Mapping[str, Any]]) -> str:
    """A letter for every state: right, wrong, nobody can tell."""
    letters = {True: "r", False: "w", None: "?"}
    return "".join(letters[one["verdict"]["ok"]] for one in judged)


def tokens(
    by_role: Mapping[str, Mapping[str, Any]], *, timed: bool, cut: bool = False
) -> dict[str, Any]:
    """By role: calls, prompt tokens, tokens that were kept, and those that a cut took back.

    Where tokens are timed, a cut leaves now and then one more or less: then none are counted.
    """
    found = {}
    for role, sums in sorted(by_role.items()):
        kept = sums["generated"] - sums["wasted"]
        if not timed:
            found[role] = [sums["calls"], sums["prompt"], kept, sums["wasted"]]
        elif role not in ("probe", "rollout", "elicit"):
            found[role] = [sums["calls"], sums["prompt"], *([] if cut else [kept])]
    return found


def digest(text: str) -> str:
    """A short fingerprint of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def line(row: Mapping[str, Any]) -> str:
    """A row as it stands in the file."""
    return json.dumps(row, ensure_ascii=False) + "\n"


def key_of(row: Mapping[str, Any]) -> tuple[str, ...]:
    """(part, method, arm, problem)"""
    return tuple(str(row.get(name, "")) for name in KEY)
