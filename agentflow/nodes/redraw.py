"""Redraw: take a wrong step back, so that the solver writes another in its place."""

from __future__ import annotations

from dataclasses import asdict, replace

from langgraph.types import Overwrite

from agentflow.models.model import segment
from agentflow.nodes.cut_back import cut_back
from agentflow.nodes.run import Run, Update, node
from agentflow.settings import Settings


@node(Settings)
async def redraw(run: Run[Settings]) -> Update:
    """Cut the trace back to the line in which a step was objected to (interwhen, section 3.3).

    Everything in front of it passed; the next stream draws on from there, by a seed of its own.
    What was judged of the line is marked as gone: the offsets behind the cut are used again.
    """
    wrong, trace, done = run.stream.wanted, run.trace, len(run.operations)
    start = min(
        one.state.start
        for one in run.judged
        if one.corrected and not one.gone and one.state.end == wrong.offset
    )
    start = trace.body.rfind("\n", 0, start) + 1
    entries = cut_back(run, trace, start, wrong.reason, f"redraw{done}")
    event = asdict(replace(wrong, offset=start, text=""))
    run.emit({"type": "intervention"} | event | {"kind": "redraw"})
    if trace.leftover:  # the cut went through a token
        trace.append(await segment(await run.model(), "feedback", (), trace.leftover))
    judged = [replace(one, gone=True) if one.state.end > start else one for one in run.judged]
    return {
        "operations": trace.operations[done:],
        "judged": Overwrite([asdict(one) for one in judged]),
        "reading": {},
        "corrections": run.corrections + 1,
        "ledger": entries,
    }
