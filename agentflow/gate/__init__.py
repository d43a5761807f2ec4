"""Tool calls that are judged before they are made; see docs/gate.md.

LangChain's middleware is :class:`agentflow.gate.middleware.GateMiddleware` (extra ``gate``).

``policy`` is the judgement, on ``arguments`` that may not be whole; ``nodes`` and ``middleware``
put it into graphs and agents. ``pieces``, ``written`` and ``watching`` judge calls as they are
written, and ``watched`` is a model that is watched so. ``text`` reads policies, whose rules are
formulas (``logic``) or code (``code``, ``inside``), ``writing`` has a model write them, ``certify``
tries them by mutation. ``retail/`` is a shop's policy.
"""

from agentflow.gate.certify import (
    SCHEMA,
    SCHEMA_MUTATIONS,
    Action,
    Certificate,
    Mutation,
    certify,
    install,
    with_args,
    with_state,
)
from agentflow.gate.logic import follows
from agentflow.gate.nodes import decide, gated_tools
from agentflow.gate.pieces import of_anthropic, of_langchain, of_openai
from agentflow.gate.policy import (
    Call,
    Decision,
    Policy,
    Rule,
    always,
    foresee,
    judge,
    schemas_of,
)
from agentflow.gate.text import read_policy
from agentflow.gate.watched import after_model, watched_model
from agentflow.gate.watching import CallMonitor, Watched, watch_calls
from agentflow.gate.writing import write_policy

__all__ = [
    "SCHEMA",
    "SCHEMA_MUTATIONS",
    "Action",
    "Call",
    "CallMonitor",
    "Certificate",
    "Decision",
    "Mutation",
    "Policy",
    "Rule",
    "Watched",
    "after_model",
    "always",
    "certify",
    "decide",
    "follows",
    "foresee",
    "gated_tools",
    "install",
    "judge",
    "of_anthropic",
    "of_langchain",
    "of_openai",
    "read_policy",
    "schemas_of",
    "watch_calls",
    "watched_model",
    "with_args",
    "with_state",
    "write_policy",
]
