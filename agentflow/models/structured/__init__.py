"""Structured output: ask a model for a reply in a format, and read it by a whitelist.

A reply is decoded under the engine's schema where it has that, asked for once more where it cannot
be read, then defaulted; the run says which (``asking``). What can be read in two ways is malformed,
and so is a value out of range, of another type, or a placeholder: prompts show formats with
``<...>`` in place of values, so that a prompt that is repeated says nothing. ``values`` reads what
JSON, Python and JavaScript write, ``escapes`` tells LaTeX from control characters, ``replies``
finds the object that counts, ``around`` says which words beside it let it, ``nothing`` which texts
in it are none, ``calls`` reads calls of tools, ``yes_no`` how likely a Yes was.
"""

from agentflow.models.structured.asking import How, Parsed, ask, ask_json
from agentflow.models.structured.calls import (
    Call,
    NoCall,
    arguments_of,
    placed_calls,
    read_calls,
    spelled,
)
from agentflow.models.structured.nothing import is_placeholder, says_nothing
from agentflow.models.structured.replies import (
    Chosen,
    Flag,
    Number,
    Reply,
    Statement,
    Whole,
    Wording,
    parse,
)
from agentflow.models.structured.yes_no import chance_of_yes

__all__ = [
    "Call",
    "Chosen",
    "Flag",
    "How",
    "NoCall",
    "Number",
    "Parsed",
    "Reply",
    "Statement",
    "Whole",
    "Wording",
    "arguments_of",
    "ask",
    "ask_json",
    "chance_of_yes",
    "is_placeholder",
    "parse",
    "placed_calls",
    "read_calls",
    "says_nothing",
    "spelled",
]
