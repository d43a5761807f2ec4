"""Seeded problems with exact answers, by domain."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from agentflow.errors import BadInput, known
from agentflow.problem import Problem

GENERATORS = {
    "logic": "agentflow.generators.propositional",
    "math": "agentflow.generators.word_problems",
    "maze": "agentflow.generators.mazes",
    "zebra": "agentflow.generators.zebra",
    "spatialmap": "agentflow.generators.spatial_maps",
}
"""Domain -> module with ``generate(count, seed)``."""
FAMILIES = {"gym": "agentflow.domains.gym"}
"""What a domain's name begins with -> module with ``generate(name, count, seed)``."""


def generate(domain: str, count: int, seed: int) -> Iterator[Problem]:
    """Distinct problems with ``gold``; the same seed gives the same ones.

    Where a generator works its problems out, ``data["solution"]`` has the lines of the way to the
    answer, as the domain reads them; empty where it does not come to an end.

    Raises:
        BadInput: If the domain has no generator.
    """
    family, colon, _ = domain.partition(":")
    if colon and family in FAMILIES:
        made: Iterator[Problem] = import_module(FAMILIES[family]).generate(domain, count, seed)
        return made
    if domain not in GENERATORS:
        there = known(domain, [*GENERATORS, *(f"{family}:TASK" for family in FAMILIES)])
        raise BadInput(
            f"no problems can be generated for domain {domain!r}; {there}; problems of your own "
            "come from a file: --dataset FILE --domain NAME"
        )
    problems: Iterator[Problem] = import_module(GENERATORS[domain]).generate(count, seed)
    return problems
