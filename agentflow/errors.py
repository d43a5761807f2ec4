"""Errors that people see: each says what is wrong, where, and what to do."""

from __future__ import annotations


class AgentflowError(Exception):
    """Base of all errors that agentflow raises on purpose."""


class BadInput(AgentflowError):
    """The user's input cannot be used (exit code 2 on the command line)."""


class MissingCapability(BadInput):
    """A method needs something that the chosen model cannot do."""


class ModelUnavailable(AgentflowError):
    """The model's server cannot be reached or refused the request before the first token."""


class StreamBroken(AgentflowError):
    """The stream ended before the model was done; the trace so far is kept."""
