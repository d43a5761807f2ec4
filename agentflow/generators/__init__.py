"""Seeded problems with exact answers, by domain."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from agentflow.errors import BadInput
from agentflow.problem import Problem

GENERATORS = {
    "logic": "agentflow.generators.propositional",
    "math": "agentflow.generators.word_problems",
}
"""Domain -> module with ``generate(count, seed)``."""


def generate(domain: str, count: int, seed: int) -> Iterator[Problem]:
    """Distinct problems; the same seed gives the same ones.

    Raises:
        BadInput: If the domain has no generator.
    """
    if domain not in GENERATORS:
        known = ", ".join(GENERATORS)
        raise BadInput(f"no problems can be generated for domain {domain!r}; known: {known}")
    problems: Iterator[Problem] = import_module(GENERATORS[domain]).generate(count, seed)
    return problems
