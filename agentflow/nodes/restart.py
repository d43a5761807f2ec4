"""Restart: give an attempt up and begin again from the prompt."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from agentflow.nodes.context import emitter
from agentflow.nodes.cut_back import cut_back
from agentflow.run import RunState
from agentflow.trace import Trace


async def restart(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Cut the whole body away; its tokens are wasted, its corrections no longer count."""
    trace = Trace(state["operations"])
    number = attempt_of(state)["number"] + 1
    reason = f"attempt {number} given up"
    entries = cut_back(state, runtime, trace, 0, reason, f"restart{number}")
    event = {
        "type": "intervention",
        "kind": "restart",
        "offset": 0,
        "text": "",
        "monitor": "solver",
    }
    emitter(state, runtime)(event | {"reason": reason})
    return {
        "operations": trace.operations[-1:],
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
