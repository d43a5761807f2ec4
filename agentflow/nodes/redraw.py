"""Take a wrong step back, so that the solver writes another in its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Literal

from langgraph.types import Overwrite

from agentflow.models.model import segment
from agentflow.monitors.stream_result import Reading
from agentflow.nodes.cut_back import cut_back, gone_behind
from agentflow.nodes.instead import Ways, likeliest, refuted_at, ways_of
from agentflow.nodes.run import Run, Update, View, node
from agentflow.profile import Piece
from agentflow.settings import Settings
from agentflow.state import State


@node(Settings)
async def redraw(run: Run[Settings]) -> Update:
    """Cut the trace back to the line in which a step was objected to (interwhen, section 3.3).

    Everything in front of it passed; the next stream goes on from there. The line begins as the
    model might most likely have begun it otherwise than the refuted ones
    (:mod:`agentflow.nodes.instead`). Where it told no alternatives, or none is left, it draws
    another line by another seed. What passed may still be what leads to the wrong step: from the
    third objection in a row on that cut is further back, by 1, 3, 7 and so on lines.
    """
    wrong, start = run.stream.wanted, start_of_refuted(run)
    lines, ways = await refuted_there(run, start)
    if begun := likeliest(ways, lines):
        return await drawn_from(run, start, wrong.reason, wrong.monitor, line=begun, others=ways)
    back = 2 ** max(wrong_in_a_row(run) - 2, 0) - 1
    further = lines_before(run.trace.body, start, back)
    return await drawn_from(run, further, wrong.reason, wrong.monitor)


async def refuted_there(run: Run[Any], start: int) -> tuple[list[str], Ways]:
    """(the lines refuted at a place of the body, the one that stands there last; how they might
    have begun instead)."""
    line, (lines, ways) = run.trace.body[start:], refuted_at(run.operations, start)
    profile = (await run.model()).profile
    markers = {*profile.markers, *profile.template.specials}
    return [*lines, line], {**ways, **ways_of(line, start, run.stream.drawn, ways, markers)}


def wrong_in_a_row(run: View[Any]) -> int:
    """How many steps or answers were objected to since the last progress: a step that had not
    passed before, and stood behind all that were objected to since the progress before it."""
    count = furthest = 0
    passed, before = list[State](), list[Mapping[str, Any]]()
    for one in run.judged:
        state = one.state
        if one.monitor != "step_verifier" or one.verdict.ok is None:
            continue
        if one.verdict.ok:
            passed.append(state)
            continue
        stood = [right for right in passed if right.end != state.end]  # beside it is no progress
        if any(right.start >= furthest and right.data not in before for right in stood):
            count = furthest = 0
        before += [right.data for right in stood]
        passed = []
        count, furthest = count + 1, max(furthest, state.start)
    return count


def lines_before(body: str, start: int, count: int) -> int:
    """Where the line begins that stands so many lines before the one that begins at an offset;
    lines without a word are none."""
    for _ in range(count):
        start = body[:start].rstrip().rfind("\n") + 1
    return start


def start_of_refuted(run: View[Any]) -> int:
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
    others: Ways | None = None,
) -> Update:
    """Cut the trace back, for the next stream to draw on from there.

    Args:
        start: Offset in the trace's body.
        reason, by: What was objected to, and who did.
        kind, line: What it is called, and what is put there: a line of another model, or how one
            begins.
        others: How it might begin instead.
    """
    trace, done = run.trace, len(run.operations)
    entries = cut_back(run, trace, start, reason, f"{kind}{done}", others)
    event = {"type": "intervention", "kind": kind, "offset": start, "text": line}
    run.emit(event | {"monitor": by, "reason": reason})
    if line or trace.leftover:  # the cut went through a token
        of = "rewritten" if kind == "rewrite" else "alternative" if line else "feedback"
        pieces = [Piece(line)] if line else []
        trace.append(await segment(await run.model(), of, pieces, trace.leftover))
    return {
        "operations": trace.operations[done:],
        "reading": asdict(Reading(unread=line, unread_at=start)) if line else {},
        "corrections": run.corrections + 1,
        "ledger": entries,
        "judged": Overwrite(gone_behind(run.judged_rows, start)),
    }
