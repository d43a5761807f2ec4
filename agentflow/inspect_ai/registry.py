"""What Inspect loads by its entry point: everything here under its name, ``agentflow/…``."""

from __future__ import annotations

from agentflow import graphs
from agentflow.inspect_ai import provider, scoring, solvers, tasks

__all__ = ["provider", "scoring", "solvers", "tasks"]

tasks.registered()
for _method in graphs.methods():
    solvers.registered(_method)
