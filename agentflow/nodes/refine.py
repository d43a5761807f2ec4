"""Refine: put the intervention into the trace, so that the solver goes on from there."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from agentflow.models.protocol import segment
from agentflow.nodes.context import model_of, settings_of
from agentflow.profile import Piece
from agentflow.run import RunState
from agentflow.settings import Settings
from agentflow.trace import Trace


async def refine(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Append the feedback, or the marker that closes the thinking; the cut was made already."""
    model = await model_of(settings_of(runtime, Settings))
    trace = Trace(state["operations"])
    intervention = state["leg"]["intervention"]
    update: dict[str, Any] = {}
    if intervention["kind"] == "close":
        profile = model.profile
        pieces = [Piece(profile.think_close, special=True), Piece(profile.answer_prefix)]
        addition = await segment(model, "marker", pieces, trace.leftover)
    else:
        # Where the model left its line unfinished, the note still starts its own.
        lead = "" if trace.body.endswith("\n") else "\n"
        pieces = [Piece(lead + intervention["text"])]
        addition = await segment(model, "feedback", pieces, trace.leftover)
        update["corrections"] = state.get("corrections", 0) + 1
    runtime.stream_writer({"type": "intervention"} | intervention | {"text": addition.text})
    return update | {"operations": [addition.operation()]}
