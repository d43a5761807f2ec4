"""Redraw: take a wrong step back, so that the solver writes another in its place."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from agentflow.models.model import segment
from agentflow.monitors.leg import gone
from agentflow.nodes.context import emitter, model_of, settings_of
from agentflow.nodes.cut_back import cut_back
from agentflow.run import RunState
from agentflow.settings import Settings
from agentflow.trace import Trace


async def redraw(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Cut the trace back to the line in which a step was objected to (paper 000, section 3.3).

    Everything in front of it passed; the next leg draws on from there, by a seed of its own. What
    was judged of the line is marked as gone: the offsets behind the cut are used again.
    """
    model = await model_of(settings_of(runtime, Settings))
    intervention, trace = state["leg"]["intervention"], Trace(state["operations"])
    done = len(trace.operations)
    start = min(
        one["state"]["start"]
        for one in state["judged"]
        if one["corrected"] and not gone(one) and one["state"]["end"] == intervention["offset"]
    )
    start = trace.body.rfind("\n", 0, start) + 1
    entries = cut_back(state, runtime, trace, start, intervention["reason"], f"redraw{done}")
    told = {"type": "intervention"} | intervention | {"kind": "redraw", "offset": start, "text": ""}
    emitter(state, runtime)(told)
    if trace.leftover:  # the cut went through a token
        trace.append(await segment(model, "feedback", (), trace.leftover))
    judged = [
        one | {"gone": True} if one["state"]["end"] > start else one for one in state["judged"]
    ]
    return {
        "operations": trace.operations[done:],
        "judged": Overwrite(judged),
        "reading": {},
        "corrections": state.get("corrections", 0) + 1,
        "ledger": entries,
    }
