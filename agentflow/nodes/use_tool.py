"""Use a tool that the solver calls in its text, and let it go on from what the tool found."""

from __future__ import annotations

from typing import Any

from agentflow.ledger import Entries
from agentflow.models.model import segment
from agentflow.nodes.run import Run, Update, node
from agentflow.nodes.tool_calls import MAX_OBSERVATION, tools_of, use_of
from agentflow.profile import Piece
from agentflow.settings import Settings
from agentflow.trace import Operation, Trace
from agentflow.verifiers.actions import TOOLS, Evaluation, parse, quoted

_FORMAT = "The actions are: " + ", ".join(f"Use {name}[...]" for name, _ in TOOLS.values())


@node(Settings)
async def use_tool(run: Run[Settings]) -> Update:
    """Append what came of the action that the solver's stream ended with, as an observation.

    An action that cannot be read, or a tool that raises, is an observation too.
    """
    said, entries = await _observed(run)
    run.spent(entries)
    return await observation(run, f"Observation:\n{quoted(said)}\n") | {"ledger": entries}


async def observation(run: Run[Any], text: str) -> Update:
    """The update that puts what came of a call behind it, in lines of its own."""
    wanted = run.stream.wanted
    operation = await put_behind(run, run.trace, text, wanted.monitor, wanted.reason)
    return {"operations": [operation]}


async def put_behind(
    run: Run[Any], trace: Trace, text: str, monitor: str, reason: str
) -> Operation:
    """Put a text that is not the model's behind a trace, in lines of its own, and tell of it.

    Args:
        trace: Is changed; the text is the last of its operations.
        monitor, reason: Who asked for it, and why.
    """
    lead = "\n" if trace.body and not trace.body.endswith("\n") else ""
    addition = await segment(await run.model(), "observation", [Piece(lead + text)], trace.leftover)
    event = {"type": "intervention", "kind": "observation", "offset": len(trace.body)}
    said = addition.text.removeprefix(trace.leftover)
    run.emit(event | {"text": said, "reason": reason, "monitor": monitor})
    return trace.append(addition)


async def _observed(run: Run[Settings]) -> tuple[str, Entries]:
    """What came of the last action, and what it cost."""
    place = len(run.operations)
    log = run.tool_log(f"solver/{run.branch}/{place}")
    try:
        action = parse(run.judged[-1].state.data["text"])
    except ValueError as error:
        return f"{error}. {_FORMAT}", {}
    if isinstance(action, Evaluation):
        return f"There is nothing to evaluate. {_FORMAT}", {}
    tools = await tools_of(run.settings, await run.domain())
    use = await use_of(tools, action.tool, action.argument, log)
    return use.content[:MAX_OBSERVATION] or "(nothing)", log.entries
