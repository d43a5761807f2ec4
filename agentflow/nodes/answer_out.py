"""Answer out: close the thinking, and write out the answer that it came to."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from agentflow.models.model import segment
from agentflow.monitors.leg import gone
from agentflow.nodes.context import emitter, model_of, settings_of
from agentflow.profile import Piece
from agentflow.run import RunState
from agentflow.settings import Settings
from agentflow.trace import Trace


async def answer_out(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Append the marker that ends the thinking, and in a box the answer that passed there.

    No token of it is generated: the model was stopped where it stated an answer, and writing it
    again could only spoil it.
    """
    model = await model_of(settings_of(runtime, Settings))
    trace, intervention = Trace(state["operations"]), state["leg"]["intervention"]
    pieces = [*model.profile.closing, Piece(f"\\boxed{{{answer_at_end(state)}}}\n")]
    addition = await segment(model, "marker", pieces, trace.leftover)
    said = {"text": addition.text.removeprefix(trace.leftover)}
    emitter(state, runtime)({"type": "intervention"} | intervention | said)
    ended = {**state["leg"], "ended": "stop", "intervention": None}
    return {"operations": [addition.operation()], "leg": ended}


def answer_at_end(state: RunState) -> str | None:
    """The answer at which the thinking was stopped, if the step verifier did not refute it."""
    end = state["leg"]["intervention"]["offset"]
    for one in state["judged"]:
        stated = one["state"]
        stands = one["monitor"] == "step_verifier" and one["verdict"]["ok"] is not False
        if stands and not gone(one) and stated["kind"] == "candidate" and stated["end"] == end:
            return str(stated["data"]["answer"])
    return None
