"""Verifiers of whole solutions: which step is the first wrong one, and why.

:mod:`~agentflow.verifiers.solution_verifier` is the contract. ``flexive`` and ``stepwise`` ask a
model, ``domain`` the domain; ``critique`` and ``steps`` are what a critic writes and reads. Of
VerifiAgent ``actions`` is the protocol, ``evidence`` the rules, ``v_score`` the score;
``programs``, ``z3_programs`` and ``data_flow`` tell what a program's value rests on. ``stance``
holds a judge's reason against its decision.
"""

from agentflow.verifiers.critique import Critique, parse
from agentflow.verifiers.domain import DomainVerifier
from agentflow.verifiers.flexive import FlexiVe
from agentflow.verifiers.solution_verifier import SolutionVerifier
from agentflow.verifiers.steps import joined, numbered, paragraphs, segment

__all__ = [
    "Critique",
    "DomainVerifier",
    "FlexiVe",
    "SolutionVerifier",
    "joined",
    "numbered",
    "paragraphs",
    "parse",
    "segment",
]
