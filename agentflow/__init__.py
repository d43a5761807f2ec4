"""agentflow: methods of verifying and steering a model's reasoning, as LangGraph graphs."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from agentflow.version import __version__

if TYPE_CHECKING:
    from agentflow.api import ajudge, aresume, asolve, astream, astream_resumed, resume, solve
    from agentflow.arguments import settings_for
    from agentflow.checkpoints import open_checkpoints
    from agentflow.errors import AgentflowError, BadInput, Paused
    from agentflow.problem import Problem
    from agentflow.run import Result
    from agentflow.settings import Settings
    from agentflow.state import State
    from agentflow.trace import Trace
    from agentflow.verdict import Verdict

__all__ = [
    "AgentflowError",
    "BadInput",
    "Paused",
    "Problem",
    "Result",
    "Settings",
    "State",
    "Trace",
    "Verdict",
    "__version__",
    "ajudge",
    "aresume",
    "asolve",
    "astream",
    "astream_resumed",
    "open_checkpoints",
    "resume",
    "settings_for",
    "solve",
]

_NAMES = {
    "api": "ajudge aresume asolve astream astream_resumed resume solve",
    "errors": "AgentflowError BadInput Paused",
    **{"arguments": "settings_for", "checkpoints": "open_checkpoints", "problem": "Problem"},
    **{"run": "Result", "settings": "Settings", "state": "State", "trace": "Trace"},
    "verdict": "Verdict",
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}


def __dir__() -> list[str]:
    """The public names, for completion."""
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    """Load a public name when it is asked for: langgraph takes a second to import."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
