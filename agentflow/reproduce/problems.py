"""The problems of a manifest's parts: the paper's, a file in their place, or stand-ins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path

from agentflow import domains
from agentflow.evaluation import datasets, hub, solutions
from agentflow.evaluation.solutions import Solution
from agentflow.problem import Problem
from agentflow.reproduce.manifest import Part

GENERATED = ("logic", "math", "maze", "spatialmap")
"""Domains whose stand-ins are generated; those of others are bundled."""


def source(part: Part, given: Mapping[str, str], stand_in: bool) -> str:
    """The name of the data set that a part is run on, as ``agentflow eval`` takes it.

    Args:
        given: Data sets in the place of the papers', by the part's name or the data set's.
        stand_in: Problems that are not the paper's, of the same kind.
    """
    if named := given.get(part.name) or given.get(part.dataset.partition("?")[0]):
        return named
    if not stand_in:
        return part.dataset
    name = part.dataset.partition("?")[0].partition("+")[0]
    if name in hub.STEPS:
        return _bundled("steps")
    if (bundled := Path(_bundled(name))).is_file():
        return str(bundled)
    domain = domain_of(part)
    if domain in GENERATED:
        return f"generate:{domain}?count=8&seed=1"
    return "game24" if domain == "game24" else _bundled(domain)


def domain_of(part: Part) -> str:
    """Who parses the problems of a part."""
    name = part.dataset.partition("?")[0].partition("+")[0]
    known = hub.SOURCES[name].domain if name in hub.SOURCES else None
    return part.domain or known or "game24"


def _bundled(name: str) -> str:
    """A file of the package."""
    return str(resources.files(__package__) / "stand_ins" / f"{name}.jsonl")


def load(part: Part, name: str, limit: int | None, skipped: Callable[[str], None]) -> list[Problem]:
    """The problems of a part, from the data set ``name``; with a limit so many of them, drawn
    always alike, so that more of them are those and others."""
    problems = datasets.load(name, domain_of(part), skipped)
    return problems if limit is None else datasets.subset(problems, limit)


def load_steps(name: str, limit: int | None, skipped: Callable[[str], None]) -> list[Solution]:
    """Solutions whose first wrong step is known; with a limit as many with a wrong step as without,
    as far as there are."""
    found = solutions.load_labelled([Path(name)], domains.get("math"), skipped)
    if limit is None:
        return found
    wrong, right = ([one for one in found if (one.label == -1) is side] for side in (False, True))
    return [*wrong[: (limit + 1) // 2], *right[: limit // 2]]
