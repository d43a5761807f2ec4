"""The ledger: what a run cost, by role.

In a graph's state the ledger is a map from call id to entry, so that parallel branches merge by
union and a node that runs twice cannot count twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

Entries = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Entry:
    """What one call cost.

    Attributes:
        role: Who called: solver, planner, selector, prm, verifier, one of its kinds
            (verifier-fast, -slow, -meta, -act, -reflect), probe, rollout, judge, or ``tool:NAME``.
        calls: Number of requests (retries counted).
        prompt: Prompt tokens, cached ones included.
        cached: Prompt tokens the engine took from its cache, as far as it tells.
        generated: Tokens generated and received.
        wasted: Generated tokens that a cut took back.
        seconds: Wall-clock seconds.
        cost: Dollars, where the model's price is known.
        until: Seconds of the run's clock when the call ended; of a sum the last of them.
        reasoning: Generated tokens that were thought and not shown, as far as the engine tells.
        estimated: Calls whose tokens are a guess, since the stream was closed before the engine
            told them.
    """

    role: str
    calls: int = 1
    prompt: int = 0
    cached: int = 0
    generated: int = 0
    wasted: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    until: float = 0.0
    reasoning: int = 0
    estimated: int = 0


_COUNTS = [field.name for field in fields(Entry) if field.name not in ("role", "until")]


def record(call_id: str, entry: Entry) -> Entries:
    """The state update for one call."""
    return {call_id: asdict(entry)}


def merge(entries: Entries, writes: Sequence[Entries]) -> Entries:
    """Reducer for LangGraph's ``DeltaChannel``: union by call id, so that the same call written
    twice counts once."""
    return {key: entry for one in (entries, *writes) for key, entry in one.items()}


def by_role(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, Entry]:
    """The sums per role."""
    totals: dict[str, Entry] = {}
    for entry in entries.values():
        totals[entry["role"]] = _add(totals.get(entry["role"], Entry(entry["role"], 0)), entry)
    return totals


def total(entries: Mapping[str, Mapping[str, Any]]) -> Entry:
    """The sum over all roles."""
    summed = Entry("total", 0)
    for entry in entries.values():
        summed = _add(summed, entry)
    return summed


def _add(left: Entry, right: Mapping[str, Any]) -> Entry:
    counts = {name: getattr(left, name) + right.get(name, 0) for name in _COUNTS}
    return Entry(left.role, **counts, until=max(left.until, right.get("until", 0.0)))
