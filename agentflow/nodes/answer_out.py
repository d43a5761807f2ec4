"""Answer out: close the thinking, and write out the answer that it came to."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from agentflow.models.model import segment
from agentflow.nodes.run import Run, Update, View, node
from agentflow.profile import Piece
from agentflow.settings import Settings


@node(Settings)
async def answer_out(run: Run[Settings]) -> Update:
    """Append the marker that ends the thinking, and in a box the answer that passed there.

    No token of it is generated: the model was stopped where it stated an answer, and writing it
    again could only spoil it.
    """
    model, trace, close = await run.model(), run.trace, run.stream.wanted
    pieces = [*model.profile.closing, Piece(f"\\boxed{{{answer_at_end(run)}}}\n")]
    addition = await segment(model, "marker", pieces, trace.leftover)
    event = {"text": addition.text.removeprefix(trace.leftover)}
    run.emit({"type": "intervention"} | asdict(close) | event)
    ended = replace(run.stream, ended="stop", intervention=None)
    return {"operations": [addition.operation()], "stream_end": asdict(ended)}


def answer_at_end(run: View[Any]) -> str | None:
    """The answer at which the thinking was stopped, if the step verifier did not refute it."""
    for one in run.judged:
        stands = one.monitor == "step_verifier" and one.verdict.ok is not False and not one.gone
        here = one.state.kind == "candidate" and one.state.end == run.stream.wanted.offset
        if stands and here:
            return str(one.state.data["answer"])
    return None
