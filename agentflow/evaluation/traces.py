"""What is kept of each run beside its record: the costs by role, and a trace file of its own."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from agentflow import trace_file
from agentflow.ledger import by_role
from agentflow.run import Result


def folder_of(out: Path) -> Path:
    """Where the trace files of a file of records are: beside it."""
    return out.with_name(f"{out.stem}.traces")


def keep(folder: Path | None, result: Result, right: bool) -> dict[str, Any]:
    """What goes into a record's ``extra``.

    ``roles``: costs by role. ``judged``: whether the domain's verifier told of the answer.
    ``samples``: how many trajectories it took. ``choices``: the tools and the strategy of each
    iteration of adaptive compute. ``trace``: the name of the file that was written into ``folder``;
    instead of that ``lost``, why it could not be.
    """
    roles: dict[str, Any] = {
        "roles": {role: asdict(entry) for role, entry in by_role(result.ledger).items()},
        "judged": result.judged_answer,
    }
    if result.samples:
        roles["samples"] = len(result.samples)
    chosen = [one for one in result.samples if one.get("compute")]
    if chosen:
        roles["choices"] = [
            {"tools": one["tools"] or [], "strategy": one["compute"]["strategy"]} for one in chosen
        ]
    if folder is None:
        return roles
    try:
        return roles | {"trace": trace_file.write(folder, result, right)}
    except OSError as error:  # the record is worth more
        return roles | {"lost": str(error)}
