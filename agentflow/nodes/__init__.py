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
from agentflow.nodes.flexive import FlexSettings, flexive
from agentflow.nodes.prepare import declined, prepare
from agentflow.nodes.refine import RefineSettings, refine
from agentflow.nodes.restart import attempt_of, restart
from agentflow.nodes.solution import (
    ask_person,
    domain_verify,
    read_solution,
    retry,
    roll_back,
)
from agentflow.nodes.solve import RETRY, Task, no_monitors, solver
from agentflow.nodes.verify import verify
from agentflow.nodes.vote import settle, vote

__all__ = [
    "MODEL_KEY",
    "RETRY",
    "TOOLS_KEY",
    "FlexSettings",
    "RefineSettings",
    "Task",
    "ask_person",
    "attempt_of",
    "conclude",
    "declined",
    "domain_of",
    "domain_verify",
    "finish",
    "flexive",
    "model_of",
    "no_monitors",
    "prepare",
    "problem_of",
    "read_solution",
    "refine",
    "restart",
    "retry",
    "roll_back",
    "settings_of",
    "settle",
    "solver",
    "verify",
    "vote",
]
