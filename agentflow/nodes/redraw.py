"""Take a wrong step back, so that the solver writes another in its place."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any, Literal

from langgraph.types import Overwrite

from agentflow.models.model import segment
from agentflow.monitors.stream_result import Reading
from agentflow.nodes.cut_back import cut_back
from agentflow.nodes.run import Run, Update, View, node
from agentflow.profile import Piece
from agentflow.settings import Settings


@node(Settings)
async def redraw(run: Run[Settings]) -> Update:
    """Cut the trace back to the line in which a step was objected to (interwhen, section 3.3).

    Everything in front of it passed; the next stream draws on from there, by a seed of its own.
    """
    wrong = run.stream.wanted
    return await drawn_from(run, start_of_refused(run), wrong.reason, wrong.monitor)


def start_of_refused(run: View[Any]) -> int:
    """Where the line begins in which a step was objected to as it was written."""
    start = min(
        one.state.start
        for one in run.judged
        if one.corrected and not one.gone and one.state.end == run.stream.wanted.offset
    )
    return run.trace.body.rfind("\n", 0, start) + 1


async def drawn_from(
    run: Run[Any],
    start: int,
    reason: str,
    by: str,
    *,
    kind: Literal["redraw", "rewrite"] = "redraw",
    line: str = "",
) -> Update:
    """Cut the trace back, for the next stream to draw on from there. What was judged behind the cut
    is marked as gone: its offsets are used again.

    Args:
        start: Offset in the trace's body.
        reason, by: What was objected to, and who did.
        kind, line: What it is called, and what another model wrote to stand there.
    """
    trace, done = run.trace, len(run.operations)
    entries = cut_back(run, trace, start, reason, f"{kind}{done}")
    event = {"type": "intervention", "kind": kind, "offset": start, "text": line}
    run.emit(event | {"monitor": by, "reason": reason})
    if line or trace.leftover:  # the cut went through a token
        of, pieces = "rewritten" if kind == "rewrite" else "feedback", [Piece(line)] if line else []
        trace.append(await segment(await run.model(), of, pieces, trace.leftover))
    judged = [replace(one, gone=True) if one.state.end > start else one for one in run.judged]
    return {
        "operations": trace.operations[done:],
        "reading": asdict(Reading(unread=line, unread_at=start)) if line else {},
        "corrections": run.corrections + 1,
        "ledger": entries,
        "judged": Overwrite([asdict(one) for one in judged]),
    }
