"""Verifiers of whole solutions: which step is the first wrong one, and why."""

from agentflow.verifiers.critique import Critique, joined, numbered, parse, segment
from agentflow.verifiers.domain import DomainVerifier
from agentflow.verifiers.flexive import FlexiVe
from agentflow.verifiers.protocol import SolutionVerifier

__all__ = [
    "Critique",
    "DomainVerifier",
    "FlexiVe",
    "SolutionVerifier",
    "joined",
    "numbered",
    "parse",
    "segment",
]
