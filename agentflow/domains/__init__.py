"""Domains by name."""

from __future__ import annotations

from agentflow.domains.game24 import Game24
from agentflow.domains.protocol import Domain
from agentflow.errors import BadInput

__all__ = ["DOMAINS", "Domain", "Game24", "get"]

DOMAINS: dict[str, Domain] = {domain.name: domain for domain in (Game24(),)}


def get(name: str) -> Domain:
    """The domain called ``name``.

    Raises:
        BadInput: If there is none.
    """
    if name not in DOMAINS:
        raise BadInput(f"unknown domain {name!r}; known: {', '.join(DOMAINS)}")
    return DOMAINS[name]
