"""State the answer: a text that came to its end without one is asked for it, once."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from agentflow.models.model import segment
from agentflow.nodes.conclude import conclude
from agentflow.nodes.context import domain_of, emitter, model_of, settings_of
from agentflow.nodes.restart import attempt_of
from agentflow.profile import Piece
from agentflow.run import RunState
from agentflow.settings import Settings
from agentflow.trace import Trace


async def state_answer(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Append what an answer begins with, for the solver to go on from; or ask in a second call
    where it cannot go on from a text of ours."""
    settings = settings_of(runtime, Settings)
    model, domain = await model_of(settings), await domain_of(settings)
    trace, asked = Trace(state["operations"]), attempt_of(state)["number"] + 1
    emit = emitter(state, runtime)
    told = {"type": "intervention", "kind": "ask", "offset": len(trace.body), "monitor": "answer"}
    told |= {"text": "", "reason": "no answer was stated"}
    if not model.capabilities.continues:
        emit(told)
        update = await conclude(state, runtime)
        leg = {**state["leg"], **update["leg"], "unanswered": False}
        return update | {"asked": asked, "leg": leg}
    thinking = bool(state["close"]) and trace.split(state["close"])[1] is None
    lead = model.profile.closing if thinking else [Piece("\n")]
    addition = await segment(
        model, "marker", [*lead, Piece(domain.opening or "Answer:\n")], trace.leftover
    )
    emit(told | {"text": addition.text.removeprefix(trace.leftover)})
    leg = {**state["leg"], "unanswered": False}
    return {"operations": [addition.operation()], "asked": asked, "leg": leg}
