"""Tool calls that are judged before they are made; see docs/gate.md.

LangChain's middleware is :class:`agentflow.gate.middleware.GateMiddleware` (extra ``gate``).
"""

from agentflow.gate.certify import (
    SCHEMA,
    SCHEMA_MUTATIONS,
    Action,
    Certificate,
    Mutation,
    certify,
    with_args,
    with_state,
)
from agentflow.gate.logic import follows, read_policy
from agentflow.gate.nodes import decide, gated_tools
from agentflow.gate.policy import Call, Decision, Policy, Rule, always, judge, schemas_of

__all__ = [
    "SCHEMA",
    "SCHEMA_MUTATIONS",
    "Action",
    "Call",
    "Certificate",
    "Decision",
    "Mutation",
    "Policy",
    "Rule",
    "always",
    "certify",
    "decide",
    "follows",
    "gated_tools",
    "judge",
    "read_policy",
    "schemas_of",
    "with_args",
    "with_state",
]
