"""agentflow: methods of verifying and steering a model's reasoning, as LangGraph graphs."""

from agentflow.api import asolve, astream, settings_for, solve
from agentflow.errors import AgentflowError, BadInput
from agentflow.problem import Problem
from agentflow.run import Result
from agentflow.settings import Settings
from agentflow.state import State
from agentflow.trace import Trace
from agentflow.verdict import Verdict
from agentflow.version import __version__

__all__ = [
    "AgentflowError",
    "BadInput",
    "Problem",
    "Result",
    "Settings",
    "State",
    "Trace",
    "Verdict",
    "__version__",
    "asolve",
    "astream",
    "settings_for",
    "solve",
]
