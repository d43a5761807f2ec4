"""Use a tool that the solver calls in its text, and let it go on from what the tool found."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import ToolCall
from langgraph.runtime import Runtime

from agentflow.ledger import Entries
from agentflow.models.model import segment
from agentflow.nodes.context import domain_of, emitter, model_of, settings_of
from agentflow.nodes.tool_calls import call_tool, tools_of
from agentflow.nodes.tool_log import ToolLog
from agentflow.profile import Piece
from agentflow.run import RunState
from agentflow.settings import Settings
from agentflow.trace import Trace
from agentflow.verifiers.actions import TOOLS, Evaluation, parse, quoted

MAX_OBSERVATION = 2000
"""Characters of what a tool said that the solver is shown."""

_FORMAT = "The actions are: " + ", ".join(f"Use {name}[...]" for name, _ in TOOLS.values())


async def use_tool(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Append what came of the action that the solver's stream ended with, as an observation.

    An action that cannot be read, or a tool that raises, is an observation too.
    """
    trace, emit = Trace(state["operations"]), emitter(state, runtime)
    intervention = state["leg"]["intervention"]
    said, entries = await _observed(state, runtime)
    lead = "" if trace.body.endswith("\n") else "\n"
    text = f"{lead}Observation:\n{quoted(said)}\n"
    model = await model_of(settings_of(runtime, Settings))
    addition = await segment(model, "feedback", [Piece(text)], trace.leftover)
    event = {"type": "intervention", **intervention, "kind": "observation"}
    emit(event | {"text": addition.text.removeprefix(trace.leftover)})
    if entries:
        emit({"type": "usage", "entries": entries})
    return {"operations": [addition.operation()], "ledger": entries}


async def _observed(state: RunState, runtime: Runtime[Any]) -> tuple[str, Entries]:
    """What came of the last action, and what it cost."""
    settings, place = settings_of(runtime, Settings), len(state["operations"])
    log = ToolLog(f"solver/{state.get('branch', 0)}/{place}", emitter(state, runtime))
    try:
        action = parse(state["judged"][-1]["state"]["data"]["text"])
    except ValueError as error:
        return f"{error}. {_FORMAT}", {}
    if isinstance(action, Evaluation):
        return f"There is nothing to evaluate. {_FORMAT}", {}
    arguments = {TOOLS[action.tool][1]: action.argument}
    call: ToolCall = {"name": action.tool, "args": arguments, "id": str(place), "type": "tool_call"}
    by_role = await tools_of(settings, await domain_of(settings))
    called = await call_tool(by_role, call, (), log)
    return called.use.content[:MAX_OBSERVATION] or "(nothing)", log.entries
