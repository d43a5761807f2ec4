"""Nodes: the steps that methods are composed of."""

from agentflow.nodes.conclude import conclude
from agentflow.nodes.context import (
    MODEL_KEY,
    TOOLS_KEY,
    domain_of,
    model_of,
    problem_of,
    settings_of,
)
from agentflow.nodes.finish import finish
from agentflow.nodes.prepare import declined, prepare
from agentflow.nodes.refine import RefineSettings, refine
from agentflow.nodes.restart import attempt_of, restart
from agentflow.nodes.solve import RETRY, Task, no_monitors, solver
from agentflow.nodes.verify import verify

__all__ = [
    "MODEL_KEY",
    "RETRY",
    "TOOLS_KEY",
    "RefineSettings",
    "Task",
    "attempt_of",
    "conclude",
    "declined",
    "domain_of",
    "finish",
    "model_of",
    "no_monitors",
    "prepare",
    "problem_of",
    "refine",
    "restart",
    "settings_of",
    "solver",
    "verify",
]
