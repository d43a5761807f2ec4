"""Restart: give an attempt up and begin again from the prompt."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from agentflow import ledger
from agentflow.run import RunState
from agentflow.trace import Trace


async def restart(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Cut the whole body away; its tokens are wasted, its corrections no longer count."""
    trace = Trace(state["operations"])
    number = attempt_of(state)["number"] + 1
    before = trace.wasted
    cut = trace.cut(0, f"attempt {number} given up")
    entry = ledger.Entry("solver", calls=0, wasted=trace.wasted - before)
    entries = ledger.record(f"solver/0/restart{number}", entry)
    runtime.stream_writer({"type": "usage", "entries": entries})
    event = {
        "type": "intervention",
        "kind": "restart",
        "offset": 0,
        "text": "",
        "monitor": "solver",
    }
    runtime.stream_writer(event | {"reason": cut["reason"]})
    return {
        "operations": [cut],
        "reading": {},
        "final": {},
        "ledger": entries,
        "attempt": {
            "number": number,
            "tokens": trace.generated,
            "corrections": state.get("corrections", 0),
            "judged": len(state.get("judged", [])),
        },
    }


def attempt_of(state: RunState) -> dict[str, int]:
    """The attempt under way: its number, and what was spent and judged before it."""
    return state.get("attempt") or {"number": 0, "tokens": 0, "corrections": 0, "judged": 0}
