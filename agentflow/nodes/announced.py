"""A verdict on a whole solution, told and written down."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from agentflow.channels import Ruling
from agentflow.nodes.run import Run, Update
from agentflow.verdict import Verdict


def announced(run: Run[Any], name: str, verdict: Verdict) -> Update:
    """The verdict of one of a method's verifiers, as an event and as the state's update."""
    plain = asdict(verdict)
    run.emit({"type": "verdict", "monitor": name, "final": True, "answer": None} | plain)
    return {"verdict": asdict(Ruling(**plain, verifier=name))}
