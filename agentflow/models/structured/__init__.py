"""Structured output: ask a model for a reply in a format, and read it by a whitelist."""

from agentflow.models.structured.asking import How, Parsed, ask, ask_json
from agentflow.models.structured.calls import Call, NoCall, arguments_of, read_calls, spelled
from agentflow.models.structured.replies import Flag, Number, Reply, Whole, Wording, parse

__all__ = [
    "Call",
    "Flag",
    "How",
    "NoCall",
    "Number",
    "Parsed",
    "Reply",
    "Whole",
    "Wording",
    "arguments_of",
    "ask",
    "ask_json",
    "parse",
    "read_calls",
    "spelled",
]
