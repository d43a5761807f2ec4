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
from agentflow.nodes.extract_answer import extract_answer, read_answer
from agentflow.nodes.finish import finish
from agentflow.nodes.flexive import FlexSettings, flexive
from agentflow.nodes.iteration import Iteration, surviving
from agentflow.nodes.plan import plan
from agentflow.nodes.prepare import declined, prepare
from agentflow.nodes.reason import (
    ReasonSettings,
    critique,
    direct_json,
    follow,
    reason,
    refine_attempt,
    reframe,
)
from agentflow.nodes.refine import RefineSettings, refine
from agentflow.nodes.restart import attempt_of, restart
from agentflow.nodes.score import score, scorer_of, select_iteration, settle_iteration
from agentflow.nodes.select import select_compute, select_tools
from agentflow.nodes.solution import (
    ask_person,
    domain_verify,
    read_solution,
    retry,
    roll_back,
)
from agentflow.nodes.solve import RETRY, Task, no_monitors, solver
from agentflow.nodes.verify import verify
from agentflow.nodes.vote import settle, start_of, vote

__all__ = [
    "MODEL_KEY",
    "RETRY",
    "TOOLS_KEY",
    "FlexSettings",
    "Iteration",
    "ReasonSettings",
    "RefineSettings",
    "Task",
    "ask_person",
    "attempt_of",
    "conclude",
    "critique",
    "declined",
    "direct_json",
    "domain_of",
    "domain_verify",
    "extract_answer",
    "finish",
    "flexive",
    "follow",
    "model_of",
    "no_monitors",
    "plan",
    "prepare",
    "problem_of",
    "read_answer",
    "read_solution",
    "reason",
    "refine",
    "refine_attempt",
    "reframe",
    "restart",
    "retry",
    "roll_back",
    "score",
    "scorer_of",
    "select_compute",
    "select_iteration",
    "select_tools",
    "settings_of",
    "settle",
    "settle_iteration",
    "solver",
    "start_of",
    "surviving",
    "verify",
    "vote",
]
