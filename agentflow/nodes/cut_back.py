"""Cut a trace back, and book what it costs."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from agentflow import ledger
from agentflow.nodes.context import emitter
from agentflow.run import RunState
from agentflow.trace import Trace


def cut_back(
    state: RunState, runtime: Runtime[Any], trace: Trace, offset: int, reason: str, place: str
) -> ledger.Entries:
    """Take back everything behind ``offset`` of ``trace``'s body; the tokens are wasted.

    Args:
        trace: Is changed; the cut is the last of its operations.
        place: Which cut of the branch it is, in the ledger's key.

    Returns:
        The ledger's entry, which was told.
    """
    before = trace.wasted
    trace.cut(offset, reason)
    entry = ledger.Entry("solver", calls=0, wasted=trace.wasted - before)
    entries = ledger.record(f"solver/{state.get('branch', 0)}/{place}", entry)
    emitter(state, runtime)({"type": "usage", "entries": entries})
    return entries
