"""State the answer: a text that came to its end without one is asked for it, once."""

from __future__ import annotations

from dataclasses import asdict, replace

from agentflow.channels import stream_end
from agentflow.models.model import segment
from agentflow.nodes.conclude import concluded
from agentflow.nodes.finish import opening_of
from agentflow.nodes.run import Run, Update, node
from agentflow.profile import Piece
from agentflow.settings import Settings


@node(Settings)
async def state_answer(run: Run[Settings]) -> Update:
    """Append what an answer begins with, for the solver to go on from; or ask in a second call
    where it cannot go on from a text of ours."""
    model, domain, trace = await run.model(), await run.domain(), run.trace
    asked = run.attempt.number + 1
    event = {"type": "intervention", "kind": "ask", "offset": len(trace.body), "monitor": "answer"}
    event |= {"text": "", "reason": "no answer was stated"}
    if not model.capabilities.continues:
        run.emit(event)
        update = await concluded(run)
        ended = replace(stream_end(update["stream_end"]), unanswered=False)
        return update | {"asked": asked, "stream_end": asdict(ended)}
    thinking = bool(run.close) and trace.split(run.close)[1] is None
    lead = model.profile.closing if thinking else [Piece("\n")]
    addition = await segment(model, "marker", [*lead, Piece(opening_of(domain))], trace.leftover)
    run.emit(event | {"text": addition.text.removeprefix(trace.leftover)})
    ended = replace(run.stream, unanswered=False)
    return {"operations": [addition.operation()], "asked": asked, "stream_end": asdict(ended)}
