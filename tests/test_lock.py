"""requirements-dev.lock holds what pyproject.toml asks for; ``make lock`` renews it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from agentflow.version import DISTRIBUTION

ROOT = Path(__file__).parents[1]
EXTRAS = ("dev", "docs", "studio")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def asked(extras: tuple[str, ...]) -> Iterator[Requirement]:
    """What the extras ask for, also through one another."""
    for extra in extras:
        for one in map(Requirement, PROJECT["optional-dependencies"][extra]):
            if one.name == PROJECT["name"]:
                yield from asked(tuple(one.extras))
            else:
                yield one


def test_hints_name_the_distribution() -> None:
    assert PROJECT["name"] == DISTRIBUTION


def test_every_requirement_is_pinned_to_a_version_it_allows() -> None:
    lines = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8").splitlines()
    pinned: dict[str, list[str]] = {}
    for pin in (Requirement(line) for line in lines if not line.startswith("#")):
        (version,) = pin.specifier
        assert version.operator == "=="
        pinned.setdefault(canonicalize_name(pin.name), []).append(version.version)
    wanted = [*map(Requirement, PROJECT["dependencies"]), *asked(EXTRAS)]
    assert len(wanted) > 20
    for one in wanted:
        versions = pinned.get(canonicalize_name(one.name), [])
        assert versions, f"{one.name} is not pinned: make lock"
        for version in versions:
            assert one.specifier.contains(version), f"{one} is pinned to {version}: make lock"
