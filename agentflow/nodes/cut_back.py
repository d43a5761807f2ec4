"""Cut a trace back, and book what it costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agentflow import ledger
from agentflow.nodes.run import Run
from agentflow.trace import Trace


def cut_back(
    run: Run[Any],
    trace: Trace,
    offset: int,
    reason: str,
    place: str,
    others: Mapping[str, float] | None = None,
) -> ledger.Entries:
    """Take back everything behind ``offset`` of ``trace``'s body; the tokens are wasted.

    Args:
        trace: Is changed; the cut is the last of its operations.
        place: Which cut of the branch it is, in the ledger's key.
        others: As of :func:`agentflow.trace.cut`.

    Returns:
        The ledger's entry, which was told.
    """
    before = trace.wasted
    trace.cut(offset, reason, others)
    entry = ledger.Entry("solver", calls=0, wasted=trace.wasted - before)
    entries = ledger.record(f"solver/{run.branch}/{place}", entry)
    run.spent(entries)
    return entries


def gone_behind(rows: Sequence[dict[str, Any]], offset: int) -> list[dict[str, Any]]:
    """What monitors judged, with what stood behind a cut marked as gone: its offsets are used
    again."""
    return [one | {"gone": True} if one["state"]["end"] > offset else one for one in rows]
