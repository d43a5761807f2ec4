"""Restart: give an attempt up and begin again from the prompt."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from agentflow.channels import Attempt
from agentflow.nodes.cut_back import cut_back
from agentflow.nodes.run import Run, Update, View, node
from agentflow.settings import Settings


@node(Settings)
async def restart(run: Run[Settings]) -> Update:
    """Cut the whole body away; its tokens are wasted, its corrections no longer count."""
    trace, number = run.trace, run.attempt.number + 1
    reason = f"attempt {number} given up"
    entries = cut_back(run, trace, 0, reason, f"restart{number}")
    event = {"type": "intervention", "kind": "restart", "offset": 0, "text": "", "reason": reason}
    run.emit(event | {"monitor": "solver"})
    return {
        "operations": trace.operations[-1:],
        "reading": {},
        "final": {},
        "ledger": entries,
        "attempt": asdict(next_attempt(run)),
    }


def next_attempt(run: View[Any]) -> Attempt:
    """The attempt that follows the one under way."""
    return Attempt(run.attempt.number + 1, run.trace.generated, run.corrections, len(run.judged))
